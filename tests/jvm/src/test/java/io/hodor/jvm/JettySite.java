package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The program of {@code jetty-site}, on one generation of Jetty and of servlets. */
final class JettySite implements AutoCloseable {
  private static final String MAIN = "programs.site.Main";

  private final TargetJvm jvm;

  private JettySite(TargetJvm jvm) {
    this.jvm = jvm;
  }

  /** Skips the test if the site is not built. */
  static JettySite start(String site, TargetJvm.Builder java, KeyStoreFile keys) {
    return launch(site, java, keys, "platform", "fixed").awaitStarted();
  }

  /**
   * Skips the test if the site is not built. Returns before it has started.
   *
   * @param pool which threads serve
   * @param kind {@code fixed}, {@code open} to contexts that come later, or {@code slow} to start
   */
  static JettySite launch(
      String site, TargetJvm.Builder java, KeyStoreFile keys, String pool, String kind) {
    return new JettySite(
        java.classPath(classPath(site)).run(MAIN, keys.path().toString(), pool, kind));
  }

  /** With Jetty in named modules. Skips the test if the site is not built. */
  static JettySite startOnModulePath(String site, TargetJvm.Builder java, KeyStoreFile keys) {
    Path folder = require(site);
    TargetJvm jvm =
        java.options("--module-path", folder.resolve("lib").toString())
            .options("--add-modules", "ALL-MODULE-PATH")
            .classPath(folder.resolve("site.jar").toString())
            .run(MAIN, keys.path().toString(), "platform", "fixed");
    return new JettySite(jvm).awaitStarted();
  }

  JettySite awaitStarted() {
    jvm.awaitReady();
    return this;
  }

  /** All jars by name, since archives of classes know no wildcards. */
  static String classPath(String site) {
    Path folder = require(site);
    try (Stream<Path> jars = Files.list(folder.resolve("lib"))) {
      return Stream.concat(Stream.of(folder.resolve("site.jar")), jars.sorted())
          .map(Path::toString)
          .collect(Collectors.joining(File.pathSeparator));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  TargetJvm jvm() {
    return jvm;
  }

  int plainPort() {
    return port("PLAIN ");
  }

  int tlsPort() {
    return port("TLS ");
  }

  int managementPort() {
    return port("MANAGEMENT ");
  }

  HttpConnection connect() {
    return new HttpConnection(plainPort());
  }

  /** One request on a connection of its own. */
  HttpConnection.Response get(String path) {
    try (HttpConnection connection = connect()) {
      return connection.get(path);
    }
  }

  /** Types a command and waits for the answer to it. */
  void tell(String command, String answer) {
    jvm.type(command + "\n");
    jvm.awaitLine(answer);
  }

  /** Stops it and waits for the end. */
  void endWell() {
    jvm.endInput();
    assertThat(jvm.awaitExit()).as(jvm.output()).isZero();
    assertThat(jvm.lines()).contains("stopped");
  }

  @Override
  public void close() {
    jvm.close();
  }

  private int port(String name) {
    String line = jvm.awaitLine(name);
    return Integer.parseInt(line.substring(line.indexOf(name) + name.length()));
  }

  private static Path require(String site) {
    Path folder = Path.of("jetty-site", "target", site).toAbsolutePath();
    assumeTrue(
        Files.isRegularFile(folder.resolve("site.jar")),
        "jetty-site is not built for " + site + ": no " + folder + "/site.jar");
    return folder;
  }
}
