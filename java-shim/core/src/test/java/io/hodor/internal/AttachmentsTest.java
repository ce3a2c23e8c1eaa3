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
  void aPoolBehindTwoGatesIsWatchedUntilBothHaveLeft() {
    Attachment handler = Attachment.begin(shim, "root handler", pool);
    Attachment filter = Attachment.begin(shim, "filter", pool);
    assertThat(bridge.pools).hasSize(1);
    filter.end();
    assertThat(bridge.pools).hasSize(1);
    handler.end();
    assertThat(bridge.pools).isEmpty();
    assertThat(bridge.attached).isEmpty();
  }

  @Test
  void anAttachmentNamesItsPoolOrSaysThatItIsUnknown() {
    Attachment.begin(shim, "filter", new Named());
    Attachment.begin(shim, "filter", new Unnamed());
    Attachment.begin(shim, "filter", "not a pool");
    Attachment.begin(shim, "filter", null).end();
    assertThat(bridge.attached)
        .containsExactly("filter, pool qtp7", "filter, pool Unnamed", "filter, no pool known");
    assertThat(bridge.pools.values())
        .containsExactlyInAnyOrder("qtp7 of filter", "Unnamed of filter");
  }

  @Test
  void aPoolWithoutANameIsCalledByItsKind() {
    assertThat(PoolView.nameOf(new Nameless())).isEqualTo("Nameless");
  }

  public static final class Nameless extends Unnamed {
    public String getName() {
      return null;
    }
  }

  /** As Jetty's pool has it. */
  public static final class Named extends Unnamed {
    public String getName() {
      return "qtp7";
    }
  }

  public static class Unnamed implements Executor {
    @Override
    public void execute(Runnable task) {}
  }

  @Test
  void aTickNeverThrows() {
    bridge.broken = new NoClassDefFoundError();
    shim.tick(-1);
    assertThat(bridge.logged).isNotEmpty();
  }
}
