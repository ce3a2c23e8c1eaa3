package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import programs.Allocates;

/** Pauses are measured, and their events may come at any time, also while the JVM ends. */
@Isolated
class GarbageCollectionTest {
  static final List<String> COLLECTORS = JavaRuntime.COLLECTORS;
  private static final int EXITS_EACH = 4;

  @Test
  void pausesAreSeen() {
    try (TargetJvm jvm =
            TargetJvm.with(JavaRuntime.own())
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
    endsAmidCollections(JavaRuntime.own(), collector);
  }

  @Tag("slow")
  @ParameterizedTest(name = "Java {0}, {1}")
  @MethodSource("io.hodor.jvm.ExitTest#matrix")
  void endingAmidCollectionsIsHarmlessEverywhere(int version, String collector) {
    endsAmidCollections(JavaRuntime.require(version), collector);
  }

  private static void endsAmidCollections(JavaRuntime runtime, String collector) {
    String option = runtime.requireCollector(collector);
    for (int i = 0; i < EXITS_EACH; i++) {
      try (TargetJvm jvm =
          TargetJvm.with(runtime)
              .options("-Xmx64m", option, "-XX:-CreateCoredumpOnCrash")
              .agent("")
              .run(Allocates.class, "exits")) {
        assertThat(jvm.awaitExit()).as(jvm.output()).isEqualTo(7);
        assertThat(jvm.lines()).containsExactly("started");
      }
    }
  }
}
