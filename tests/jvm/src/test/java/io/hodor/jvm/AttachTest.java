package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import programs.AnyJetty;
import programs.RetransformingAgent;

/** Servers of unmodified applications: one flag on the command line, or the agent comes late. */
@ExtendWith(AttachMatrix.class)
class AttachTest {
  private static final String NEWEST = "12.1.14";
  private static final String REHEARSAL = "hodor-rehearsal";
  private static final int REQUESTS = 20;

  @TempDir Path folder;

  /** One release of each generation, on an old and a new Java. */
  static Stream<Arguments> releases() {
    return Stream.of(
        Arguments.of(NEWEST, 17),
        Arguments.of(NEWEST, 25),
        Arguments.of("12.0.39", 21),
        Arguments.of("12.0.1", 17),
        Arguments.of("11.0.25", 11),
        Arguments.of("10.0.26", 17),
        Arguments.of("9.4.57.v20241219", 11),
        Arguments.of("9.4.57.v20241219", 25));
  }

  /** One of each adapter. */
  static Stream<Arguments> adapters() {
    return Stream.of(
        Arguments.of(NEWEST, 25),
        Arguments.of("11.0.25", 17),
        Arguments.of("9.4.57.v20241219", 11));
  }

  static Stream<Arguments> everyReleaseOnEveryJava() {
    return JettyReleases.all().stream()
        .flatMap(
            release ->
                JavaRuntime.VERSIONS.stream()
                    .filter(java -> java >= JettyReleases.leastJava(release))
                    .map(java -> Arguments.of(release, java)));
  }

  @ParameterizedTest(name = "Jetty {0} on Java {1}")
  @MethodSource("releases")
  void watchesAServerThatKnowsNothingOfIt(String release, int java) {
    try (TargetJvm jvm = start(java(java).agent(""), release)) {
      String line = jvm.awaitLine("watching Jetty " + release);
      assertThat(line).contains("pool qtp").endsWith("mode=monitor");
      counts(jvm, ports(jvm, "LISTENING "));
      endsWell(jvm);
    }
  }

  @Tag("slow")
  @ParameterizedTest(name = "Jetty {0} on Java {1}")
  @MethodSource("everyReleaseOnEveryJava")
  void everyRelease(String release, int java) {
    TargetJvm.Builder builder = java(java).agent("").options("-Xverify:all");
    try (TargetJvm jvm = start(builder, release)) {
      jvm.awaitLine("watching Jetty " + release);
      counts(jvm, ports(jvm, "LISTENING "));
      endsWell(jvm);
    }
  }

  @ParameterizedTest(name = "Jetty {0} on Java {1}")
  @MethodSource("adapters")
  void watchesAServerThatRunsAlready(String release, int java) {
    try (TargetJvm jvm = start(java(java), release)) {
      int port = ports(jvm, "LISTENING ").get(0);
      serves(List.of(port));
      LoadingTest.attach(jvm);
      jvm.awaitLine("watching Jetty " + release);
      counts(jvm, List.of(port));
      say(jvm, "another");
      jvm.awaitLine("ANOTHER ");
      counts(jvm, ports(jvm, "ANOTHER "));
      say(jvm, "restart");
      jvm.awaitLine("RESTARTED ");
      endsWell(jvm);
    }
  }

