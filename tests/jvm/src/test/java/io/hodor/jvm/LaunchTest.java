package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Unusual ways of starting a JVM with Jetty, of changing it later, and of coming late. */
@ExtendWith(AttachMatrix.class)
class LaunchTest {
  private static final String ENFORCED = "mode=enforce,inject=cpu,strategy=percentage";
  private static final int REQUESTS = 20;

  @TempDir Path folder;
  private KeyStoreFile keys;

  static Stream<Arguments> everySite() {
    return Stream.of(
        Arguments.of("ee11", 25),
        Arguments.of("ee10", 21),
        Arguments.of("ee9", 17),
        Arguments.of("jetty-12.0", 17),
        Arguments.of("jetty-11", 17),
        Arguments.of("jetty-10", 11),
        Arguments.of("jetty-9.4", 11));
  }

  @BeforeEach
  void makeKeys() {
    keys = KeyStoreFile.in(folder);
  }

  @ParameterizedTest(name = "{0} on Java {1}")
  @MethodSource
  void contextDeployedLater(String site, int java) {
    deployLater(site, java);
  }

  static Stream<Arguments> contextDeployedLater() {
    return Stream.of(Arguments.of("ee8", 17));
  }

  @Tag("slow")
  @ParameterizedTest(name = "{0} on Java {1}")
  @MethodSource("everySite")
  void contextDeployedLaterElsewhere(String site, int java) {
    deployLater(site, java);
  }

  private void deployLater(String site, int java) {
    TargetJvm.Builder builder = java(java).agent("mode=enforce");
    try (JettySite open = JettySite.launch(site, builder, keys, "platform", "open")) {
      open.awaitStarted();
      assertThat(open.get("/late/hello").status()).isEqualTo(404);
      open.tell("deploy", "DEPLOYED");
      counts(open, "/late/hello");
      open.endWell();
    }
  }

  @Tag("slow")
  @ParameterizedTest(name = "{0} on Java {1}")
  @MethodSource("everySite")
  void restarted(String site, int java) {
    try (JettySite started = JettySite.start(site, java(java).agent(""), keys)) {
      started.tell("restart", "RESTARTED");
      counts(started, "/hello");
      started.endWell();
    }
  }

  @Tag("slow")
  @ParameterizedTest(name = "{0} on Java {1}")
  @MethodSource("everySite")
  void lateWithOptions(String site, int java) {
    try (JettySite running = JettySite.start(site, java(java), keys)) {
      assertThat(running.get("/hello").text()).isEqualTo("hello");
      // jcmd would cut the options at the equals sign.
      LoadingTest.attach(running.jvm(), '"' + ENFORCED + '"');
      running.jvm().awaitLine("mode=enforce");
      rejects(running);
      running.endWell();
    }
  }

  @Tag("slow")
  @ParameterizedTest(name = "{0} on Java {1}")
  @MethodSource("everySite")
  void lateWhileItStarts(String site, int java) {
    try (JettySite starting = JettySite.launch(site, java(java), keys, "platform", "slow")) {
      starting.jvm().awaitLine("STARTING");
      LoadingTest.attach(starting.jvm());
      starting.tell("", "watching Jetty ");
      starting.awaitStarted();
      counts(starting, "/hello");
      starting.endWell();
    }
  }

  @Tag("slow")
  @ParameterizedTest(name = "on Java {0}")
  @ValueSource(ints = {17, 21, 25})
  void namedModules(int java) {
    TargetJvm.Builder builder = java(java).agent("");
    try (JettySite site = JettySite.startOnModulePath("ee10", builder, keys)) {
      site.jvm().awaitLine("MODULE module org.eclipse.jetty.server");
      counts(site, "/hello");
      site.endWell();
    }
  }

  @Tag("slow")
  @ParameterizedTest(name = "on Java {0}")
  @ValueSource(ints = 17)
  void appCds(int java) {
    Path archive = folder.resolve("site.jsa");
    startAndEnd(java(java).options("-XX:ArchiveClassesAtExit=" + archive));
    keepsTheArchive(java, "-XX:SharedArchiveFile=" + archive, "-Xshare:on");
  }

