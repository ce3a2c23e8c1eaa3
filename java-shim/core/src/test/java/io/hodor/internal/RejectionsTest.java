package io.hodor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RejectionsTest {
  private final FakePage fake = FakePage.complete();
  private int drawn;
  private final Rejections rejections =
      new Rejections(new MetricsPage(fake.bytes(), fake.layout()), bound -> drawn % bound);

  @Test
  void theWaitIsDrawnFromOneToThreeSeconds() {
    for (drawn = 0; drawn < 3; ++drawn) {
      Rejection rejection = rejections.of(2);
      assertThat(rejection.retryAfterSeconds()).isEqualTo(drawn + 1);
      assertThat(rejection.retryAfter()).isEqualTo(String.valueOf(drawn + 1));
    }
  }

  @Test
  void aWaitThatIsSetIsTaken() {
    fake.set("settings.retryAfterSeconds", 7);
    drawn = 2;
    assertThat(rejections.of(2).retryAfterSeconds()).isEqualTo(7);
    fake.set("settings.retryAfterSeconds", 0);
    assertThat(rejections.of(2).retryAfterSeconds()).isEqualTo(3);
  }

  @Test
  void theStatusMayChangeWhileRunning() {
    assertThat(rejections.of(2).status()).isEqualTo(503);
    fake.set("settings.rejectStatus", 429);
    assertThat(rejections.of(2).status()).isEqualTo(429);
  }

  @Test
  void nonsenseOnThePageIsNotPassedOn() {
    fake.set("settings.rejectStatus", 200);
    fake.set("settings.retryAfterSeconds", -4);
    assertThat(rejections.of(2).status()).isEqualTo(503);
    assertThat(rejections.of(2).retryAfterSeconds()).isEqualTo(1);
    fake.set("settings.retryAfterSeconds", Long.MAX_VALUE);
    assertThat(rejections.of(2).retryAfterSeconds()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void theShareThatClosesItsConnectionIsDrawn() {
    assertThat(rejections.of(2).closesConnection()).isFalse();
    fake.set("connections.closing", 0.25);
    drawn = 255;
    assertThat(rejections.of(2).closesConnection()).isTrue();
    drawn = 256;
    assertThat(rejections.of(2).closesConnection()).isFalse();
    fake.set("connections.closing", Double.NaN);
    drawn = 0;
    assertThat(rejections.of(2).closesConnection()).isFalse();
  }

  @Test
  void equalRejectionsAreOneObject() {
    assertThat(rejections.of(3)).isSameAs(rejections.of(3));
    assertThat(rejections.of(3)).isNotSameAs(rejections.of(2));
  }

  @Test
  void theDefaultDrawCoversItsRange() {
    assertThat(java.util.stream.IntStream.range(0, 1000).map(i -> Rejections.below(3)).distinct())
        .containsExactlyInAnyOrder(0, 1, 2);
  }
}
