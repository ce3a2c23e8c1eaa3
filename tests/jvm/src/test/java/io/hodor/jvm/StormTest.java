package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hodor.jmx.AdmissionMXBean;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Storms of new connections, of which some pass: by the kernel, or by a reset once accepted. */
@Isolated
class StormTest {
  @TempDir static Path folder;

  private static final String STRANGER = "127.0.0.2";
  private static final String OTHER = "127.0.0.9";
  private static final long SECOND = 1_000_000_000L;
  private static final String[] HEAVY = {"--work-ms", "2"};

  @Test
  void newConnectionsAreLimitedAsLongAsItLasts() throws IOException {
    try (JettyApp app = start("mode=enforce");
        Jmx jmx = Jmx.of(app.jvm())) {
      AdmissionMXBean admission = jmx.admission();
      try (Storm storm = Storm.start(STRANGER, app.port(), "/cpu")) {
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
      try (Storm storm = Storm.start(STRANGER, app.port(), "/cpu")) {
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
        Storm storm = Storm.start(STRANGER, app.port(), "/cpu")) {
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
        Storm storm = Storm.start("127.0.0.1", app.port(), "/cpu")) {
      AdmissionMXBean admission = jmx.admission();
      SheddingTest.eventually(() -> assertThat(admission.getConnectionsPassing()).isLessThan(1));
      assertThat(admission.getConnectionsDropped()).isZero();
      jmx.hodor().setOption("connections.exempt", "none");
      dropsSome(app, storm, admission);
      jmx.hodor().setOption("connections", "off");
      SheddingTest.eventually(() -> assertThat(admission.getConnectionsPassing()).isEqualTo(1));
    }
  }

  private static void dropsSome(JettyApp app, Storm storm, AdmissionMXBean admission) {
    SheddingTest.eventually(
        () -> assertThat(app.jvm().output()).contains("new connections are limited to about"));
    SheddingTest.eventually(
        () -> assertThat(admission.getConnectionsDropped()).isBetween(1L, storm.attempts()));
  }

  /** Clients of which most leave before they are answered, in a server that answers all. */
  @Test
  void aServerInTheBadStateComesBackWhenItMayReject() throws IOException {
    try (JettyApp app = start("mode=monitor");
        Jmx jmx = Jmx.of(app.jvm());
        Storm storm = Storm.start(STRANGER, app.port(), "/cpu")) {
      double bad = leastServedPerSecond(storm);
      jmx.mode("enforce");
      SheddingTest.eventually(
          () -> assertThat(servedPerSecond(storm)).isGreaterThan(Math.max(100, 3 * bad)));
    }
  }

  /** The worst of some seconds, as the first requests of a storm are still answered in time. */
  private static double leastServedPerSecond(Storm storm) {
    return IntStream.range(0, 5).mapToDouble(i -> servedPerSecond(storm)).min().orElseThrow();
  }

  private static double servedPerSecond(Storm storm) {
    long before = storm.served();
    long begin = System.nanoTime();
    LockSupport.parkNanos(SECOND);
    return (storm.served() - before) * (double) SECOND / (System.nanoTime() - begin);
  }

  @Test
  void manyClientsBelowCapacityAreNoStorm() throws IOException {
    List<HttpConnection> idle = new ArrayList<>();
    try (JettyApp app = start("mode=enforce");
        Jmx jmx = Jmx.of(app.jvm())) {
      AdmissionMXBean admission = jmx.admission();
      // Clients that keep their connections, and have come within a second or so.
      for (int i = 0; i < 5_000; i++) {
        HttpConnection connection = app.connect();
        idle.add(connection);
        if (i % 5 == 0) {
          assertThat(connection.get("/hello").status()).isEqualTo(200);
        }
      }
      // A load balancer that opens one for each request.
      for (int i = 0; i < 300; i++) {
        assertThat(app.get("/cpu").status()).isEqualTo(200);
      }
      assertThat(admission.getConnectionsAccepted()).isGreaterThan(5_000);
      assertThat(admission.getConnectionsDropped()).isZero();
      assertThat(admission.getConnectionsWouldDrop()).isZero();
      assertThat(admission.getRejected()).isZero();
      assertThat(app.jvm().output()).doesNotContain("new connections");
    } finally {
      idle.forEach(HttpConnection::close);
    }
  }

  static Stream<Arguments> sites() {
    return Stream.of(
        Arguments.of("ee10", 25, true),
        Arguments.of("jetty-9.4", 11, true),
        Arguments.of("ee10", 21, false),
        Arguments.of("ee8", 17, false),
        Arguments.of("jetty-9.4", 11, false));
  }

  /** Plain and TLS, but not the one for management. */
  @ParameterizedTest(name = "{0} on Java {1}, privileged: {2}")
  @MethodSource("sites")
  void everyListenerThatServesIsLimited(String name, int java, boolean privileged)
      throws IOException {
    TargetJvm.Builder builder =
        TargetJvm.with(JavaRuntime.require(java)).agent("mode=enforce,inject=cpu").pinnedToCpu(0);
    if (!privileged) {
      builder.withoutCapability("net_admin");
    }
    KeyStoreFile keys = KeyStoreFile.in(folder);
    try (JettySite site = JettySite.start(name, builder, keys);
        Jmx jmx = Jmx.of(site.jvm());
        Storm plain = Storm.start(STRANGER, site.plainPort(), "/hello");
        Storm tls = Storm.start("127.0.0.3", site.tlsPort(), "/hello")) {
      AdmissionMXBean admission = jmx.admission();
      SheddingTest.eventually(() -> assertThat(admission.getConnectionsPassing()).isLessThan(0.5));
      SheddingTest.eventually(
          () ->
              assertThat(admission.getConnectionsDropped())
                  .isBetween(1L, plain.attempts() + tls.attempts()));
      limitsAllButExemptAddresses(site.plainPort(), Optional.empty());
      limitsAllButExemptAddresses(site.tlsPort(), Optional.of(keys.trusting()));
      for (int i = 0; i < 10; i++) {
        assertThat(Storm.passes(OTHER, site.managementPort(), "/hello")).isTrue();
      }
      if (!privileged) {
        assumeTrue(
            site.jvm().output().contains("by resetting them when they are accepted"),
            "this kernel lets everybody filter connections, so they were not reset");
      }
      jmx.mode("monitor");
      SheddingTest.eventually(
          () -> assertThat(Storm.passes(OTHER, site.plainPort(), "/hello")).isTrue());
    }
  }

  private static void limitsAllButExemptAddresses(int port, Optional<SSLContext> tls) {
    SheddingTest.eventually(
        () -> assertThat(Storm.passes(OTHER, port, "/hello", tls)).as("port %d", port).isFalse());
    for (int i = 0; i < 10; i++) {
      assertThat(Storm.passes("127.0.0.1", port, "/hello", tls)).as("exempt").isTrue();
    }
  }

  /** An orchestrator restarts what does not answer three times in a row. */
  @ParameterizedTest(name = "privileged: {0}")
  @ValueSource(booleans = {true, false})
  void whoAskedForHealthBeforeIsHeard(boolean privileged) throws IOException {
    TargetJvm.Builder java = TargetJvm.with(JavaRuntime.own()).agent("mode=enforce").pinnedToCpu(0);
    if (!privileged) {
      java.withoutCapability("net_admin");
    }
    try (JettyApp app = JettyApp.startCalibrated(java, "none", HEAVY);
        Jmx jmx = Jmx.of(app.jvm())) {
      assertThat(Storm.passes(OTHER, app.port(), "/health")).isTrue();
      try (Storm storm = Storm.start(STRANGER, app.port(), "/cpu")) {
        dropsSome(app, storm, jmx.admission());
        int failures = 0;
        for (int i = 0; i < 40; i++) {
          failures = Storm.passes(OTHER, app.port(), "/health") ? 0 : failures + 1;
          assertThat(failures).as("in a row").isLessThan(3);
        }
      }
    }
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
