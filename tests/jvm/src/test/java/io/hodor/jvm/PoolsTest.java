package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.hodor.jmx.DetectorMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the detectors see of the pools of threads that serve requests. */
@Isolated
class PoolsTest {
  /** Of Jetty 12.1, which every run builds. */
  private static final String SITE = "ee8";

  /** Longer than any test. */
  private static final String FOREVER = "/asleep?1000000";

  /** More than a small pool has threads. */
  private static final int STUCK = 20;

  @TempDir Path folder;

  /** All threads are stuck for good: no request starts, none is answered. */
  @ParameterizedTest(name = "mode={0}")
  @CsvSource({"monitor", "enforce"})
  void aPoolThatHangs(String mode) {
    hangs(SITE, JavaRuntime.own(), mode);
  }

  @Tag("slow")
  @ParameterizedTest(name = "{0} on Java {1}, mode={2}")
  @CsvSource({
    "jetty-9.4, 11, monitor",
    "jetty-10, 17, monitor",
    "jetty-11, 21, enforce",
    "jetty-12.0, 17, enforce",
    "ee11, 25, enforce"
  })
  void aPoolThatHangsOnOtherJettys(String site, int java, String mode) {
    hangs(site, JavaRuntime.require(java), mode);
  }

  private void hangs(String site, JavaRuntime runtime, String mode) {
    List<HttpConnection> stuck = new ArrayList<>();
    try (JettySite server = start(site, runtime, "mode=" + mode, "small");
        Jmx jmx = Jmx.of(server.jvm())) {
      DetectorMXBean queue = jmx.detector("queue");
      SheddingTest.eventually(() -> assertThat(queue.isStale()).isFalse());
      assertThat(queue.getFirings()).isZero();
      occupy(server.plainPort(), STUCK, stuck);
      SheddingTest.eventually(() -> assertThat(queue.isFiring()).isTrue());
      assertThat(queue.getExplanation()).contains("pool qtp", " of Jetty ");
      SheddingTest.eventually(() -> assertThat(jmx.hodor().isOverloaded()).isTrue());
      assertThat(jmx.hodor().getCause()).isEqualTo("queue");
    } finally {
      stuck.forEach(HttpConnection::close);
    }
  }

  @Test
  void theOneOfTwoServersThatHangsIsNamed() {
    List<HttpConnection> stuck = new ArrayList<>();
    try (JettySite site = start(SITE, JavaRuntime.own(), "", "small");
        Jmx jmx = Jmx.of(site.jvm())) {
      site.tell("another", "ANOTHER ");
      int port = portOf(site, "ANOTHER ");
      SheddingTest.eventually(() -> assertThat(poolsOf(site)).hasSize(2));
      occupy(port, STUCK, stuck);
      DetectorMXBean queue = jmx.detector("queue");
      SheddingTest.eventually(() -> assertThat(queue.isFiring()).isTrue());
      assertThat(queue.getExplanation())
          .contains("pool " + poolsOf(site).get(1) + " of Jetty ")
          .doesNotContain(poolsOf(site).get(0));
      assertThat(site.get("/hello").text()).as("the other one works").isEqualTo("hello");
    } finally {
      stuck.forEach(HttpConnection::close);
    }
  }

  /** More work than the carriers have CPU for: requests pile up in front of the threads. */
  @Test
  void virtualThreadsThatUseTheCpu() {
    busyVirtualThreads(SITE, 25, "virtual");
  }

  @Tag("slow")
  @ParameterizedTest(name = "{0}: {2} threads on Java {1}")
  @CsvSource({
    "ee8, 21, virtual",
    "ee8, 21, mixed",
    "ee8, 25, mixed",
    "ee8, 21, unlimited",
    "ee8, 25, unlimited",
    "jetty-12.0, 21, mixed",
    "jetty-11, 21, mixed",
    "jetty-10, 25, mixed"
  })
  void virtualThreadsThatUseTheCpuOnOtherJettys(String site, int java, String pool) {
    busyVirtualThreads(site, java, pool);
  }

