package io.hodor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.hodor.Permit;
import org.junit.jupiter.api.Test;

class GateTest {
  private static final long SECOND = 1_000_000_000L;

  private final FakeBridge bridge = new FakeBridge();
  private final Shim shim = bridge.shim();

  @Test
  void anAdmittedRequestIsReleasedWithItsOutcome() {
    shim.acquire().close();
    shim.acquire().fail();
    assertThat(bridge.releases).containsExactly("1:0", "2:1");
  }

  @Test
  void aRequestThatIsNotCountedReleasesNothing() {
    bridge.answer = 0;
    Permit permit = shim.acquire();
    assertThat(permit.isAdmitted()).isTrue();
    assertThat(permit.started()).isSameAs(permit);
    permit.close();
    assertThat(bridge.releases).isEmpty();
  }

  @Test
  void aRejectionSaysWhyAndReleasesNothing() {
    bridge.reject(2);
    Permit permit = shim.acquire();
    assertThat(permit.isAdmitted()).isFalse();
    assertThat(permit.reason()).isEqualTo("cpu");
    assertThat(permit.status()).isEqualTo(503);
    assertThat(permit.retryAfterSeconds()).isBetween(1, 3);
    permit.close();
    permit.fail();
    assertThat(bridge.releases).isEmpty();
  }

  @Test
  void anExemptPathIsExemptAsLongAsTheAgentSaysSo() {
    assertThat(shim.isExempt("/health")).isTrue();
    assertThat(shim.isExempt("/pay")).isFalse();
    bridge.passesExempt = false;
    assertThat(shim.isExempt("/health")).isFalse();
    bridge.broken = new LinkageError("torn");
    assertThat(shim.isExempt("/health")).isTrue();
  }

  @Test
  void whoProbesIsNamedAndNothingIsThrown() {
    shim.probedBy("a channel");
    assertThat(bridge.probeChannels).isEmpty();
    shim.acquire().close();
    shim.probedBy("a channel");
    shim.probedBy(null);
    assertThat(bridge.probeChannels).containsExactly("a channel");
    bridge.broken = new LinkageError("torn");
    shim.probedBy("another");
  }

  @Test
  void onlyAPermitOfOursIsDroppedIfItsClientHasLeft() {
    Permit permit = shim.acquire();
    assertThat(shim.dropIfAbandoned(permit, "a channel")).isSameAs(permit);
    bridge.left = true;
    assertThat(shim.dropIfAbandoned(permit, null)).isSameAs(permit);
    assertThat(shim.dropIfAbandoned(Shim.EXEMPT, "a channel")).isSameAs(Shim.EXEMPT);
    assertThat(shim.dropIfAbandoned(permit, "a channel").isAdmitted()).isFalse();
    assertThat(bridge.releases).hasSize(1);
    bridge.broken = new LinkageError("torn");
    Permit other = shim.acquire();
    assertThat(shim.dropIfAbandoned(other, "a channel")).isSameAs(other);
  }

  @Test
  void aCauseOutsideTheListHasAName() {
    for (long answer : new long[] {-1, -6, -1000, Long.MIN_VALUE}) {
      bridge.answer = answer;
      assertThat(shim.acquire().reason()).as("%d", answer).isEqualTo("overload");
    }
  }

  @Test
  void rejectsWithDefaultsWhenThePageCannotBeRead() {
    Shim other = new FakeBridgeWithoutPage(bridge).shim();
    bridge.reject(2);
    Permit permit = other.acquire();
    assertThat(permit.isAdmitted()).isFalse();
    assertThat(permit.status()).isEqualTo(503);
    assertThat(permit.retryAfterSeconds()).isBetween(1, 3);
    assertThat(bridge.failures).hasSize(1);
  }

  @Test
  void aThreadThatCameTooLateDropsTheRequest() {
    bridge.starts = false;
    bridge.page.set("state.cause", 4);
    Permit permit = shim.acquire(true);
    Permit late = permit.started();
    assertThat(late.isAdmitted()).isFalse();
    assertThat(late.reason()).isEqualTo("queue");
    late.close();
    permit.close();
    assertThat(bridge.releases).containsExactly("1:2");
  }

