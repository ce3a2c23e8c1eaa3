package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import programs.Ends;
import programs.Guest;
import programs.OutOfDescriptors;

/** What the agent needs is missing or throws: said once, counted, and the application is served. */
@Isolated
class TroubleTest {
  static final List<Integer> VERSIONS = JavaRuntime.VERSIONS;

  @Test
  void anExceptionInAnUpcallIsCounted() {
    try (TargetJvm jvm = guest("throwing-pool");
        Jmx jmx = Jmx.of(jvm)) {
      SheddingTest.eventually(() -> assertThat(jmx.errors().getFailOpen()).isEqualTo(1));
      assertThat(jmx.errors().getLastError()).contains("thrown by the pool");
      assertServed(jvm, jmx);
      assertThat(jmx.detector("queue").isStale()).as("asked no more").isTrue();
      assertThat(jvm.lines())
          .filteredOn(line -> line.contains("[hodor]") && line.contains("thrown by the pool"))
          .hasSize(1);
    }
  }

  @Test
  void requestsWithoutAKnownPool() {
    try (TargetJvm jvm = guest("no-pool");
        Jmx jmx = Jmx.of(jvm)) {
      SheddingTest.eventually(() -> assertThat(jmx.errors().getSourceFailures()).isEqualTo(1));
      assertThat(jmx.detector("queue").isStale()).isTrue();
      assertThat(jmx.detector("heartbeat").isStale()).isFalse();
      assertServed(jvm, jmx);
      assertThat(jvm.lines()).filteredOn(line -> line.contains("[hodor]")).hasSize(1);
    }
  }

  @Test
  void aProcessOutOfFileDescriptors() {
    // Few, so that using them up is quick; the JVM would raise the limit by itself.
    try (TargetJvm jvm =
            TargetJvm.with(JavaRuntime.own())
                .fileLimit(256)
                .options("-XX:-MaxFDLimit")
                .agent("")
                .run(OutOfDescriptors.class);
        Jmx jmx = Jmx.of(jvm)) {
      SheddingTest.eventually(
          () -> {
            assertThat(jmx.detector("heartbeat").isStale()).isFalse();
            assertThat(jmx.detector("cpu").isStale()).as("works again").isFalse();
          });
      assertThat(jmx.errors().getSourceFailures()).isPositive();
      assertThat(jmx.errors().getLastError()).isNotEmpty();
      assertThat(jmx.errors().getFailOpen()).isZero();
      assertThat(jvm.lines())
          .as("said, and not again and again")
          .filteredOn(line -> line.contains("[hodor]"))
          .extracting(line -> line.substring(line.indexOf("[hodor]")))
          .isNotEmpty()
          .doesNotHaveDuplicates();
      jvm.endInput();
      assertThat(jvm.awaitExit()).as(jvm.output()).isZero();
    }
  }

  /** Small images have no management: there is no JMX then, which may be said, and once. */
  @ParameterizedTest(name = "Java {0}")
  @FieldSource("VERSIONS")
  void aJavaWithoutManagement(int version) {
    try (TargetJvm jvm =
        TargetJvm.with(JavaRuntime.require(version))
            .options("--limit-modules", "java.base")
            .agent("mode=enforce")
            .run(Ends.class, "waits")) {
      jvm.awaitReady();
      LoadingTest.awaitThreads(jvm);
      jvm.endInput();
      assertThat(jvm.awaitExit()).as(jvm.output()).isZero();
      assertThat(jvm.lines()).filteredOn(line -> line.contains("[hodor]")).hasSizeLessThan(2);
    }
  }

  private static void assertServed(TargetJvm jvm, Jmx jmx) {
    long before = jmx.admission().getReleased();
    SheddingTest.eventually(
        () -> assertThat(jmx.admission().getReleased()).isGreaterThan(before + 100));
    assertThat(jvm.lines()).noneMatch(line -> line.startsWith("rejected"));
  }

  private static TargetJvm guest(String trouble) {
    return TargetJvm.with(JavaRuntime.own())
        .classPath(TargetJvm.CLASSES + File.pathSeparator + CopiesTest.core())
        .agent("mode=enforce")
        .run(Guest.class, trouble);
  }
}
