package io.hodor.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class QueueProbeTest {
  private final FakeBridge bridge = new FakeBridge();
  private final Shim shim = bridge.shim();
  private final Queue<Runnable> queue = new ArrayDeque<>();
  private final Executor pool = queue::add;

  @Test
  void oneProbeIsOutAtATime() {
    shim.watch(pool, "pool");
    probe();
    probe();
    assertThat(queue).hasSize(1);
    assertThat(bridge.waitsBegun).hasValue(1);
    assertThat(bridge.probesSubmitted).hasValue(1);
    assertThat(bridge.probesStarted).hasValue(0);

    queue.remove().run();
    assertThat(bridge.probesStarted).hasValue(1);
    probe();
    assertThat(queue).hasSize(1);
    assertThat(bridge.waitsBegun).hasValue(2);
  }

  @Test
  void aWaitThatDoublesIsLookedAtWithAFurtherProbe() {
    shim.watch(pool, "pool");
    for (int tick = 0; tick < 10_000; ++tick) {
      probe();
    }
    assertThat(bridge.waitsBegun).hasValue(1);
    assertThat(queue).hasSizeBetween(10, 14);

    Runnable lost = queue.remove();
    queue.remove().run();
    queue.clear();
    assertThat(bridge.probesStarted).hasValue(1);
    probe();
    assertThat(bridge.waitsBegun).hasValue(2);
    assertThat(queue).hasSize(1);
    assertThat(lost).isNotNull();
  }

  @Test
  void anIdleReservedThreadMeansThatNobodyWaits() {
    Reserving reserving = new Reserving();
    shim.watch(reserving, "reserving");
    probe();
    assertThat(bridge.idlePools).hasValue(0);
    reserving.idle = 1;
    probe();
    assertThat(bridge.idlePools).hasValue(1);
    reserving.queued = 2;
    probe();
    assertThat(bridge.idlePools).as("a request waits behind the probe").hasValue(1);
    reserving.queued = 1;
    reserving.idle = 0;
    probe();
    assertThat(bridge.idlePools).as("the next request would wait").hasValue(1);
  }

  /** As Jetty's pool has it; all of its threads are busy but the reserved ones. */
  public static final class Reserving implements Executor {
    int idle;
    int queued;

    public int getAvailableReservedThreads() {
      return idle;
    }

    public int getQueueSize() {
      return queued;
    }

    @Override
    public void execute(Runnable task) {
      ++queued;
    }
  }

  /** Their scheduler is not fair. */
  @Test
  void aPoolOfVirtualThreadsIsForgottenUnprobed() {
    Virtual virtual = new Virtual();
    shim.watch(virtual, "virtual");
    assertThat(bridge.pools).hasSize(1);
    probe();
    assertThat(bridge.pools).isEmpty();
    assertThat(bridge.probesSubmitted).hasValue(0);
  }

  /** As Jetty has it. */
  public static final class Virtual implements Executor {
    public Executor getVirtualThreadsExecutor() {
      return this;
    }

    @Override
    public void execute(Runnable task) {}
  }

  @Test
  void aTickWithoutItsFlagSendsNoProbe() {
    shim.watch(pool, "pool");
    shim.tick(Shim.TICK_STATE);
    assertThat(queue).isEmpty();
  }

  @Test
  void aPoolIsWatchedOnceAndUntilItIsUnwatched() {
    shim.watch(pool, "pool");
    shim.watch(pool, "pool");
    assertThat(bridge.pools).hasSize(1).containsValue("pool");
    shim.unwatch(pool);
    shim.unwatch(pool);
    assertThat(bridge.pools).isEmpty();
    probe();
    assertThat(queue).isEmpty();
  }

  @Test
  void aProbeThatThePoolDroppedIsSentAgain() {
    shim.watch(pool, "pool");
    probe();
    queue.clear();
    await()
        .untilAsserted(
            () -> {
              System.gc();
              probe();
              assertThat(queue).hasSize(1);
            });
  }

  @Test
  void aPoolThatNobodyHoldsIsForgotten() {
    shim.watch(new ArrayDeque<Runnable>()::add, "short-lived");
    await()
        .untilAsserted(
            () -> {
              System.gc();
              probe();
              assertThat(bridge.pools).isEmpty();
            });
  }

  @Test
  void aPoolThatIsShutDownIsForgotten() {
    ExecutorService service = Executors.newSingleThreadExecutor();
    shim.watch(service, "pool");
    service.shutdown();
    probe();
    assertThat(bridge.pools).isEmpty();
    assertThat(bridge.probesSubmitted).hasValue(0);
  }

  @Test
  void aFullQueueKeepsTheAgeOfTheFirstAttempt() {
    boolean[] full = {true};
    Executor bounded =
        task -> {
          if (full[0]) {
            throw new RejectedExecutionException("full");
          }
          queue.add(task);
        };
    shim.watch(bounded, "bounded");
    probe();
    System.gc();
    probe();
    assertThat(bridge.waitsBegun).hasValue(1);
    assertThat(bridge.pools).hasSize(1);

    full[0] = false;
    probe();
    queue.remove().run();
    assertThat(bridge.waitsBegun).hasValue(1);
    assertThat(bridge.probesStarted).hasValue(1);
    probe();
    assertThat(bridge.waitsBegun).hasValue(2);
  }

  @Test
  void aPoolThatAlwaysRefusesIsForgotten() {
    Executor stopped =
        task -> {
          throw new RejectedExecutionException("stopped");
        };
    shim.watch(stopped, "stopped");
    for (int i = 0; i < 50; ++i) {
      assertThat(bridge.pools).as("after %d probes", i).hasSize(1);
      probe();
    }
    assertThat(bridge.pools).isEmpty();
    assertThat(bridge.logged).isEmpty();
  }

  @Test
  void aPoolThatRunsIsWatchedHoweverLongItRefuses() {
    Refusing full = new Refusing();
    shim.watch(full, "full");
    for (int i = 0; i < 200; ++i) {
      probe();
    }
    assertThat(bridge.pools).hasSize(1);
    assertThat(bridge.waitsBegun).hasValue(1);
    full.running = false;
    probe();
    assertThat(bridge.pools).isEmpty();
  }

  /** As Jetty's pool has it when its queue is full. */
  public static final class Refusing implements Executor {
    boolean running = true;

    public boolean isRunning() {
      return running;
    }

    @Override
    public void execute(Runnable task) {
      throw new RejectedExecutionException("full");
    }
  }

  @Test
  void aPoolThatThrowsIsForgottenAndTheOthersAreProbed() {
    Executor broken =
        task -> {
          throw new IllegalStateException("broken");
        };
    shim.watch(broken, "broken");
    shim.watch(pool, "pool");
    probe();
    assertThat(bridge.pools).hasSize(1).containsValue("pool");
    assertThat(queue).hasSize(1);
    assertThat(bridge.failures).hasSize(1);
  }

  @Test
  void theSeventeenthPoolWaitsForAPlace() {
    Executor[] pools = new Executor[17];
    for (int i = 0; i < pools.length; ++i) {
      pools[i] = new ArrayDeque<Runnable>()::add;
      shim.watch(pools[i], "pool" + i);
    }
    assertThat(bridge.pools).hasSize(16);
    probe();
    assertThat(bridge.probesSubmitted).hasValue(16);
    shim.unwatch(pools[3]);
    assertThat(bridge.pools).as("its place is taken").hasSize(16).containsValue("pool16");
  }

  @Test
  void aProbeNeverThrowsIntoThePool() {
    shim.watch(pool, "pool");
    probe();
    bridge.broken = new OutOfMemoryError();
    queue.remove().run();
    bridge.broken = null;
    probe();
    assertThat(queue).hasSize(1);
  }

  private void probe() {
    shim.tick(Shim.TICK_PROBE);
  }
}
