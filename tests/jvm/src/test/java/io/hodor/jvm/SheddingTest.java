package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hodor.jmx.AdmissionMXBean;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowingConsumer;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rejections as clients see them, with an overload that {@code inject=cpu} pretends. */
@Isolated
class SheddingTest {
  /** Far more than the downstream service has connections for. */
  private static final int CLIENTS = 120;

  private static final long PERIOD_MILLIS = 20;
  private static final int ENOUGH = 200;

  private final JavaRuntime own = JavaRuntime.own();

  static Stream<Arguments> gatesAndStrategies() {
    return Stream.of(
        Arguments.of("none", "concurrency"),
        Arguments.of("none", "percentage"),
        Arguments.of("handler", "concurrency"),
        Arguments.of("filter", "concurrency"),
        Arguments.of("filter", "percentage"),
        Arguments.of("both", "concurrency"));
  }

  @ParameterizedTest(name = "gate {0}, {1}")
  @MethodSource("gatesAndStrategies")
  void rejectsAsTheContractSays(String gate, String strategy) {
    try (JettyApp app = start("mode=enforce,inject=cpu,strategy=" + strategy, gate);
        Jmx jmx = Jmx.of(app.jvm());
        Crowd crowd = Crowd.start(app, "/downstream", CLIENTS, PERIOD_MILLIS)) {
      eventually(() -> assertThat(crowd.count(503)).as(crowd.summary()).isGreaterThan(ENOUGH));
      crowd.goHome();
      assertThat(crowd.broken()).as("every connection was kept open").isZero();
      assertThat(crowd.count(200)).as(crowd.summary()).isPositive();
      assertThat(crowd.rejections()).allSatisfy(isARejection());
      assertThat(crowd.rejections()).extracting(r -> r.header("Retry-After")).contains("1", "2");
      assertThat(jmx.hodor().isOverloaded()).isTrue();
      assertThat(jmx.hodor().getCause()).startsWith("cpu");
      assertThat(jmx.hodor().getSince()).isNotEmpty();
      assertThat(jmx.hodor().getReason()).contains("cpu", "inject");
      assertThat(jmx.hodor().getAttached()).isNotEmpty();
      eventually(
          () ->
              assertThat(jmx.admission().getRejected())
                  .as("what JMX counts and what clients saw")
                  .isEqualTo(crowd.count(503)));
      allReleased(jmx);
    }
  }

