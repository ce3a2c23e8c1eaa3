package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application with gates and no agent. */
class WithoutAgentTest {
  @ParameterizedTest
  @ValueSource(strings = {"handler", "filter", "both"})
  void admitsEverythingAndSaysSoOnce(String gate) {
    try (JettyApp app = JettyApp.start(TargetJvm.with(JavaRuntime.own()), gate);
        HttpConnection connection = app.connect()) {
      for (int i = 0; i < 200; i++) {
        assertThat(connection.get("/hello").status()).isEqualTo(200);
      }
      assertThat(app.get("/fault/exception").status()).isEqualTo(500);
      app.jvm().awaitLine("Hodor: no agent in this JVM");
      assertThat(app.jvm().lines()).filteredOn(line -> line.contains("Hodor: no agent")).hasSize(1);
    }
  }
}
