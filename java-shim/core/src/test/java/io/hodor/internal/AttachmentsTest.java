package io.hodor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class AttachmentsTest {
  private final FakeBridge bridge = new FakeBridge();
  private final Shim shim = bridge.shim();
  private final Executor pool = task -> {};

  @Test
  void placesComeAndGo() {
    shim.attached("root handler");
    assertThat(bridge.attached).containsExactly("root handler");
    shim.detached("root handler");
    shim.detached("root handler");
    assertThat(bridge.attached).isEmpty();
  }

  @Test
  void anAgentThatComesLateLearnsWhatIsThere() {
    Executor gone = task -> {};
    bridge.broken = new UnsatisfiedLinkError();
    shim.watch(pool, "qtp1");
    shim.watch(gone, "qtp2");
    shim.unwatch(gone);
    shim.attached("root handler");
    shim.attached("filter");
    shim.detached("filter");
    bridge.broken = null;
    bridge.nanos.addAndGet(1_000_000_000L);

    shim.acquire().close();
    assertThat(bridge.pools).containsOnlyKeys(0).containsValue("qtp1");
    assertThat(bridge.attached).containsExactly("root handler");
  }

  @Test
  void anAgentThatFailsDoesNotFailTheServer() {
    assertThat(shim.isAvailable()).isTrue();
    bridge.broken = new IllegalStateException();
    shim.watch(pool, "qtp1");
    shim.attached("filter");
    shim.detached("filter");
    shim.unwatch(pool);
    assertThat(bridge.logged).hasSize(1);
  }

  @Test
  void aTickNeverThrows() {
    bridge.broken = new NoClassDefFoundError();
    shim.tick(-1);
    assertThat(bridge.logged).isNotEmpty();
  }
}
