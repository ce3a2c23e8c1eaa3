package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import programs.Ends;

/** A JVM without any server ends as it would without the agent, and hears nothing from it. */
class ExitTest {
  private static final int SIGTERM_STATUS = 143;

  /** Each way to end and its status. */
  private static final Map<String, Integer> ENDS =
      Map.of("normally", 0, "exit", 3, "halt", 4, "throw", 1);

  static final List<Integer> VERSIONS = JavaRuntime.VERSIONS;
  static final List<String> COLLECTORS = JavaRuntime.COLLECTORS;

  static Stream<Arguments> matrix() {
    return VERSIONS.stream()
        .flatMap(version -> COLLECTORS.stream().map(gc -> Arguments.of(version, gc)));
  }

  @ParameterizedTest(name = "Java {0}")
  @FieldSource("VERSIONS")
  void endsAsWithoutTheAgentOnEachJava(int version) {
    endsAsWithoutTheAgent(JavaRuntime.require(version), "-showversion");
  }

  @ParameterizedTest(name = "{0}")
  @FieldSource("COLLECTORS")
  void endsAsWithoutTheAgentWithEachCollector(String collector) {
    JavaRuntime runtime = JavaRuntime.own();
    endsAsWithoutTheAgent(runtime, runtime.requireCollector(collector));
  }

  @Tag("slow")
  @ParameterizedTest(name = "Java {0}, {1}")
  @MethodSource("matrix")
  void endsAsWithoutTheAgentEverywhere(int version, String collector) {
    JavaRuntime runtime = JavaRuntime.require(version);
    endsAsWithoutTheAgent(runtime, runtime.requireCollector(collector));
  }

  private static void endsAsWithoutTheAgent(JavaRuntime runtime, String option) {
    ENDS.forEach(
        (end, status) -> {
          try (TargetJvm jvm =
              TargetJvm.with(runtime).options(option).agent("").run(Ends.class, end)) {
            assertThat(jvm.awaitExit()).as(jvm.output()).isEqualTo(status);
            assertSilent(jvm);
          }
        });
    try (TargetJvm jvm =
        TargetJvm.with(runtime).options(option).agent("").run(Ends.class, "waits")) {
      jvm.awaitLine("started");
      jvm.terminate();
      assertThat(jvm.awaitExit()).as(jvm.output()).isEqualTo(SIGTERM_STATUS);
      assertSilent(jvm);
    }
  }

  private static void assertSilent(TargetJvm jvm) {
    assertThat(jvm.lines()).anyMatch(line -> line.equals("started"));
    assertThat(jvm.lines()).noneMatch(line -> line.toLowerCase().contains("hodor"));
  }
}
