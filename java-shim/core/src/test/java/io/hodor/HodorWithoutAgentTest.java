package io.hodor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The public API in a JVM without the agent, as these tests' JVM is. */
class HodorWithoutAgentTest {
  @Test
  void everythingIsAdmitted() {
    assertThat(Hodor.isAvailable()).isFalse();
    Hodor.watch(Runnable::run, "direct");
    try (Permit permit = Hodor.tryAcquire()) {
      assertThat(permit.isAdmitted()).isTrue();
      assertThat(permit.reason()).isEmpty();
      assertThat(permit.status()).isZero();
      assertThat(permit.retryAfterSeconds()).isZero();
    }
    Hodor.unwatch(Runnable::run);
  }
}
