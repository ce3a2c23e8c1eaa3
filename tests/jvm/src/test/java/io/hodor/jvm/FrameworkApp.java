package io.hodor.jvm;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** An application in `examples/` in a JVM of its own. */
final class FrameworkApp implements AutoCloseable {
  private static final String ADMIN = "admin:";

  private final TargetJvm jvm;
  private final int port;
  private final int adminPort;
  private final Path data;

  private FrameworkApp(TargetJvm jvm, int port, int adminPort, Path data) {
    this.jvm = jvm;
    this.port = port;
    this.adminPort = adminPort;
    this.data = data;
  }

  /**
   * Skips the test if the example is not built.
   *
   * @param moreArguments for the application
   */
  static FrameworkApp start(Framework framework, TargetJvm.Builder java, String... moreArguments) {
    Path jar = framework.jar();
    assumeTrue(Files.isRegularFile(jar), framework + ": " + jar + " is not built");
    int port = freePort();
    int adminPort = freePort();
    Path data = newFolder();
    List<String> command = new ArrayList<>(framework.java(port, adminPort, data));
    command.addAll(List.of(moreArguments));
    TargetJvm jvm = java.readyWhen(framework.ready()).java(command);
    FrameworkApp app = new FrameworkApp(jvm, port, adminPort, data);
    try {
      jvm.awaitReady();
    } catch (RuntimeException | AssertionError e) {
      app.close();
      throw e;
    }
    return app;
  }

  TargetJvm jvm() {
    return jvm;
  }

  int port() {
    return port;
  }

  /** The answer to a path, on the admin port if it begins with that word. */
  HttpConnection.Response get(String path) {
    boolean admin = path.startsWith(ADMIN);
    try (HttpConnection connection = new HttpConnection(admin ? adminPort : port)) {
      return connection.get(admin ? path.substring(ADMIN.length()) : path);
    }
  }

  @Override
  public void close() {
    jvm.close();
    try (Stream<Path> files = Files.walk(data)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path newFolder() {
    try {
      return Files.createTempDirectory("hodor-example");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