  @ParameterizedTest(name = "Jetty {0} on Java {1}")
  @MethodSource("adapters")
  void rejects(String release, int java) {
    String options = "mode=enforce,inject=cpu,strategy=percentage";
    try (TargetJvm jvm = start(java(java).agent(options), release)) {
      int port = ports(jvm, "LISTENING ").get(0);
      SheddingTest.eventually(
          () -> {
            HttpConnection.Response response = get(port);
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.header("X-Hodor-Reason")).isEqualTo("cpu");
            assertThat(response.header("Content-Length")).isEqualTo("0");
          });
      try (Jmx jmx = Jmx.of(jvm)) {
        jmx.hodor().setOption("inject", "none");
        SheddingTest.eventually(() -> assertThat(get(port).status()).isEqualTo(200));
      }
      endsWell(jvm);
    }
  }

  @Test
  void rehearsesRejectionsUnseen() {
    // It logs to where this test looks.
    try (TargetJvm jvm = start(java(11).agent(""), "9.4.57.v20241219");
        Jmx jmx = Jmx.of(jvm)) {
      serves(ports(jvm, "LISTENING "));
      assertThat(jmx.threadNames()).doesNotContain(REHEARSAL);
      jmx.mode("enforce");
      SheddingTest.eventually(() -> assertThat(jmx.threadNames()).contains(REHEARSAL));
      SheddingTest.eventually(
          () -> assertThat(jmx.threadNames()).noneMatch(name -> name.startsWith(REHEARSAL)));
      assertThat(jmx.admission().getAdmitted()).isOne();
      assertThat(jvm.output()).doesNotContain(REHEARSAL);
      assertThat(jmx.admission().getRejected()).isZero();
      assertThat(jmx.errors().getFailOpen()).as(jmx.errors().getLastError()).isZero();
      endsWell(jvm);
    }
  }

  @Test
  void watchesAServerAfterItsRestartOnce() {
    try (TargetJvm jvm = start(java(17).agent(""), NEWEST)) {
      counts(jvm, ports(jvm, "LISTENING "));
      say(jvm, "restart");
      jvm.awaitLine("RESTARTED ");
      counts(jvm, ports(jvm, "RESTARTED "));
      try (Jmx jmx = Jmx.of(jvm)) {
        assertThat(jmx.hodor().getAttached()).hasSize(1);
      }
      endsWell(jvm);
    }
  }

  @Test
  void watchesEveryServerOfEveryLoader() {
    String[] releases = {NEWEST, "11.0.25", "9.4.57.v20241219"};
    try (TargetJvm jvm = start(java(17).agent(""), releases)) {
      counts(jvm, ports(jvm, "LISTENING "));
      for (String release : releases) {
        jvm.awaitLine("watching Jetty " + release);
      }
      endsWell(jvm);
    }
  }

  @Tag("fails-open")
  @Test
  void staysAwayWhenItsOptionsAreWrong() {
    try (TargetJvm jvm = start(java(17).agent("mode=enforc"), NEWEST)) {
      serves(ports(jvm, "LISTENING "));
      assertThat(jvm.output()).doesNotContain("watching").doesNotContain("attached");
      endsWell(jvm);
    }
  }

  @Test
  void besideTheDebugger() {
    String debugger = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";
    try (TargetJvm first = start(java(17).options(debugger).agent(""), NEWEST)) {
      counts(first, ports(first, "LISTENING "));
      endsWell(first);
    }
    try (TargetJvm last = start(java(17).agent("").options(debugger), NEWEST)) {
      counts(last, ports(last, "LISTENING "));
      endsWell(last);
    }
  }

  @Tag("slow")
  @ParameterizedTest(name = "{0} on Java {1}")
  @MethodSource("io.hodor.jvm.LaunchTest#orders")
  void besideAnAgentThatRetransforms(String order, int java) throws IOException {
    TargetJvm.Builder builder = java(java);
    LaunchTest.addInOrder(builder, order, "-javaagent:" + otherAgent());
    try (TargetJvm jvm = start(builder, NEWEST)) {
      counts(jvm, ports(jvm, "LISTENING "));
      jvm.awaitLine("RETRANSFORMED");
      say(jvm, "another");
      jvm.awaitLine("ANOTHER ");
      counts(jvm, ports(jvm, "ANOTHER "));
      endsWell(jvm);
    }
  }

  private Path otherAgent() throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", RetransformingAgent.class.getName());
    attributes.putValue("Can-Retransform-Classes", "true");
    Path jar = folder.resolve("other-agent.jar");
    String entry = RetransformingAgent.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      out.putNextEntry(new ZipEntry(entry));
      Files.copy(Path.of(TargetJvm.CLASSES, entry), out);
    }
    return jar;
  }

  @Test
  void checkedByTheJvm() {
    try (TargetJvm jvm =
        start(java(17).agent("").options("-Xcheck:jni", "-Xverify:all"), "9.4.57.v20241219")) {
      counts(jvm, ports(jvm, "LISTENING "));
      endsWell(jvm);
      assertThat(jvm.lines()).noneMatch(line -> line.contains("WARNING"));
    }
  }

  private TargetJvm.Builder java(int version) {
    return TargetJvm.with(JavaRuntime.require(version));
  }

  private TargetJvm start(TargetJvm.Builder java, String... releases) {
    List<String> arguments = new ArrayList<>(List.of(folder.toString()));
    for (String release : releases) {
      arguments.add(JettyReleases.require(release).toString());
    }
    try {
      Files.writeString(folder.resolve("hello.txt"), "hello");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    TargetJvm jvm = java.run(AnyJetty.class, arguments.toArray(String[]::new)).awaitReady();
    SheddingTest.eventually(
        () -> assertThat(ports(jvm, "LISTENING ")).as(jvm.output()).hasSize(releases.length));
    return jvm;
  }

  private static List<Integer> ports(TargetJvm jvm, String start) {
    return jvm.lines().stream()
        .filter(line -> line.startsWith(start))
        .map(line -> Integer.parseInt(line.substring(start.length())))
        .toList();
  }

  private static HttpConnection.Response get(int port) {
    try (HttpConnection connection = new HttpConnection(port)) {
      return connection.get("/hello.txt");
    }
  }

  private static void serves(List<Integer> ports) {
    for (int port : ports) {
      HttpConnection.Response response = get(port);
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.text()).isEqualTo("hello");
    }
  }

  /** Every request is counted once, and released. */
  private static void counts(TargetJvm jvm, List<Integer> ports) {
    assertThat(ports).isNotEmpty();
    try (Jmx jmx = Jmx.of(jvm)) {
      long before = jmx.admission().getAdmitted();
      for (int i = 0; i < REQUESTS; ++i) {
        serves(ports);
      }
      long expected = before + (long) REQUESTS * ports.size();
      SheddingTest.eventually(
          () -> {
            assertThat(jmx.admission().getAdmitted()).isEqualTo(expected);
            assertThat(jmx.admission().getReleased()).isEqualTo(expected);
          });
      assertThat(jmx.errors().getFailOpen()).as(jmx.errors().getLastError()).isZero();
    }
  }

  private static void say(TargetJvm jvm, String... lines) {
    jvm.type(String.join("\n", Arrays.asList(lines)) + "\n");
  }

  private static void endsWell(TargetJvm jvm) {
    jvm.endInput();
    assertThat(jvm.awaitExit()).as(jvm.output()).isZero();
    assertThat(jvm.output()).contains("stopped");
  }
}
