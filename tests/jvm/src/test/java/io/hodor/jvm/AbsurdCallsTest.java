package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hodor.internal.AbsurdArguments;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nonsense over JNI is counted and changes nothing. */
class AbsurdCallsTest {
  /** Five permits that were never given and six outcomes that are none. */
  private static final int INVALID = 11;

  /** One for each text. */
  private static final int FAILURES = 5;

  /** Five texts with two options each, and one more. */
  private static final int OPTIONS_REFUSED = 11;

  @ParameterizedTest
  @ValueSource(strings = {"mode=enforce", "mode=monitor,strategy=percentage", "mode=off", "wrong"})
  void admitsAndSurvives(String options) {
    try (TargetJvm jvm =
        TargetJvm.with(JavaRuntime.own())
            .agent(options)
            .options("-Xcheck:jni", "-Xbootclasspath/a:" + TargetJvm.CLASSES)
            .run(AbsurdArguments.class)) {
      assertThat(jvm.awaitExit()).as(jvm.output()).isZero();
      List<String> lines = jvm.lines();
      assertThat(lines).contains("survived", "pools watched: 14").doesNotContain("refused: false");
      assertThat(Collections.frequency(lines, "refused: true")).isEqualTo(OPTIONS_REFUSED);
      String answer =
          options.equals("mode=off") || options.equals("wrong") ? "answer 0" : "admitted";
      assertThat(Collections.frequency(lines, answer)).isEqualTo(10);
      assertThat(lines).noneMatch(line -> line.contains("WARNING in native method"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {11, 25})
  void isCounted(int version) {
    try (TargetJvm jvm =
            TargetJvm.with(JavaRuntime.require(version))
                .agent("mode=enforce")
                .options("-Xbootclasspath/a:" + TargetJvm.CLASSES)
                .run(AbsurdArguments.class, "stay");
        Jmx jmx = Jmx.of(jvm)) {
      jvm.awaitLine("invalid: " + INVALID);
      await()
          .atMost(TargetJvm.PATIENCE)
          .untilAsserted(() -> assertThat(jmx.errors().getFailOpen()).isEqualTo(FAILURES));
      assertThat(jmx.errors().getLastError()).isNotEmpty();
      assertThat(jmx.admission().getInFlight()).isZero();
    }
  }
}
