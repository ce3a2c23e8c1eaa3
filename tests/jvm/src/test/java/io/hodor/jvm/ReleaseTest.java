package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However a request ends, its permit comes back, once. */
class ReleaseTest {
  /** The ways to end, and the status that says that the application was asked. */
  private static final Map<String, Integer> FAULTS =
      Map.of(
          "/hello", 200,
          "/no-such-path", 404,
          "/fault/exception", 500,
          "/fault/stackoverflow", 500,
          "/fault/oom", 500,
          "/fault/async-complete", 200,
          "/fault/async-timeout", 500,
          "/fault/async-error", 500,
          "/fault/async-dispatch", 200);

  private static final int ROUNDS = 5;
  private static final int ABORTS = 10;
  private static final int THREADS = 16;

  @ParameterizedTest
  @ValueSource(strings = {"none", "handler", "filter", "both"})
  void everyWayToEndReleases(String gate) {
    try (JettyApp app = start(gate, "mode=enforce");
        Jmx jmx = Jmx.of(app.jvm())) {
      for (int i = 0; i < ROUNDS; i++) {
        FAULTS.forEach(
            (path, status) -> assertThat(app.get(path).status()).as(path).isEqualTo(status));
      }
      SheddingTest.allReleased(jmx);
      assertThat(jmx.admission().getAdmitted()).isEqualTo((long) ROUNDS * FAULTS.size());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "handler", "filter", "both"})
  void clientsThatGoAwayRelease(String gate) {
    try (JettyApp app = start(gate, "mode=enforce");
        Jmx jmx = Jmx.of(app.jvm())) {
      for (int i = 0; i < ABORTS; i++) {
        HttpConnection amid = app.connect();
        amid.send("/fault/slow-body");
        amid.receiveSome();
        amid.abort();
        for (String path : FAULTS.keySet()) {
          HttpConnection early = app.connect();
          early.send(path);
          early.abort();
        }
      }
      // One that reads nothing but stays: it ends when it goes away.
      HttpConnection idle = app.connect();
      idle.send("/fault/slow-body");
      SheddingTest.eventually(() -> assertThat(jmx.admission().getInFlight()).isEqualTo(1));
      idle.abort();
      SheddingTest.allReleased(jmx);
      assertThat(jmx.admission().getAdmitted()).isGreaterThanOrEqualTo(ABORTS);
    }
  }

  /** Clients that give up while their requests wait for a thread, in an overload and without. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "handler", "filter"})
  void clientsThatGoAwayWhileTheyWaitRelease(String gate) {
    for (String options : List.of("mode=monitor", "mode=enforce,inject=queue")) {
      try (JettyApp app = start(gate, options, "--threads", Integer.toString(THREADS));
          Jmx jmx = Jmx.of(app.jvm())) {
        List<HttpConnection> clients = new ArrayList<>();
        for (int i = 0; i < 20 * THREADS; i++) {
          HttpConnection client = app.connect();
          client.send("/downstream");
          clients.add(client);
        }
        // Not what is in flight: where most are rejected that is soon over.
        SheddingTest.eventually(() -> assertThat(jmx.admission().getAdmitted()).isPositive());
        clients.forEach(HttpConnection::abort);
        SheddingTest.allReleased(jmx);
        SheddingTest.eventually(
            () -> assertThat(app.get("/hello").status()).as("serves again").isEqualTo(200));
      }
    }
  }

  private static JettyApp start(String gate, String options, String... flags) {
    return JettyApp.start(
        TargetJvm.with(JavaRuntime.own()).agent(JettyApp.agentOptions(gate, options)), gate, flags);
  }
}
