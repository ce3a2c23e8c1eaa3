package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import programs.Allocates;

/** Pauses are measured, and their events may come at any time, also while the JVM ends. */
class GarbageCollectionTest {
  static final List<String> COLLECTORS = JavaRuntime.COLLECTORS;
  private static final int EXITS_EACH = 4;

  private final JavaRuntime own = JavaRuntime.own();

  @Test
  void pausesAreSeen() {
    try (TargetJvm jvm =
            TargetJvm.with(own)
                .options("-Xmx64m", "-XX:+UseSerialGC")
                .agent("")
                .run(Allocates.class, "forever");
        Jmx jmx = Jmx.of(jvm)) {
      await("pauses in " + jvm.output())
          .atMost(TargetJvm.PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(jmx.detector("gc").isStale()).isFalse();
                assertThat(jmx.detector("gc").getValue()).isPositive();
              });
      assertThat(jmx.detector("gc").getExplanation()).isNotEmpty();
    }
  }

  @ParameterizedTest(name = "{0}")
  @FieldSource("COLLECTORS")
  void endingAmidCollectionsIsHarmless(String collector) {
    for (int i = 0; i < EXITS_EACH; i++) {
      try (TargetJvm jvm =
          TargetJvm.with(own)
              .options("-Xmx64m", own.requireCollector(collector), "-XX:-CreateCoredumpOnCrash")
              .agent("")
              .run(Allocates.class, "exits")) {
        assertThat(jvm.awaitExit()).as(jvm.output()).isEqualTo(7);
        assertThat(jvm.lines()).containsExactly("started");
      }
    }
  }
}
