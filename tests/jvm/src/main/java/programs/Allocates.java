package programs;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

/**
 * Keeps the garbage collector busy with a few threads, each of which holds on to some of what it
 * makes.
 */
public final class Allocates {
  private static final int THREADS = 3;
  private static final int BLOCK = 16 * 1024;
  private static final int BLOCKS_KEPT = 384;

  private Allocates() {}

  /**
   * @param args {@code forever}, or {@code exits}: {@code System.exit(7)} while all threads
   *     allocate
   */
  public static void main(String[] args) throws InterruptedException {
    CountDownLatch warm = new CountDownLatch(THREADS);
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(() -> allocate(warm));
      thread.setDaemon(true);
      thread.start();
    }
    warm.await();
    System.out.println("started");
    if (args[0].equals("exits")) {
      System.exit(7);
    }
    Thread.currentThread().join();
  }

  private static void allocate(CountDownLatch warm) {
    byte[][] kept = new byte[BLOCKS_KEPT][];
    for (int i = 0; ; i++) {
      try {
        kept[i % BLOCKS_KEPT] = new byte[BLOCK];
      } catch (OutOfMemoryError e) {
        // Concurrent collectors need room to breathe.
        Arrays.fill(kept, null);
      }
      if (i == 3 * BLOCKS_KEPT) {
        warm.countDown();
      }
    }
  }
}
