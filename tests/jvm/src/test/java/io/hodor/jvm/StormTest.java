package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.hodor.jmx.AdmissionMXBean;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Storms of new connections, and the filter in the kernel that lets some of them pass. */
@Isolated
class StormTest {
  private static final String STRANGER = "127.0.0.2";
  private static final String[] HEAVY = {"--work-ms", "2"};

  @Test
  void newConnectionsAreLimitedAsLongAsItLasts() throws IOException {
    try (JettyApp app = start("mode=enforce");
        Jmx jmx = Jmx.of(app.jvm())) {
      AdmissionMXBean admission = jmx.admission();
      try (Storm storm = Storm.start(STRANGER, app, "/cpu")) {
        dropsSome(app, storm, admission);
        SheddingTest.eventually(() -> assertThat(admission.getAbandoned()).isPositive());
      }
      SheddingTest.eventually(() -> assertThat(jmx.hodor().isOverloaded()).isFalse());
      SheddingTest.eventually(() -> assertThat(admission.getConnectionsPassing()).isEqualTo(1));
      long dropped = admission.getConnectionsDropped();
      for (int i = 0; i < 100; i++) {
        assertThat(app.get("/hello").status()).isEqualTo(200);
      }
      assertThat(admission.getConnectionsDropped()).isEqualTo(dropped);
      assertThat(admission.getConnectionsAccepted()).isGreaterThan(100);
      SheddingTest.eventually(
          () -> assertThat(app.jvm().output()).contains("new connections pass again"));
      SheddingTest.allReleased(jmx);
    }
  }

  @Test
  void monitorAndTheKillSwitchOpenAtOnce() throws IOException {
    try (JettyApp app = start("mode=enforce");
        Jmx jmx = Jmx.of(app.jvm())) {
      AdmissionMXBean admission = jmx.admission();
      try (Storm storm = Storm.start(STRANGER, app, "/cpu")) {
        dropsSome(app, storm, admission);
        jmx.mode("monitor");
        moreAreAccepted(admission);
        long dropped = admission.getConnectionsDropped();
        moreAreAccepted(admission);
        assertThat(admission.getConnectionsDropped()).isEqualTo(dropped);
        jmx.mode("enforce");
        SheddingTest.eventually(() -> assertThat(admission.getConnectionsPassing()).isLessThan(1));
        jmx.mode("off");
        SheddingTest.eventually(() -> assertThat(admission.getConnectionsPassing()).isEqualTo(1));
      }
    }
  }

  @Test
  void monitorOnlyCounts() throws IOException {
    try (JettyApp app = start("mode=monitor");
        Jmx jmx = Jmx.of(app.jvm());
        Storm storm = Storm.start(STRANGER, app, "/cpu")) {
      AdmissionMXBean admission = jmx.admission();
      SheddingTest.eventually(
          () -> assertThat(admission.getConnectionsWouldDrop()).isBetween(1L, storm.attempts()));
      assertThat(app.jvm().output()).contains("new connections would be limited");
      assertThat(admission.getConnectionsDropped()).isZero();
      assertThat(admission.getAbandoned()).isZero();
    }
  }

  @Test
  void exemptAddressesAndTheSwitchAreRespected() throws IOException {
    try (JettyApp app = start("mode=enforce");
        Jmx jmx = Jmx.of(app.jvm());
        Storm storm = Storm.start("127.0.0.1", app, "/cpu")) {
      AdmissionMXBean admission = jmx.admission();
      SheddingTest.eventually(() -> assertThat(admission.getConnectionsPassing()).isLessThan(1));
      assertThat(admission.getConnectionsDropped()).isZero();
      jmx.hodor().setOption("connections.exempt", "none");
      dropsSome(app, storm, admission);
      jmx.hodor().setOption("connections", "off");
      SheddingTest.eventually(() -> assertThat(admission.getConnectionsPassing()).isEqualTo(1));
    }
  }

  /** Where the kernel allows it; where not, that is said, and nothing else happens. */
  private static void dropsSome(JettyApp app, Storm storm, AdmissionMXBean admission) {
    SheddingTest.eventually(
        () -> assertThat(app.jvm().output()).contains("new connections are limited to about"));
    SheddingTest.eventually(
        () -> {
          if (!app.jvm().output().contains("new connections are not limited:")) {
            assertThat(admission.getConnectionsDropped()).isBetween(1L, storm.attempts());
          }
        });
    assumeFalse(
        app.jvm().output().contains("new connections are not limited:"),
        "the kernel lets nobody filter its connections here");
  }

  private static void moreAreAccepted(AdmissionMXBean admission) {
    long before = admission.getConnectionsAccepted();
    SheddingTest.eventually(
        () -> assertThat(admission.getConnectionsAccepted()).isGreaterThan(before + 1_000));
  }

  private static JettyApp start(String options) {
    return JettyApp.startCalibrated(
        TargetJvm.with(JavaRuntime.own()).agent(options).pinnedToCpu(0), "none", HEAVY);
  }
}
