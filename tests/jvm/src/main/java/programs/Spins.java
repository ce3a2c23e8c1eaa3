package programs;

import java.util.concurrent.CountDownLatch;

/** Waits for a byte on its standard input, then keeps so many threads running for ever. */
public final class Spins {
  private Spins() {}

  /**
   * @param args how many threads
   */
  public static void main(String[] args) throws Exception {
    int threads = Integer.parseInt(args[0]);
    CountDownLatch go = new CountDownLatch(1);
    for (int i = 0; i < threads; i++) {
      Thread thread = new Thread(() -> spin(go));
      thread.setDaemon(true);
      thread.start();
    }
    System.out.println("started");
    if (System.in.read() >= 0) {
      go.countDown();
    }
    Thread.currentThread().join();
  }

  private static void spin(CountDownLatch go) {
    try {
      go.await();
    } catch (InterruptedException e) {
      return;
    }
    double x = 1;
    while (x > 0) {
      x = Math.sin(x) + 1.1;
    }
  }
}
