package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.hodor.jmx.DetectorMXBean;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real overloads, found by the detectors themselves. */
@Isolated
class OverloadTest {
  private static final int CLIENTS = 150;
  private static final long PERIOD_MILLIS = 50;

  /** More work a second than one CPU has: 3,000 requests, each about a millisecond. */
  private static final String[] HEAVY = {"--work-ms", "2"};

  @ParameterizedTest
  @ValueSource(strings = {"none", "filter"})
  void moreWorkThanTheCpuHas(String gate) {
    overloadAndRecover(JavaRuntime.own(), gate);
  }

  @Tag("slow")
  @ParameterizedTest(name = "Java {0}")
  @ValueSource(ints = {21, 25})
  void moreWorkThanTheCpuHasOnOtherJava(int version) {
    overloadAndRecover(JavaRuntime.require(version), "none");
  }

  private static void overloadAndRecover(JavaRuntime runtime, String gate) {
    TargetJvm.Builder java =
        TargetJvm.with(runtime).agent(JettyApp.agentOptions(gate, "mode=enforce")).pinnedToCpu(0);
    try (JettyApp app = JettyApp.startCalibrated(java, gate, HEAVY);
        Jmx jmx = Jmx.of(app.jvm())) {
      List<String> notifications = jmx.listen();
      try (Crowd crowd = Crowd.start(app, "/cpu", CLIENTS, PERIOD_MILLIS)) {
        SheddingTest.eventually(() -> assertThat(jmx.hodor().isOverloaded()).isTrue());
        assertThat(jmx.hodor().getCause()).containsPattern("cpu|queue|heartbeat");
        SheddingTest.eventually(
            () -> assertThat(crowd.count(503)).as(crowd.summary()).isGreaterThan(100));
        long served = crowd.count(200);
        SheddingTest.eventually(
            () ->
                assertThat(crowd.count(200))
                    .as("serves while it rejects")
                    .isGreaterThan(served + 200));
        assertThat(crowd.rejections())
            .extracting(rejection -> rejection.header("X-Hodor-Reason"))
            .isSubsetOf("cpu", "queue", "heartbeat");
        assertThat(crowd.broken()).isZero();
      }
      SheddingTest.eventually(() -> assertThat(jmx.hodor().isOverloaded()).isFalse());
      for (int i = 0; i < 50; i++) {
        assertThat(app.get("/cpu").status()).isEqualTo(200);
      }
      SheddingTest.allReleased(jmx);
      assertThat(notifications)
          .startsWith("io.hodor.overload.started")
          .endsWith("io.hodor.overload.ended");
    }
  }

  /** The pool's queue grows though the CPU has nothing to do; the probe sees it. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "filter"})
  void aQueueThatGrowsIsSeen(String gate) {
    TargetJvm.Builder java =
        TargetJvm.with(JavaRuntime.own()).agent(JettyApp.agentOptions(gate, ""));
    try (JettyApp app = JettyApp.start(java, gate, "--threads", "16");
        Jmx jmx = Jmx.of(app.jvm())) {
      DetectorMXBean queue = jmx.detector("queue");
      SheddingTest.eventually(() -> assertThat(queue.isStale()).isFalse());
      try (Crowd crowd = Crowd.start(app, "/downstream", CLIENTS, PERIOD_MILLIS)) {
        SheddingTest.eventually(
            () -> {
              assertThat(queue.getValue()).as(crowd.summary()).isGreaterThan(50);
              assertThat(queue.isStale()).isFalse();
              assertThat(queue.getExplanation()).contains("connections have an unread request");
            });
        SheddingTest.eventually(() -> assertThat(queue.isFiring()).isTrue());
        assertThat(queue.getUnit()).isNotEmpty();
        assertThat(crowd.rejections()).isEmpty();
      }
      SheddingTest.eventually(() -> assertThat(queue.getValue()).isLessThan(50));
    }
  }

  /** What nobody has read waits for the server, whoever serves it. */
  @Test
  void aQueueOfAnUnknownPoolIsSeenInTheKernel() {
    TargetJvm.Builder java = TargetJvm.with(JavaRuntime.own()).agent("attach=off");
    try (JettyApp app = JettyApp.start(java, "none", "--threads", "16");
        Jmx jmx = Jmx.of(app.jvm());
        Crowd crowd = Crowd.start(app, "/downstream", CLIENTS, PERIOD_MILLIS)) {
      DetectorMXBean queue = jmx.detector("queue");
      SheddingTest.eventually(
          () -> {
            assertThat(queue.getExplanation()).as(crowd.summary()).startsWith("requests wait ");
            assertThat(queue.getValue()).isGreaterThan(50);
          });
    }
  }

  @Test
  void aPoolThatIsNotKnownIsStale() {
    TargetJvm.Builder java = TargetJvm.with(JavaRuntime.own()).agent("attach=off");
    try (JettyApp app = JettyApp.start(java, "none");
        Jmx jmx = Jmx.of(app.jvm())) {
      assertThat(app.get("/downstream").status()).isEqualTo(200);
      SheddingTest.eventually(
          () -> assertThat(jmx.detector("heartbeat").isStale()).as("others work").isFalse());
      assertThat(jmx.detector("queue").isStale()).isTrue();
      assertThat(jmx.detector("queue").getExplanation()).isNotEmpty();
      assertThat(app.jvm().output()).doesNotContain("[hodor]");
    }
  }
}