  @Tag("slow")
  @ParameterizedTest(name = "on Java {0}")
  @ValueSource(ints = 25)
  void aotCache(int java) {
    Path cache = folder.resolve("site.aot");
    startAndEnd(java(java).options("-XX:AOTCacheOutput=" + cache));
    // With `on` the JVM ends when it cannot use the cache.
    keepsTheArchive(java, "-XX:AOTCache=" + cache, "-XX:AOTMode=on");
  }

  /** An archive made without the agent serves all but the few classes that the agent touches. */
  private void keepsTheArchive(int java, String... options) {
    ClassArchives archive = new ClassArchives(folder);
    startAndEnd(archive.logged(java(java).options(options)));
    long without = archive.shared();
    TargetJvm.Builder builder = archive.logged(java(java).options(options).agent(""));
    try (JettySite site = JettySite.start("ee10", builder, keys)) {
      site.jvm().awaitLine("watching Jetty ");
      counts(site, "/hello");
      site.endWell();
    }
    assertThat(archive.shared()).isGreaterThan(without * 95 / 100);
  }

  private void startAndEnd(TargetJvm.Builder java) {
    try (JettySite site = JettySite.start("ee10", java, keys)) {
      site.get("/hello");
      site.endWell();
    }
  }

  @Tag("slow")
  @ParameterizedTest(name = "{0} on Java {1}")
  @MethodSource("orders")
  void besideOpenTelemetry(String order, int java) {
    Path agent = Path.of("target", "agents", "opentelemetry-javaagent.jar").toAbsolutePath();
    assumeTrue(Files.isRegularFile(agent), "OpenTelemetry's agent was not fetched: no " + agent);
    TargetJvm.Builder builder =
        java(java)
            .options("-Dotel.traces.exporter=console", "-Dotel.metrics.exporter=none")
            .options("-Dotel.logs.exporter=none");
    addInOrder(builder, order, "-javaagent:" + agent);
    try (JettySite site = JettySite.start("ee10", builder, keys)) {
      counts(site, "/hello");
      SheddingTest.eventually(
          () ->
              assertThat(site.jvm().lines())
                  .as("spans of the requests")
                  .filteredOn(line -> line.contains("GET /hello"))
                  .hasSizeGreaterThanOrEqualTo(REQUESTS));
      site.endWell();
    }
  }

  static Stream<Arguments> orders() {
    return Stream.of("after it", "before it")
        .flatMap(order -> Stream.of(17, 25).map(java -> Arguments.of(order, java)));
  }

  static void addInOrder(TargetJvm.Builder java, String order, String other) {
    if (order.equals("after it")) {
      java.options(other).agent("");
    } else {
      java.agent("").options(other);
    }
  }

  private static TargetJvm.Builder java(int version) {
    return TargetJvm.with(JavaRuntime.require(version));
  }

  /** Every request is answered, counted once and released. */
  private static void counts(JettySite site, String path) {
    try (Jmx jmx = Jmx.of(site.jvm())) {
      SheddingTest.eventually(() -> assertThat(jmx.hodor().getAttached()).hasSize(1));
      long before = jmx.admission().getAdmitted();
      for (int i = 0; i < REQUESTS; ++i) {
        assertThat(site.get(path).text()).isEqualTo("hello");
      }
      SheddingTest.eventually(
          () -> assertThat(jmx.admission().getAdmitted() - before).isEqualTo(REQUESTS));
      SheddingTest.allReleased(jmx);
    }
  }

  private static void rejects(JettySite site) {
    SheddingTest.eventually(() -> assertThat(site.get("/hello").status()).isEqualTo(503));
    try (Jmx jmx = Jmx.of(site.jvm())) {
      jmx.hodor().setOption("inject", "none");
      SheddingTest.eventually(() -> assertThat(jmx.hodor().isOverloaded()).isFalse());
      assertThat(site.get("/hello").text()).isEqualTo("hello");
      SheddingTest.allReleased(jmx);
    }
  }
}
