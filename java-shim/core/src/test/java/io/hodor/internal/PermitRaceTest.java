package io.hodor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.hodor.Permit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

class PermitRaceTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 2_000;

  @Test
  void whicheverThreadsCloseItAPermitIsReleasedOnce() throws Exception {
    FakeBridge bridge = new FakeBridge();
    Shim shim = bridge.shim();
    CyclicBarrier barrier = new CyclicBarrier(THREADS);
    Permit[] current = new Permit[1];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; ++i) {
      boolean first = i == 0;
      boolean fails = i % 2 == 0;
      threads.add(
          new Thread(
              () -> {
                try {
                  for (int round = 0; round < ROUNDS; ++round) {
                    if (first) {
                      current[0] = shim.acquire();
                    }
                    barrier.await();
                    if (fails) {
                      current[0].fail();
                    } else {
                      current[0].close();
                    }
                    barrier.await();
                  }
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(bridge.releases).hasSize(ROUNDS);
    assertThat(bridge.releases.stream().map(release -> release.split(":")[0]))
        .doesNotHaveDuplicates();
  }
}
