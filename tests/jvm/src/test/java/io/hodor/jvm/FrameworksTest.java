package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.hodor.jvm.FrameworkApp.Framework;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Unmodified applications of frameworks, with one flag more on the command line. */
@Tag("slow")
@ExtendWith(AttachMatrix.class)
class FrameworksTest {
  private static final List<String> PATHS =
      List.of("/hello", "/work", "/later", "/broken", "/no-such-path");

  private static final int ROUNDS = 10;

  @ParameterizedTest(name = "{0}")
  @EnumSource
  void answersInMonitorExactlyAsWithoutTheAgent(Framework framework) {
    Map<String, Answer> without;
    try (FrameworkApp app = FrameworkApp.start(framework, java())) {
      without = answers(app);
    }
    assertThat(without.get("/hello").text).as("it works at all").isEqualTo("hello");
    try (FrameworkApp app = FrameworkApp.start(framework, java().agent(""))) {
      app.jvm().awaitLine("watching Jetty ");
      assertThat(answers(app)).isEqualTo(without);
      try (Jmx jmx = Jmx.of(app.jvm())) {
        for (int i = 1; i < ROUNDS; ++i) {
          answers(app);
        }
        long expected = (long) ROUNDS * PATHS.size();
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
  @EnumSource
  void rejectsAndStaysReachableForProbes(Framework framework) {
    String options = "mode=enforce,inject=cpu,strategy=percentage";
    try (FrameworkApp app = FrameworkApp.start(framework, java().agent(options))) {
      SheddingTest.eventually(
          () -> {
            HttpConnection.Response response = app.get("/hello");
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.header("X-Hodor-Reason")).isEqualTo("cpu");
          });
      for (int i = 0; i < 50; ++i) {
        assertThat(app.probe(framework.probe).status()).isEqualTo(200);
      }
    }
  }

  private static TargetJvm.Builder java() {
    return TargetJvm.with(JavaRuntime.own());
  }

  private static Map<String, Answer> answers(FrameworkApp app) {
    Map<String, Answer> answers = new LinkedHashMap<>();
    for (String path : PATHS) {
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
