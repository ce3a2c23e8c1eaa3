package io.hodor.internal;

import java.lang.ref.WeakReference;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/**
 * A small task that waits in a pool's queue like everybody else, so that the wait is known; while
 * it waits, its age is a lower bound. One is out at a time. {@link #submit()} is called by one
 * thread.
 */
final class QueueProbe {
  // Five seconds: a pool whose queue is bounded refuses in an overload, and that must stay visible,
  // but one that refuses for ever has been stopped.
  private static final int MAX_REFUSALS = 50;

  private final Bridge bridge;
  private final Notices notices;
  private final int id;
  private final WeakReference<Executor> pool;
  // Weak: a pool may drop a task without a word, and then only the collector knows.
  private WeakReference<Task> outstanding = new WeakReference<>(null);
  private int refusals;

  QueueProbe(Bridge bridge, Notices notices, int id, Executor pool) {
    this.bridge = bridge;
    this.notices = notices;
    this.id = id;
    this.pool = new WeakReference<>(pool);
  }

  int id() {
    return id;
  }

  boolean watches(Executor executor) {
    return pool.get() == executor;
  }

  /** Sends the probe unless it is still under way. False: this pool is gone, watch it no more. */
  boolean submit() {
    Executor executor = pool.get();
    if (executor == null || isShutDown(executor)) {
      return false;
    }
    Task last = outstanding.get();
    if (last != null && !last.done) {
      return true;
    }
    Task task = new Task();
    if (refusals == 0) {
      // While refused, the age of the first attempt goes on growing: so long nobody got in.
      bridge.probeSubmitted(id);
    }
    outstanding = new WeakReference<>(task);
    try {
      executor.execute(task);
      refusals = 0;
      return true;
    } catch (RejectedExecutionException e) {
      task.done = true;
      return ++refusals < MAX_REFUSALS;
    }
  }

  private static boolean isShutDown(Executor executor) {
    return executor instanceof ExecutorService && ((ExecutorService) executor).isShutdown();
  }

  private final class Task implements Runnable {
    private volatile boolean done;

    @Override
    public void run() {
      try {
        bridge.probeStarted(id);
      } catch (Throwable t) {
        notices.failed("measuring a pool's queue", t);
      } finally {
        done = true;
      }
    }
  }
}