  private void busyVirtualThreads(String site, int java, String pool) {
    TargetJvm.Builder options = TargetJvm.with(JavaRuntime.require(java)).agent("").pinnedToCpu(0);
    try (JettySite server = start(site, options, pool);
        Jmx jmx = Jmx.of(server.jvm());
        Crowd crowd = Crowd.start(server::connect, "/busy?20", 60, 100)) {
      SheddingTest.eventually(() -> assertThat(jmx.hodor().isOverloaded()).isTrue());
      assertThat(jmx.hodor().getCause()).containsPattern("queue|cpu");
      assertThat(crowd.broken()).isZero();
    }
  }

  /**
   * Their scheduler is not fair: a task of ours would wait for most of a second here, and each of
   * the requests waits for some milliseconds.
   */
  @ParameterizedTest(name = "Java {0}")
  @ValueSource(ints = {21, 25})
  void aFewVirtualThreadsThatUseAllOfTheCpu(int java) {
    TargetJvm.Builder options = TargetJvm.with(JavaRuntime.require(java)).agent("").pinnedToCpu(0);
    try (JettySite server = start(SITE, options, "virtual");
        Jmx jmx = Jmx.of(server.jvm());
        Crowd crowd = Crowd.start(server::connect, "/busy?2", 4, 0)) {
      SheddingTest.eventually(() -> assertThat(crowd.count(200)).isGreaterThan(2000));
      assertThat(crowd.broken()).isZero();
      assertThat(jmx.detector("queue").getFirings())
          .as(jmx.detector("queue").getExplanation())
          .isZero();
      assertThat(jmx.hodor().isOverloaded()).isFalse();
      assertThat(server.jvm().output()).doesNotContain("no pool is known");
    }
  }

  /** Ten thousand that wait for something else need no CPU and keep nobody waiting. */
  @Test
  void virtualThreadsThatAreParked() {
    parkedVirtualThreads(25);
  }

  @Tag("slow")
  @Test
  void virtualThreadsThatAreParkedOnOlderJava() {
    parkedVirtualThreads(21);
  }

  private void parkedVirtualThreads(int java) {
    TargetJvm.Builder options = TargetJvm.with(JavaRuntime.require(java)).agent("");
    try (JettySite site = start(SITE, options, "unlimited");
        Jmx jmx = Jmx.of(site.jvm())) {
      site.tell("park", "PARKED");
      try (Crowd crowd = Crowd.start(site::connect, "/asleep?200", 50, 50)) {
        SheddingTest.eventually(() -> assertThat(crowd.count(200)).isGreaterThan(2000));
        // Not that they never fire: the machine may be short of CPUs for other reasons.
        SheddingTest.eventually(
            () -> {
              assertThat(jmx.detector("queue").isFiring()).isFalse();
              assertThat(jmx.detector("cpu").isFiring()).isFalse();
              assertThat(jmx.detector("cpu").getValue()).isLessThan(4);
            });
        assertThat(crowd.broken()).isZero();
      }
    }
  }

  private JettySite start(String site, JavaRuntime runtime, String options, String pool) {
    return start(site, TargetJvm.with(runtime).agent(options), pool);
  }

  private JettySite start(String site, TargetJvm.Builder java, String pool) {
    return JettySite.launch(site, java, KeyStoreFile.in(folder), pool, "fixed").awaitStarted();
  }

  /** So many requests, each on a connection of its own, that are never answered. */
  private static void occupy(int port, int requests, List<HttpConnection> connections) {
    for (int i = 0; i < requests; ++i) {
      HttpConnection connection = new HttpConnection(port);
      connections.add(connection);
      connection.send(FOREVER);
    }
  }

  private static int portOf(JettySite site, String name) {
    String line = site.jvm().awaitLine(name);
    return Integer.parseInt(line.substring(line.indexOf(name) + name.length()));
  }

  /** The names of the pools, in the order in which their servers started. */
  private static List<String> poolsOf(JettySite site) {
    return site.jvm().lines().stream()
        .filter(line -> line.contains(", pool "))
        .map(line -> line.replaceAll(".*, pool ([^,]*),.*", "$1"))
        .toList();
  }
}
