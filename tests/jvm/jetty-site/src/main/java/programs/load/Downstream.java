package programs.load;

import java.util.concurrent.Semaphore;

/** A service that requests wait for: a pool of connections, each held for some time. */
final class Downstream {
  private final Semaphore connections;
  private volatile long holdMillis;

  Downstream(int connections, long holdMillis) {
    this.connections = new Semaphore(connections, true);
    this.holdMillis = holdMillis;
  }

  void call() throws InterruptedException {
    connections.acquire();
    try {
      Thread.sleep(holdMillis);
    } finally {
      connections.release();
    }
  }

  /** How long calls that begin from now on take. */
  void hold(long millis) {
    holdMillis = millis;
  }
}
