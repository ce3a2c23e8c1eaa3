package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import programs.Ends;

/** {@code -Xcheck:jni} finds nothing in what the agent does at any time of its life. */
class CheckJniTest {
  private static final int CLIENTS = 60;

  @ParameterizedTest(name = "Java {0}")
  @ValueSource(ints = {17, 25})
  void findsNothing(int version) {
    TargetJvm.Builder java =
        TargetJvm.with(JavaRuntime.require(version))
            .options("-Xcheck:jni")
            .agent("mode=enforce,inject=cpu");
    try (JettyApp app = JettyApp.start(java, "both");
        Jmx jmx = Jmx.of(app.jvm())) {
      List<String> notifications = jmx.listen();
      try (Crowd crowd = Crowd.start(app, "/downstream", CLIENTS, 20)) {
        SheddingTest.eventually(() -> assertThat(crowd.count(503)).isPositive());
        jmx.mode("off");
        jmx.mode("monitor");
        jmx.hodor().setOption("strategy", "percentage");
        jmx.mode("enforce");
        jmx.mode("monitor");
        jmx.hodor().resetCounters();
      }
      assertThat(app.get("/fault/exception").status()).isEqualTo(500);
      SheddingTest.eventually(() -> assertThat(notifications).hasSizeGreaterThanOrEqualTo(3));
      app.jvm().terminate();
      app.jvm().awaitExit();
      assertNothingOfOurs(app.jvm());
    }
  }

  @Test
  void findsNothingInALateAgent() {
    try (TargetJvm jvm =
        TargetJvm.with(JavaRuntime.own()).options("-Xcheck:jni").run(Ends.class, "waits")) {
      jvm.awaitReady();
      LoadingTest.attach(jvm);
      try (Jmx jmx = Jmx.of(jvm)) {
        jmx.mode("enforce");
      }
      jvm.endInput();
      assertThat(jvm.awaitExit()).as(jvm.output()).isZero();
      assertNothingOfOurs(jvm);
    }
  }

  /** The JVM's own libraries have findings of their own; each names the method it was in. */
  private static void assertNothingOfOurs(TargetJvm jvm) {
    assertThat(jvm.lines())
        .noneMatch(line -> line.matches(".*(FATAL ERROR in native|hs_err_pid).*"))
        .filteredOn(line -> !line.contains("[hodor]"))
        .noneMatch(line -> line.matches(".*(io\\.hodor\\.|libhodor|hodor-tick|hodor-beat).*"));
  }
}