  @Test
  void aRequestThatNeverGotItsThreadSaysSo() {
    Permit dropped = shim.acquire(true);
    dropped.fail();
    Permit served = shim.acquire(true);
    served.started();
    served.close();
    assertThat(bridge.releases).containsExactly("1:3", "2:0");
  }

  @Test
  void aThreadInTimeKeepsThePermit() {
    Permit permit = shim.acquire();
    assertThat(permit.started()).isSameAs(permit);
    assertThat(bridge.started).containsExactly(1L);
    assertThat(bridge.releases).isEmpty();
  }

  @Test
  void withoutAnAgentEverythingIsAdmittedAndSaidOnce() {
    bridge.broken = new UnsatisfiedLinkError("abi");
    for (int i = 0; i < 5; ++i) {
      assertThat(shim.acquire().isAdmitted()).isTrue();
      bridge.nanos.addAndGet(2 * SECOND);
    }
    assertThat(shim.isAvailable()).isFalse();
    assertThat(bridge.logged).hasSize(1).first().asString().startsWith("INFO").contains("no agent");
  }

  @Test
  void anAgentThatComesLateIsFoundWithinASecond() {
    bridge.broken = new UnsatisfiedLinkError("abi");
    assertThat(shim.isAvailable()).isFalse();
    bridge.broken = null;
    bridge.nanos.addAndGet(SECOND - 1);
    assertThat(shim.isAvailable()).isFalse();
    bridge.nanos.addAndGet(1);
    assertThat(shim.isAvailable()).isTrue();
    shim.acquire().close();
    assertThat(bridge.releases).hasSize(1);
  }

  @Test
  void anAgentOfAnotherVersionIsNotUsed() {
    bridge.abi = NativeBridge.ABI + 1;
    assertThat(shim.acquire().isAdmitted()).isTrue();
    bridge.nanos.addAndGet(SECOND);
    assertThat(shim.acquire().isAdmitted()).isTrue();
    assertThat(bridge.acquires).hasValue(0);
    assertThat(bridge.logged)
        .hasSize(1)
        .first()
        .asString()
        .startsWith("WARNING")
        .contains("" + bridge.abi);
  }

  @Test
  void whateverTheAgentThrowsTheRequestIsAdmittedAndOneWarningGiven() {
    assertThat(shim.isAvailable()).isTrue();
    for (Throwable failure :
        new Throwable[] {
          new UnsatisfiedLinkError(),
          new NoClassDefFoundError(),
          new OutOfMemoryError(),
          new StackOverflowError(),
          new IllegalStateException()
        }) {
      bridge.broken = failure;
      Permit permit = shim.acquire();
      assertThat(permit.isAdmitted()).isTrue();
      assertThat(permit.started().isAdmitted()).isTrue();
      permit.close();
    }
    assertThat(bridge.logged).hasSize(1).first().asString().startsWith("WARNING");
  }

  @Test
  void withoutMemoryNoLoggingSystemIsStarted() {
    assertThat(shim.isAvailable()).isTrue();
    for (Throwable failure : new Throwable[] {new OutOfMemoryError(), new StackOverflowError()}) {
      bridge.broken = failure;
      shim.acquire().close();
    }
    assertThat(bridge.logged).isEmpty();
  }

  @Test
  void aFailureWhileStartingServesTheRequest() {
    Permit permit = shim.acquire();
    bridge.broken = new IllegalStateException("start");
    assertThat(permit.started().isAdmitted()).isTrue();
    permit.close();
    assertThat(bridge.logged).hasSize(1);
  }

  @Test
  void aLoggerThatThrowsIsSurvived() {
    Shim silent =
        new Shim(
            bridge,
            bridge.nanos::get,
            (level, message) -> {
              throw new IllegalStateException("no logging");
            },
            () -> bridge.server);
    bridge.broken = new UnsatisfiedLinkError("abi");
    assertThat(silent.acquire().isAdmitted()).isTrue();
  }
}
