package programs.load;

import java.util.concurrent.ThreadLocalRandom;

/** Threads that serve no requests. */
final class Crowd {
  private static final long STACK = 128 * 1024;
  // Of the work of a request: what a thread does when it wakes up.
  private static final double WORK = 0.1;
  private static final long IDLE_MILLIS = 5000;
  private static final long SHORT_LIFE_MILLIS = 2;
  private static final long TICK_MILLIS = 10;
  private static final long TICKS = 1000 / TICK_MILLIS;

  private final Work work;
  private volatile long result;

  Crowd(Work work) {
    this.work = work;
  }

  /** Threads that wait, and work for a moment every five seconds, each in its turn. */
  long gather(long threads) {
    for (long i = 0; i < threads; i++) {
      start("idle-" + i, this::idle);
    }
    return threads;
  }

  /** Starts so many threads each second; each works for a moment and ends. */
  long storm(long perSecond) {
    start("storm", () -> rage(perSecond));
    return perSecond;
  }

  private void idle() {
    try {
      Thread.sleep(ThreadLocalRandom.current().nextLong(IDLE_MILLIS));
      while (true) {
        result = work.run(WORK);
        Thread.sleep(IDLE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void rage(long perSecond) {
    try {
      for (long due = 0, started = 0; ; due += perSecond) {
        for (; started < due / TICKS; started++) {
          start("short-" + started, this::liveShortly);
        }
        Thread.sleep(TICK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void liveShortly() {
    try {
      result = work.run(WORK);
      Thread.sleep(SHORT_LIFE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void start(String name, Runnable body) {
    Thread thread = new Thread(null, body, name, STACK);
    thread.setDaemon(true);
    thread.start();
  }
}