  private static ThrowingConsumer<HttpConnection.Response> isARejection() {
    return response -> {
      assertThat(response.status()).isEqualTo(503);
      assertThat(response.header("X-Hodor-Reason")).isEqualTo("cpu");
      assertThat(response.header("Content-Length")).isEqualTo("0");
      assertThat(Integer.parseInt(response.header("Retry-After"))).isBetween(1, 3);
      assertThat(response.headers()).doesNotContainKey("Connection");
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "handler", "filter"})
  void answersTheNextRequestOnTheSameConnection(String gate) {
    try (JettyApp app = start("mode=enforce,inject=cpu", gate);
        Crowd crowd = Crowd.start(app, "/downstream", CLIENTS, PERIOD_MILLIS);
        HttpConnection connection = app.connect()) {
      eventually(() -> assertThat(connection.get("/hello").status()).isEqualTo(503));
      crowd.goHome();
      eventually(() -> assertThat(connection.get("/hello").text()).isEqualTo("hello"));
      assertThat(crowd.broken()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "handler", "filter"})
  void healthIsNeitherRejectedNorCounted(String gate) {
    try (JettyApp app = start("mode=enforce,inject=cpu", gate);
        Jmx jmx = Jmx.of(app.jvm());
        Crowd crowd = Crowd.start(app, "/downstream", CLIENTS, PERIOD_MILLIS)) {
      eventually(() -> assertThat(app.get("/hello").status()).isEqualTo(503));
      for (int i = 0; i < 50; ++i) {
        assertThat(app.get("/health").text()).isEqualTo("healthy");
      }
      assertThat(crowd.count(503)).isPositive();
      crowd.goHome();
      allReleased(jmx);
      long before = jmx.admission().getAdmitted();
      assertThat(app.get("/health").status()).isEqualTo(200);
      // A change is in force when it returns, and the gates hear of it soon after.
      jmx.hodor().setOption("exempt", "none");
      eventually(
          () -> {
            app.get("/health");
            assertThat(jmx.admission().getAdmitted()).isGreaterThan(before);
          });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "handler", "filter"})
  void anExemptPathIsNoWayAroundTheLimit(String gate) {
    try (JettyApp app = start("mode=enforce,inject=cpu,exempt.limit=1", gate);
        Jmx jmx = Jmx.of(app.jvm());
        Crowd crowd = Crowd.start(app, "/health", CLIENTS, PERIOD_MILLIS)) {
      eventually(
          () -> {
            assertThat(jmx.admission().getExemptBeyondLimit()).isGreaterThan(CLIENTS);
            assertThat(crowd.count(200)).isGreaterThan(CLIENTS);
          });
      crowd.goHome();
      allReleased(jmx);
      AdmissionMXBean admission = jmx.admission();
      assertThat(admission.getExempt()).isPositive();
      // What is beyond the limit is treated like any other request, once.
      assertThat(admission.getAdmitted() + admission.getRejected() - admission.getDropped())
          .isEqualTo(admission.getExemptBeyondLimit());
      assertThat(app.jvm().output())
          .containsOnlyOnce("more than 1 requests a second to exempt paths");
    }
  }

  @ParameterizedTest(name = "gate {0}, {1}")
  @MethodSource("gatesAndStrategies")
  void monitorOnlyCounts(String gate, String strategy) {
    try (JettyApp app = start("inject=cpu,strategy=" + strategy, gate);
        Jmx jmx = Jmx.of(app.jvm());
        Crowd crowd = Crowd.start(app, "/downstream", CLIENTS, PERIOD_MILLIS)) {
      eventually(
          () -> assertThat(jmx.admission().getWouldReject()).as(crowd.summary()).isPositive());
      crowd.goHome();
      assertThat(crowd.rejections()).isEmpty();
      assertThat(crowd.broken()).isZero();
      assertThat(jmx.admission().getRejected()).isZero();
      assertThat(jmx.hodor().getReason()).contains("mode=monitor");
      allReleased(jmx);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "handler", "filter"})
  void modeCanBeSwitchedUnderLoad(String gate) {
    try (JettyApp app = start("inject=cpu", gate);
        Jmx jmx = Jmx.of(app.jvm())) {
      List<String> notifications = jmx.listen();
      try (Crowd crowd = Crowd.start(app, "/downstream", CLIENTS, PERIOD_MILLIS)) {
        rejectsOnlyIn("enforce", jmx, crowd);
        rejectsOnlyIn("off", jmx, crowd);
        rejectsOnlyIn("enforce", jmx, crowd);
        rejectsOnlyIn("monitor", jmx, crowd);
        assertThat(crowd.broken()).isZero();
      }
      allReleased(jmx);
      assertThat(notifications).filteredOn(type -> type.equals("io.hodor.mode.changed")).hasSize(4);
    }
  }

  /** In a mode that rejects nothing no request that begins after the switch is rejected. */
  private static void rejectsOnlyIn(String mode, Jmx jmx, Crowd crowd) {
    jmx.mode(mode);
    if (mode.equals("enforce")) {
      long before = crowd.count(503);
      eventually(() -> assertThat(crowd.count(503)).isGreaterThan(before + ENOUGH));
      return;
    }
    settles(crowd);
    long before = crowd.count(503);
    long served = crowd.count(200);
    eventually(() -> assertThat(crowd.count(200)).isGreaterThan(served + 2 * ENOUGH));
    assertThat(crowd.count(503)).as("in mode %s", mode).isEqualTo(before);
  }

  /** Everybody who was asked before the switch has been answered. */
  private static void settles(Crowd crowd) {
    long served = crowd.count(200);
    eventually(() -> assertThat(crowd.count(200)).isGreaterThan(served + 2 * CLIENTS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"handler"})
  void overloadBeginsAndEndsWithNotifications(String gate) {
    try (JettyApp app = start("mode=enforce", gate);
        Jmx jmx = Jmx.of(app.jvm())) {
      List<String> notifications = jmx.listen();
      jmx.hodor().setOption("inject", "queue");
      eventually(() -> assertThat(notifications).contains("io.hodor.overload.started"));
      assertThat(jmx.hodor().getCause()).isEqualTo("queue");
      jmx.hodor().setOption("inject", "none");
      eventually(() -> assertThat(notifications).contains("io.hodor.overload.ended"));
      assertThat(jmx.hodor().isOverloaded()).isFalse();
      assertThat(jmx.hodor().getCause()).isEqualTo("none");
      assertThat(jmx.hodor().getSince()).isEmpty();
      assertThat(app.get("/hello").status()).isEqualTo(200);
      assertThat(notifications)
          .containsExactly("io.hodor.overload.started", "io.hodor.overload.ended");
    }
  }

  private JettyApp start(String options, String gate) {
    return JettyApp.start(TargetJvm.with(own).agent(JettyApp.agentOptions(gate, options)), gate);
  }

  static void allReleased(Jmx jmx) {
    eventually(
        () -> {
          assertThat(jmx.admission().getInFlight()).isZero();
          assertThat(jmx.admission().getReleased()).isEqualTo(jmx.admission().getAdmitted());
        });
    assertThat(jmx.errors().getFailOpen()).as(jmx.errors().getLastError()).isZero();
  }

  static void eventually(ThrowingRunnable assertion) {
    await().atMost(TargetJvm.PATIENCE).untilAsserted(assertion);
  }
}
