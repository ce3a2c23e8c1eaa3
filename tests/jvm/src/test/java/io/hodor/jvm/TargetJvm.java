package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A JVM that runs one of the target programs. It ends with {@link #close()} at the latest. */
final class TargetJvm implements AutoCloseable {
  /** For what happens at once on a free machine and late on a busy one. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The programs of this module, and the Java side that applications have on their class path. */
  static final String CLASSES = Path.of("target/classes").toAbsolutePath().toString();

  /** What the programs of this module and the demo say. */
  private static final List<String> READY = List.of("started", "LISTENING ");

  private final Process process;
  private final String command;
  private final List<String> ready;
  private final List<String> lines = new ArrayList<>();
  private final Thread reader;

  private TargetJvm(Process process, String command, List<String> ready) {
    this.process = process;
    this.command = command;
    this.ready = ready;
    this.reader = new Thread(this::read, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  static Builder with(JavaRuntime runtime) {
    return new Builder(runtime);
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What came on standard output and standard error until now. */
  List<String> lines() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  String output() {
    return command + "\n" + String.join("\n", lines());
  }

  /** Waits for a line with this in it. */
  String awaitLine(String part) {
    return awaitAny(List.of(part));
  }

  /** Waits until the program says that it is ready; no JVM may be attached to much earlier. */
  TargetJvm awaitReady() {
    awaitAny(ready);
    return this;
  }

  /** Waits for the end. All output is there afterwards. */
  int awaitExit() {
    try {
      boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(ended).as("ends by itself: %s", output()).isTrue();
      reader.join(PATIENCE.toMillis());
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** To its standard input. */
  void type(String text) {
    try {
      process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Closes its standard input, which ends the programs that wait. */
  void endInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGTERM. */
  void terminate() {
    // Not process.destroy(): that closes the streams as well.
    process.toHandle().destroy();
  }

  /** The names of its threads, as the kernel has them. */
  List<String> threadNames() {
    try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid()), "task"))) {
      return tasks.map(TargetJvm::nameOf).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    // The JVMs that a launcher forked would stay.
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String nameOf(Path task) {
    try {
      return Files.readString(task.resolve("comm")).strip();
    } catch (IOException e) {
      return "ended";
    }
  }

  private String awaitAny(List<String> parts) {
    await("a line with one of " + parts)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> find(parts) != null || !process.isAlive());
    if (!process.isAlive()) {
      awaitExit(); // and with it all of the output
    }
    String line = find(parts);
    assertThat(line).as("a line with one of %s in:\n%s", parts, output()).isNotNull();
    return line;
  }

  private String find(List<String> parts) {
    return lines().stream()
        .filter(line -> parts.stream().anyMatch(line::contains))
        .findFirst()
        .orElse(null);
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        synchronized (lines) {
          lines.add(line);
        }
      }
    } catch (IOException e) {
      // The stream of a killed process.
    }
  }

  /** The command line. */
  static final class Builder {
    private final JavaRuntime runtime;
    private final List<String> prefix = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private String classPath = CLASSES;
    private List<String> ready = READY;

    private Builder(JavaRuntime runtime) {
      this.runtime = runtime;
      // Small and quick to start; what a test needs otherwise comes later and wins.
      options("-XX:TieredStopAtLevel=1");
    }

    /** The agent, with these options; empty for none. */
    Builder agent(String agentOptions) {
      return agent(NeedsLibrary.library(), agentOptions);
    }

    Builder agent(Path library, String agentOptions) {
      return options("-agentpath:" + library + (agentOptions.isEmpty() ? "" : "=" + agentOptions));
    }

    Builder options(String... more) {
      options.addAll(Arrays.asList(more));
      return this;
    }

    Builder environment(String name, String value) {
      environment.put(name, value);
      return this;
    }

    Builder classPath(String path) {
      classPath = path;
      return this;
    }

    /** What the program says instead of what those of this module do. */
    Builder readyWhen(String part) {
      ready = List.of(part);
      return this;
    }

    Builder pinnedToCpu(int cpu) {
      prefix.addAll(List.of("taskset", "-c", Integer.toString(cpu)));
      return this;
    }

    /**
     * Without this capability, such as {@code net_admin}. Only root has any, so for anybody else
     * this changes nothing.
     */
    Builder withoutCapability(String name) {
      if (System.getProperty("user.name").equals("root")) {
        prefix.addAll(List.of("setpriv", "--bounding-set=-" + name, "--inh-caps=-" + name));
      }
      return this;
    }

    /** How many files the process may have open. */
    Builder fileLimit(int files) {
      prefix.addAll(List.of("prlimit", "--nofile=" + files, "--"));
      return this;
    }

    TargetJvm run(String mainClass, String... arguments) {
      List<String> rest = new ArrayList<>(List.of("-cp", classPath, mainClass));
      rest.addAll(Arrays.asList(arguments));
      return java(rest);
    }

    TargetJvm run(Class<?> mainClass, String... arguments) {
      return run(mainClass.getName(), arguments);
    }

    /** What stands behind these options; without this module's class path. */
    TargetJvm java(List<String> rest) {
      List<String> command = new ArrayList<>(prefix);
      command.add(runtime.tool("java").toString());
      command.addAll(options);
      command.addAll(rest);
      return start(command);
    }

    /** A tool of the Java installation, without any of the options above. */
    TargetJvm tool(String tool, String... arguments) {
      List<String> command = new ArrayList<>();
      command.add(runtime.tool(tool).toString());
      command.addAll(Arrays.asList(arguments));
      return start(command);
    }

    private TargetJvm start(List<String> command) {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      // The tests' own surroundings must not reach into the targets.
      builder
          .environment()
          .keySet()
          .removeIf(name -> name.matches("JAVA_TOOL_OPTIONS|_JAVA_.*|JDK_.*"));
      builder.environment().putAll(environment);
      try {
        return new TargetJvm(builder.start(), String.join(" ", command), ready);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
