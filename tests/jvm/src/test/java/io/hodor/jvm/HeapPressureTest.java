package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.hodor.jmx.DetectorMXBean;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import programs.FillsHeap;

/**
 * The gc detector announces a death spiral while the process still lives, and nothing that is not
 * one. What the agent logs is looked at, as in a full heap JMX may fail.
 */
@Isolated
class HeapPressureTest {
  /** A busy machine must not make another detector the louder one. */
  private static final String AGENT = "mode=monitor,cpu.bands=10000:1m,heartbeat.limit=1s";

  private static final String OVERLOADED = "overloaded (gc)";
  private static final String EXPERIMENTAL_Z = "-XX:+UnlockExperimentalVMOptions -XX:+UseZGC";
  private static final String GENERATIONAL_Z = "-XX:+UseZGC -XX:+ZGenerational";
  private static final List<String> STOP_THE_WORLD = List.of("Serial", "Parallel");
  private static final double SEEN = 0.001;
  private static final int COLLECTIONS = 500;

  static Stream<Arguments> everyCollector() {
    return Stream.concat(
        ExitTest.matrix().filter(row -> !List.of(row.get()).equals(List.of(11, "Z"))),
        Stream.of(Arguments.of(11, EXPERIMENTAL_Z), Arguments.of(21, GENERATIONAL_Z)));
  }

  static Stream<Arguments> everyConcurrentCollector() {
    return everyCollector().filter(row -> !STOP_THE_WORLD.contains((String) row.get()[1]));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"Serial", "Z"})
  void aSpiralIsAnnounced(String collector) {
    aSpiralIsAnnounced(JavaRuntime.own(), collector);
  }

  @Tag("slow")
  @ParameterizedTest(name = "Java {0}, {1}")
  @MethodSource("everyCollector")
  void aSpiralIsAnnouncedEverywhere(int version, String collector) {
    aSpiralIsAnnounced(JavaRuntime.require(version), collector);
  }

  private static void aSpiralIsAnnounced(JavaRuntime runtime, String collector) {
    try (TargetJvm jvm =
        with(runtime, collector, "").run(FillsHeap.class, "0.3", "4", "500", "20000")) {
      jvm.awaitReady();
      // A JVM that has run out of memory may be unable to start its management.
      Jmx.of(jvm).close();
      jvm.type(String.valueOf(FillsHeap.LEAK));
      String line = jvm.awaitLine(OVERLOADED);
      assertThat(jvm.isAlive()).as(jvm.output()).isTrue();
      assertThat(line)
          .contains("lost to garbage collection")
          .containsPattern("(heap|old generation) \\d+ % full after collection");
      jvm.type(String.valueOf(FillsHeap.DROP));
      jvm.awaitLine("dropped");
      try (Jmx jmx = Jmx.of(jvm)) {
        SheddingTest.eventually(() -> assertThat(jmx.detector("gc").isFiring()).isFalse());
      }
    }
  }

  /** Threads that allocate more than the collector can free; nobody runs out of memory. */
  @Test
  void stallsAreReadFromTheFlightRecorderWhereAskedFor() {
    try (TargetJvm jvm =
        with(JavaRuntime.own(), "Z", ",gc.stalls=jfr,log.level=debug")
            .run(FillsHeap.class, "0.5", "4", "0", "0")) {
      SheddingTest.eventually(
          () ->
              assertThat(jvm.lines())
                  .anyMatch(line -> line.matches(".*: threads waited [1-9].* for memory so far")));
      assertThat(jvm.awaitLine(OVERLOADED)).contains("in allocation stalls");
    }
  }

  @Test
  void whereNothingStreamsEventsTheCountersAreUsedAndThatIsSaid() {
    try (TargetJvm jvm =
            with(JavaRuntime.require(11), "Serial", ",gc.stalls=jfr")
                .run(FillsHeap.class, "0.3", "1", "0", "20000");
        Jmx jmx = Jmx.of(jvm)) {
      jvm.awaitLine("gc.stalls=jfr: no stream of flight-recorder events here");
      assertThat(jmx.detector("gc").isStale()).isFalse();
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"Z", "Shenandoah"})
  void aBusyCollectorBesideIdleCpuIsNoOverload(String collector) {
    aBusyCollectorBesideIdleCpuIsNoOverload(JavaRuntime.own(), collector);
  }

  @Tag("slow")
  @ParameterizedTest(name = "Java {0}, {1}")
  @MethodSource("everyConcurrentCollector")
  void aBusyCollectorBesideIdleCpuIsNoOverloadAnywhere(int version, String collector) {
    aBusyCollectorBesideIdleCpuIsNoOverload(JavaRuntime.require(version), collector);
  }

  private static void aBusyCollectorBesideIdleCpuIsNoOverload(
      JavaRuntime runtime, String collector) {
    try (TargetJvm jvm =
        with(runtime, collector, ",gc.bands=11%:1s")
            .options("-XX:ParallelGCThreads=1", "-XX:ConcGCThreads=1")
            .options("-XX:+ExplicitGCInvokesConcurrent")
            .run(FillsHeap.class, "0.4", "1", "200", "20000")) {
      jvm.awaitReady();
      jvm.type(String.valueOf(FillsHeap.COLLECT).repeat(COLLECTIONS));
      SheddingTest.eventually(
          () -> assertThat(jvm.lines()).filteredOn("collected"::equals).hasSize(COLLECTIONS));
      assertThat(jvm.output()).doesNotContain(OVERLOADED);
    }
  }

  /** The second collection: the first comes soon after the pauses in which the heap was filled. */
  @Test
  void oneCollectionOfALargeHeapIsNoOverload() {
    try (TargetJvm jvm =
            TargetJvm.with(JavaRuntime.own())
                .options("-Xms1g", "-Xmx1g", "-XX:+UseSerialGC")
                .agent(AGENT + ",gc.bands=5%:3s")
                .run(FillsHeap.class, "0.4", "1", "0", "200000");
        Jmx jmx = Jmx.of(jvm)) {
      DetectorMXBean gc = jmx.detector("gc");
      collectAndForget(jvm, gc);
      long firings = gc.getFirings();
      collectAndForget(jvm, gc);
      assertThat(gc.getFirings()).as(jvm.output()).isEqualTo(firings);
    }
  }

  /** Until the pause has come into the window of the detector, and has left it. */
  private static void collectAndForget(TargetJvm jvm, DetectorMXBean gc) {
    jvm.type(String.valueOf(FillsHeap.COLLECT));
    SheddingTest.eventually(() -> assertThat(gc.getValue()).isGreaterThan(SEEN));
    SheddingTest.eventually(() -> assertThat(gc.getValue()).isLessThan(SEEN));
  }

  /**
   * @param collector its name, or the options that choose it
   * @param bands empty: those of the agent
   */
  private static TargetJvm.Builder with(JavaRuntime runtime, String collector, String bands) {
    return TargetJvm.with(runtime)
        .options("-Xms256m", "-Xmx256m")
        .options(
            collector.startsWith("-")
                ? collector.split(" ")
                : new String[] {runtime.requireCollector(collector)})
        .agent(AGENT + bands);
  }
}
