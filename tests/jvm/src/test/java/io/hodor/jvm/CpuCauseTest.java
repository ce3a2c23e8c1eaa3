package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import programs.Spins;

/** The same load of the same process, and three reasons why its threads wait. */
@Isolated
class CpuCauseTest {
  private static final String THREADS = "30";

  @Test
  void theOwnLoad() throws Exception {
    try (ControlGroup group = ControlGroup.make().beforeAllOthers();
        TargetJvm jvm = pinned("");
        Jmx jmx = Jmx.of(jvm)) {
      group.add(jvm);
      jvm.type("\n");
      becomes("cpu-self", jmx);
      says(jmx, "overloaded (cpu-self)", "no throttling");
    }
  }

  @Test
  void aQuotaThatIsUsedUp() throws Exception {
    try (ControlGroup group = ControlGroup.make().beforeAllOthers().quota(50);
        TargetJvm jvm = pinned("");
        Jmx jmx = Jmx.of(jvm)) {
      group.add(jvm);
      jvm.type("\n");
      becomes("cpu-quota", jmx);
      says(jmx, "overloaded (cpu-quota)", "on 0.50 CPUs", "throttled in");
    }
  }

  @Test
  void aNeighbourOnTheSameCpu() throws Exception {
    try (TargetJvm jvm = pinned("");
        TargetJvm neighbour = pinned(null);
        Jmx jmx = Jmx.of(jvm)) {
      neighbour.awaitReady().type("\n");
      jvm.type("\n");
      becomes("cpu-neighbour", jmx);
      says(jmx, "overloaded (cpu-neighbour)", "other processes have");
    }
  }

  private static void becomes(String cause, Jmx jmx) {
    SheddingTest.eventually(
        () ->
            assertThat(jmx.hodor().getCause())
                .as(jmx.detector("cpu").getExplanation())
                .isEqualTo(cause));
  }

  /** Sentences are written once a second. */
  private static void says(Jmx jmx, String... parts) {
    SheddingTest.eventually(() -> assertThat(jmx.hodor().getReason()).contains(parts));
  }

  /** All threads on the first CPU; with the agent unless its options are null. */
  private static TargetJvm pinned(String agentOptions) throws IOException, InterruptedException {
    TargetJvm.Builder builder = TargetJvm.with(JavaRuntime.own());
    if (agentOptions != null) {
      builder.agent(agentOptions);
    }
    TargetJvm jvm = builder.run(Spins.class, THREADS).awaitReady();
    Process taskset =
        new ProcessBuilder("taskset", "-a", "-p", "-c", "0", Long.toString(jvm.pid()))
            .redirectErrorStream(true)
            .start();
    taskset.getInputStream().readAllBytes();
    assertThat(taskset.waitFor()).as("taskset").isZero();
    return jvm;
  }
}
