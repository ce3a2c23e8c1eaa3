package io.hodor.jvm;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The demo application in a JVM of its own. */
final class JettyApp implements AutoCloseable {
  private static final String MAIN = "io.hodor.examples.registered.Main";
  private static final String LISTENING = "LISTENING ";

  private final TargetJvm jvm;
  private final int port;

  private JettyApp(TargetJvm jvm) {
    this.jvm = jvm;
    String line = jvm.awaitLine(LISTENING);
    this.port = Integer.parseInt(line.substring(line.indexOf(LISTENING) + LISTENING.length()));
  }

  /**
   * With a trifle of CPU work in a request.
   *
   * @param gate what the application registers: {@code handler}, {@code filter}, {@code both} or
   *     {@code none}
   */
  static JettyApp start(TargetJvm.Builder java, String gate, String... flags) {
    return run(java, gate, flags, "--rounds", "20000");
  }

  /** The agent's options, with which nothing but the gate of this name decides. */
  static String agentOptions(String gate, String options) {
    if (!gate.equals("filter")) {
      return options;
    }
    return options.isEmpty() ? "attach=off" : options + ",attach=off";
  }

  /** With as much CPU work as the flags say, measured by the application when it starts. */
  static JettyApp startCalibrated(TargetJvm.Builder java, String gate, String... flags) {
    return run(java, gate, flags);
  }

  private static JettyApp run(
      TargetJvm.Builder java, String gate, String[] flags, String... moreFlags) {
    List<String> all = new ArrayList<>(List.of("--gate", gate, "--port", "0"));
    all.addAll(List.of(flags));
    all.addAll(List.of(moreFlags));
    return new JettyApp(java.classPath(classPath()).run(MAIN, all.toArray(String[]::new)));
  }

  TargetJvm jvm() {
    return jvm;
  }

  int port() {
    return port;
  }

  HttpConnection connect() {
    return new HttpConnection(port);
  }

  /** One request on a connection of its own. */
  HttpConnection.Response get(String path) {
    try (HttpConnection connection = connect()) {
      return connection.get(path);
    }
  }

  @Override
  public void close() {
    jvm.close();
  }

  /** The tests' own class path without the tests. */
  private static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !Path.of(entry).endsWith(Path.of("target", "test-classes")))
        .filter(entry -> !entry.isEmpty())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
