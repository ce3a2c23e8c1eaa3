package io.hodor.jvm;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One of the applications in `examples/` that a framework starts, in a JVM of its own. */
final class FrameworkApp implements AutoCloseable {
  /** The frameworks; each application answers /hello, /work, /later and /broken. */
  enum Framework {
    SPRING_BOOT_4("spring-boot/target/4/shop.jar", "/actuator/health"),
    SPRING_BOOT_3("spring-boot/target/3/shop.jar", "/actuator/health"),
    DROPWIZARD("dropwizard/target/shop.jar", "/ping"),
    JAVALIN("javalin/target/shop.jar", "/health");

    private final String jar;

    /** What a liveness probe asks for. */
    final String probe;

    Framework(String jar, String probe) {
      this.jar = jar;
      this.probe = probe;
    }

    /** Where the probe is answered. */
    private int probePort(int port, int adminPort) {
      return this == JAVALIN ? port : adminPort;
    }

    private List<String> arguments(int port, int adminPort) {
      return switch (this) {
        case SPRING_BOOT_4, SPRING_BOOT_3 ->
            List.of(
                "--server.address=127.0.0.1",
                "--server.port=" + port,
                "--management.server.port=" + adminPort);
        case DROPWIZARD -> List.of("server", examples().resolve("dropwizard/shop.yml").toString());
        case JAVALIN -> List.of(Integer.toString(port));
      };
    }

    private List<String> options(int port, int adminPort) {
      return this == DROPWIZARD
          ? List.of(
              "-Ddw.server.applicationConnectors[0].port=" + port,
              "-Ddw.server.adminConnectors[0].port=" + adminPort)
          : List.of();
    }
  }

  private final TargetJvm jvm;
  private final int port;
  private final int probePort;

  private FrameworkApp(TargetJvm jvm, int port, int probePort) {
    this.jvm = jvm;
    this.port = port;
    this.probePort = probePort;
    await("listens: " + jvm.output())
        .atMost(TargetJvm.PATIENCE)
        .until(() -> !jvm.isAlive() || (isOpen(port) && isOpen(probePort)));
  }

  /** Skips the test if the example is not built. */
  static FrameworkApp start(Framework framework, TargetJvm.Builder java) {
    Path jar = examples().resolve(framework.jar);
    assumeTrue(Files.isRegularFile(jar), framework + ": " + jar + " is not built");
    int port = freePort();
    int adminPort = freePort();
    TargetJvm jvm =
        java.options(framework.options(port, adminPort).toArray(String[]::new))
            .runJar(jar, framework.arguments(port, adminPort).toArray(String[]::new));
    return new FrameworkApp(jvm, port, framework.probePort(port, adminPort));
  }

  TargetJvm jvm() {
    return jvm;
  }

  HttpConnection.Response get(String path) {
    try (HttpConnection connection = new HttpConnection(port)) {
      return connection.get(path);
    }
  }

  HttpConnection.Response probe(String path) {
    try (HttpConnection connection = new HttpConnection(probePort)) {
      return connection.get(path);
    }
  }

  @Override
  public void close() {
    jvm.close();
  }

  private static Path examples() {
    return Path.of("..", "..", "examples").toAbsolutePath().normalize();
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOpen(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
