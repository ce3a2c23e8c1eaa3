package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Unmodified applications of frameworks, with one flag more on the command line. */
@Tag("slow")
@Isolated
class FrameworksTest {
  /** Options with which the agent rejects nearly everything. */
  static final String REJECTING = "mode=enforce,inject=cpu,strategy=percentage";

  private static final int ROUNDS = 10;
  private static final int PROBES = 50;

  static List<Framework> frameworks() {
    return Framework.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("frameworks")
  void answersInMonitorExactlyAsWithoutTheAgent(Framework framework) {
    Map<String, Answer> without;
    try (FrameworkApp app = FrameworkApp.start(framework, java())) {
      without = answers(framework, app);
    }
    assertThat(without.get(framework.answers().get(0)).status).as("it works at all").isEqualTo(200);
    try (FrameworkApp app = FrameworkApp.start(framework, withAgent(framework, ""))) {
      app.jvm().awaitLine("watching Jetty ");
      assertThat(answers(framework, app)).isEqualTo(without);
      try (Jmx jmx = Jmx.of(app.jvm())) {
        for (int i = 1; i < ROUNDS; ++i) {
          answers(framework, app);
        }
        long expected = (long) ROUNDS * framework.answers().size();
        SheddingTest.eventually(
            () -> {
              assertThat(jmx.admission().getAdmitted()).isEqualTo(expected);
              assertThat(jmx.admission().getReleased()).isEqualTo(expected);
            });
        assertThat(jmx.errors().getFailOpen()).as(jmx.errors().getLastError()).isZero();
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("frameworks")
  void rejectsAndStaysReachableForProbes(Framework framework) {
    try (FrameworkApp app = FrameworkApp.start(framework, rejecting(framework))) {
      awaitRejection(app, framework.answers().get(0));
      for (int i = 0; i < PROBES; ++i) {
        for (String probe : framework.probes()) {
          assertThat(app.get(probe).status()).as(probe).isEqualTo(200);
        }
      }
    }
  }

  static TargetJvm.Builder rejecting(Framework framework) {
    return withAgent(framework, REJECTING);
  }

  static void awaitRejection(FrameworkApp app, String path) {
    SheddingTest.eventually(
        () -> {
          HttpConnection.Response response = app.get(path);
          assertThat(response.status()).isEqualTo(503);
          assertThat(response.header("X-Hodor-Reason")).isEqualTo("cpu");
        });
  }

  static TargetJvm.Builder withAgent(Framework framework, String options) {
    return java().agent(framework.agentOptions(options));
  }

  static TargetJvm.Builder java() {
    return TargetJvm.with(JavaRuntime.own());
  }

  private static Map<String, Answer> answers(Framework framework, FrameworkApp app) {
    Map<String, Answer> answers = new LinkedHashMap<>();
    for (String path : framework.answers()) {
      answers.put(path, Answer.of(app.get(path)));
    }
    return answers;
  }

  /** Error pages carry times and ids, so only what succeeded is compared to the letter. */
  private record Answer(int status, Set<String> headers, String text) {
    static Answer of(HttpConnection.Response response) {
      return new Answer(
          response.status(),
          new TreeSet<>(response.headers().keySet()),
          response.status() == 200 ? response.text() : "");
    }
  }
}
