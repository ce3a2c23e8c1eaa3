package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import programs.Ends;

/** Wrong options: the application runs all the same, the agent stays off and says why. */
class WrongOptionsTest {
  private static final String SEVERAL =
      "mdoe=enforce,reject.status=99,strategy=concurrency,inject=x";

  /** The options, and what the log must name. */
  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of("mdoe=enforce", List.of("mdoe", "nearest right key is mode")),
        Arguments.of("mode=on", List.of("mode", "off, monitor, enforce")),
        Arguments.of("mode=enforce,mode=enforce", List.of("mode", "given twice")),
        Arguments.of(
            "reject.status=99999999999999999999999", List.of("reject.status", "400 to 599")),
        Arguments.of(
            "heartbeat.interval=9223372036854775807m", List.of("heartbeat.interval", "1ms to 1s")),
        Arguments.of("cpu.bands=10:1s+4:1s", List.of("cpu.bands")),
        Arguments.of("tier.default=optional", List.of("tier.default", "unknown")),
        Arguments.of("strategy=rate", List.of("strategy", "concurrency, percentage")),
        Arguments.of("mode", List.of("mode", "no value")),
        Arguments.of(",=,==,\u0001\u00ff=%s%n", List.of("empty entry", "unknown key")),
        Arguments.of("mode=enforce,", List.of("empty entry")),
        Arguments.of("x".repeat(20_000), List.of("unknown key")),
        Arguments.of(SEVERAL, List.of("mdoe", "reject.status", "inject")),
        Arguments.of("config=/no/such/file", List.of("config", "/no/such/file")));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void applicationRunsAndTheLogNamesEachError(String options, List<String> named) {
    try (TargetJvm jvm =
        TargetJvm.with(JavaRuntime.own()).agent(options).run(Ends.class, "normally")) {
      assertThat(jvm.awaitExit()).as(jvm.output()).isZero();
      assertThat(jvm.lines()).contains("started");
      String errors =
          String.join("\n", jvm.lines().stream().filter(l -> l.contains("[hodor] error")).toList());
      assertThat(errors).contains(named).contains("mode=off");
    }
  }

  @Test
  void jmxSaysWhyAndTheModeCannotBeChanged() {
    try (TargetJvm jvm = TargetJvm.with(JavaRuntime.own()).agent(SEVERAL).run(Ends.class, "waits");
        Jmx jmx = Jmx.of(jvm)) {
      assertThat(jmx.hodor().getMode()).isEqualTo("off");
      assertThat(jmx.hodor().getReason()).contains("mdoe", "reject.status", "inject");
      assertThat(jmx.hodor().isOverloaded()).isFalse();
      assertThatThrownBy(() -> jmx.hodor().setMode("enforce"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("wrong options")
          .hasMessageContaining("restart");
      assertThat(jmx.hodor().getMode()).isEqualTo("off");
    }
  }

  @Test
  void eachWrongLineOfAFileIsNamed(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("hodor.conf");
    Files.writeString(file, "# ours\nmode=enforce\nmod=x\n\nreject.status = 503\n");
    try (TargetJvm jvm =
        TargetJvm.with(JavaRuntime.own()).agent("config=" + file).run(Ends.class, "normally")) {
      assertThat(jvm.awaitExit()).as(jvm.output()).isZero();
      assertThat(jvm.output()).contains(file + ":3", file + ":5");
    }
  }

  @Test
  void aFileThatCannotBeWrittenIsSaidAndNoMore(@TempDir Path folder) {
    try (TargetJvm jvm =
        TargetJvm.with(JavaRuntime.own()).agent("log.file=" + folder).run(Ends.class, "normally")) {
      assertThat(jvm.awaitExit()).as(jvm.output()).isZero();
      assertThat(jvm.output()).contains("log.file", "standard error");
    }
  }
}
