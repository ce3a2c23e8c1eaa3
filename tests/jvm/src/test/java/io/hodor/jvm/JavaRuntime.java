package io.hodor.jvm;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A Java installation to start targets with. */
record JavaRuntime(String name, Path home) {
  static final List<Integer> VERSIONS = List.of(11, 17, 21, 25);
  static final List<String> COLLECTORS = List.of("Serial", "Parallel", "G1", "Z", "Shenandoah");

  private static final Map<String, Boolean> COLLECTOR_WORKS = new ConcurrentHashMap<>();

  /** The one that runs the tests: a full JDK. */
  static JavaRuntime own() {
    return new JavaRuntime(
        "own " + Runtime.version().feature(), Path.of(System.getProperty("java.home")));
  }

  /** Skips the test if there is no such version among the runtimes. */
  static JavaRuntime require(int version) {
    if (version == Runtime.version().feature()) {
      return own();
    }
    String runtimes = System.getProperty("hodor.runtimes", "");
    assumeTrue(!runtimes.isEmpty(), "Java " + version + ": no -Dhodor.runtimes=<folder> was given");
    Path home = Path.of(runtimes, Integer.toString(version));
    assumeTrue(
        Files.isExecutable(home.resolve("bin/java")),
        "Java " + version + ": no " + home + "/bin/java");
    return new JavaRuntime(Integer.toString(version), home);
  }

  /** Skips the test if this Java has no such collector. */
  String requireCollector(String collector) {
    String option = "-XX:+Use" + collector + "GC";
    boolean works = COLLECTOR_WORKS.computeIfAbsent(home + " " + option, key -> startsWith(option));
    assumeTrue(works, "Java " + name + " has no " + collector + " collector");
    return option;
  }

  Path tool(String tool) {
    return home.resolve("bin").resolve(tool);
  }

  private boolean startsWith(String option) {
    try {
      Process process =
          new ProcessBuilder(tool("java").toString(), option, "-version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String toString() {
    return "Java " + name;
  }
}
