package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.hodor.Hodor;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import programs.Copies;

/**
 * The Java side comes from the agent, from the application, or from several applications in one
 * JVM; each works, whenever the agent came.
 */
class CopiesTest {
  static final List<Integer> VERSIONS = JavaRuntime.VERSIONS;

  @ParameterizedTest(name = "Java {0}")
  @FieldSource("VERSIONS")
  void theAgentsOwnIsFoundFirst(int version) {
    try (TargetJvm jvm = start(version, "one", true)) {
      jvm.awaitLine("available to null");
      counts(jvm);
    }
  }

  @ParameterizedTest(name = "Java {0}")
  @FieldSource("VERSIONS")
  void twoApplicationsWithTheirOwn(int version) {
    try (TargetJvm jvm = start(version, "two", true)) {
      counts(jvm);
      assertThat(jvm.lines())
          .filteredOn(line -> line.startsWith("available to programs.Copies$AtHomeFirst"))
          .hasSize(2);
    }
  }

  @ParameterizedTest(name = "Java {0}")
  @FieldSource("VERSIONS")
  void theAgentComesLate(int version) {
    try (TargetJvm jvm = start(version, "one", false)) {
      jvm.awaitLine("Hodor: no agent in this JVM");
      LoadingTest.attach(jvm);
      jvm.awaitLine("available to ");
      counts(jvm);
    }
  }

  private static void counts(TargetJvm jvm) {
    try (Jmx jmx = Jmx.of(jvm)) {
      SheddingTest.eventually(
          () -> {
            assertThat(jmx.admission().getAdmitted()).isGreaterThan(100);
            assertThat(jmx.detector("queue").isStale()).as("the pool is watched").isFalse();
          });
      assertThat(jmx.errors().getFailOpen()).as(jmx.errors().getLastError()).isZero();
      assertThat(jmx.errors().getSourceFailures()).as(jmx.errors().getLastError()).isZero();
      assertThat(jvm.lines()).noneMatch(line -> line.startsWith("rejected"));
    }
    jvm.endInput();
    assertThat(jvm.awaitExit()).as(jvm.output()).isZero();
  }

  private static TargetJvm start(int version, String copies, boolean withAgent) {
    TargetJvm.Builder java =
        TargetJvm.with(JavaRuntime.require(version))
            .classPath(TargetJvm.CLASSES + File.pathSeparator + core());
    return (withAgent ? java.agent("") : java).run(Copies.class, core(), copies);
  }

  static String core() {
    try {
      return Path.of(Hodor.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
