package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import programs.Ends;

/** The ways into a JVM, each of them harmless: twice, into tools, late, late and twice. */
class LoadingTest {
  static final List<Integer> VERSIONS = JavaRuntime.VERSIONS;

  private final JavaRuntime own = JavaRuntime.own();

  @ParameterizedTest(name = "Java {0}")
  @FieldSource("VERSIONS")
  void hasItsTwoThreadsOnceEach(int version) {
    try (TargetJvm jvm =
        TargetJvm.with(JavaRuntime.require(version)).agent("").run(Ends.class, "waits")) {
      awaitThreads(jvm);
      assertThat(jvm.output()).doesNotContain("[hodor]");
    }
  }

  @Test
  void twiceOnOneCommandLine() {
    try (TargetJvm jvm =
            TargetJvm.with(own).agent("mode=enforce").agent("mode=off").run(Ends.class, "waits");
        Jmx jmx = Jmx.of(jvm)) {
      awaitThreads(jvm);
      jvm.awaitLine("loaded already");
      assertThat(jmx.hodor().getMode()).isEqualTo("enforce");
      endsWell(jvm);
    }
  }

  @Test
  void intoJavac(@TempDir Path folder) throws IOException {
    Path source = Files.writeString(folder.resolve("A.java"), "class A {}");
    try (TargetJvm javac =
        TargetJvm.with(own)
            .environment("JAVA_TOOL_OPTIONS", agentPath())
            .tool("javac", "-d", folder.toString(), source.toString())) {
      assertThat(javac.awaitExit()).as(javac.output()).isZero();
      assertThat(folder.resolve("A.class")).exists();
      assertOnlyTheJvmSpeaks(javac);
    }
  }

  @Test
  void intoJcmd() {
    try (TargetJvm jcmd =
        TargetJvm.with(own).environment("JAVA_TOOL_OPTIONS", agentPath()).tool("jcmd", "-l")) {
      assertThat(jcmd.awaitExit()).as(jcmd.output()).isZero();
      assertOnlyTheJvmSpeaks(jcmd);
    }
  }

  @ParameterizedTest(name = "Java {0}")
  @FieldSource("VERSIONS")
  void late(int version) {
    try (TargetJvm jvm = TargetJvm.with(JavaRuntime.require(version)).run(Ends.class, "waits")) {
      jvm.awaitLine("started");
      attach(jvm);
      awaitThreads(jvm);
      try (Jmx jmx = Jmx.of(jvm)) {
        assertThat(jmx.hodor().getMode()).isEqualTo("monitor");
      }
      assertThat(jvm.output()).doesNotContain("[hodor]");
      endsWell(jvm);
    }
  }

  @Test
  void lateWithOptions() {
    try (TargetJvm jvm = TargetJvm.with(own).run(Ends.class, "waits")) {
      jvm.awaitLine("started");
      attach(jvm, "\"mode=enforce,reject.status=429\"");
      try (Jmx jmx = Jmx.of(jvm)) {
        assertThat(jmx.hodor().getMode()).isEqualTo("enforce");
        assertThat(jmx.hodor().getOptions()).containsEntry("reject.status", "429");
      }
      endsWell(jvm);
    }
  }

  @Test
  void lateWithWrongOptions() {
    try (TargetJvm jvm = TargetJvm.with(own).run(Ends.class, "waits")) {
      jvm.awaitLine("started");
      attach(jvm, "nonsense");
      jvm.awaitLine("nonsense");
      try (Jmx jmx = Jmx.of(jvm)) {
        assertThat(jmx.hodor().getMode()).isEqualTo("off");
      }
      endsWell(jvm);
    }
  }

  @Test
  void lateThoughLoadedAlready() {
    try (TargetJvm jvm = TargetJvm.with(own).agent("mode=enforce").run(Ends.class, "waits")) {
      jvm.awaitLine("started");
      attach(jvm);
      attach(jvm);
      jvm.awaitLine("loaded already");
      awaitThreads(jvm);
      try (Jmx jmx = Jmx.of(jvm)) {
        assertThat(jmx.hodor().getMode()).isEqualTo("enforce");
      }
      endsWell(jvm);
    }
  }

  static void attach(TargetJvm jvm, String... options) {
    String[] command = new String[3 + options.length];
    command[0] = Long.toString(jvm.pid());
    command[1] = "JVMTI.agent_load";
    command[2] = NeedsLibrary.library().toString();
    System.arraycopy(options, 0, command, 3, options.length);
    try (TargetJvm jcmd = TargetJvm.with(JavaRuntime.own()).tool("jcmd", command)) {
      assertThat(jcmd.awaitExit()).as(jcmd.output()).isZero();
      assertThat(jcmd.output()).contains("return code: 0");
    }
  }

  private static void endsWell(TargetJvm jvm) {
    jvm.endInput();
    assertThat(jvm.awaitExit()).as(jvm.output()).isZero();
    assertThat(jvm.lines()).contains("ends");
  }

  static void awaitThreads(TargetJvm jvm) {
    await("the threads of " + jvm.output())
        .atMost(TargetJvm.PATIENCE)
        .until(() -> jvm.threadNames().containsAll(List.of("hodor-tick", "hodor-beat")));
    List<String> names = jvm.threadNames();
    assertThat(Collections.frequency(names, "hodor-tick")).isEqualTo(1);
    assertThat(Collections.frequency(names, "hodor-beat")).isEqualTo(1);
  }

  private static String agentPath() {
    return "-agentpath:" + NeedsLibrary.library();
  }

  private static void assertOnlyTheJvmSpeaks(TargetJvm jvm) {
    // jcmd lists JVMs with their command lines, ours among them.
    assertThat(jvm.lines())
        .filteredOn(line -> !line.startsWith("Picked up JAVA_TOOL_OPTIONS"))
        .noneMatch(line -> line.contains("[hodor]"));
  }
}
