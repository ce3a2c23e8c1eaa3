package io.hodor.jetty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hodor.internal.FakeBridge;
import io.hodor.internal.Shim;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the probe of Jetty's own pool says while threads are reserved. */
class ReservedThreadsTest {
  private static final int THREADS = 8;

  private final FakeBridge agent = new FakeBridge();
  private final Shim shim = agent.shim();
  private final CountDownLatch end = new CountDownLatch(1);
  private final QueuedThreadPool pool = new QueuedThreadPool(THREADS);

  @BeforeEach
  void occupyAllButAReservedThread() throws Exception {
    pool.setReservedThreads(1);
    pool.start();
    // Jetty reserves a thread when somebody asked for one in vain.
    assertThat(pool.tryExecute(this::block)).isFalse();
    await().until(() -> pool.getCurrentReservedThreads() == 1);
    for (int i = 1; i < THREADS; ++i) {
      pool.execute(this::block);
    }
    shim.watch(pool, "pool");
    agent.sendProbes(shim);
  }

  @AfterEach
  void stop() throws Exception {
    end.countDown();
    pool.stop();
  }

  @Test
  void anIdleReservedThreadMeansThatNobodyWaits() {
    agent.sendProbes(shim);
    assertThat(agent.probesStarted).as("the probe waits").hasValue(0);
    assertThat(agent.idlePools).hasValue(1);

    assertThat(pool.tryExecute(this::block)).isTrue();
    agent.sendProbes(shim);
    assertThat(agent.idlePools).as("it waits like everybody").hasValue(1);
  }

  @Test
  void aRequestThatIsQueuedAlreadyWaitsBesideAReservedThread() {
    pool.execute(this::block);
    agent.sendProbes(shim);
    assertThat(pool.getCurrentReservedThreads()).isEqualTo(1);
    assertThat(agent.idlePools).hasValue(0);
  }

  private void block() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the pool stops
    }
  }
}
