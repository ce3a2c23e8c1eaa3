package io.hodor.internal;

import java.lang.ref.WeakReference;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * A small task that waits in a pool's queue like everybody else, so that the wait is known; while
 * it waits, its age is a lower bound. {@link #submit()} is called by one thread.
 *
 * <p>One is out at a time, and a further one each time that the wait has doubled: a pool may drop a
 * task without a word, and the next one then shows that others get their thread. So a lost probe is
 * taken for a wait for some tenths of a second, and a pool that hangs for a day holds twenty.
 *
 * <p>Virtual threads are not probed: their scheduler is not fair, and a task of ours waits for most
 * of a second where requests wait for milliseconds, as long as something else keeps the CPUs busy.
 */
final class QueueProbe {
  /** So many looks after it was sent, a probe may be lost: 300 ms under load. */
  private static final int PATIENCE = 3;

  // Five seconds: a pool whose queue is bounded refuses in an overload, and that must stay visible,
  // but one that refuses for ever, and does not say that it runs, has been stopped.
  private static final int MAX_REFUSALS = 50;

  private final Bridge bridge;
  private final Notices notices;
  private final int id;
  private final WeakReference<Executor> pool;
  private final PoolView view;
  // Weak: if the pool has dropped all of its probes, only the collector knows.
  private WeakReference<Wait> current = new WeakReference<>(null);
  // Held while the pool refuses: the time since its first refusal counts.
  private Wait refused;
  private int refusals;
  // Known from the first probe on where the pool does not say so.
  private volatile boolean virtual;

  QueueProbe(Bridge bridge, Notices notices, int id, Executor pool) {
    this.bridge = bridge;
    this.notices = notices;
    this.id = id;
    this.pool = new WeakReference<>(pool);
    this.view = new PoolView(pool.getClass());
    this.virtual = view.isVirtual(pool);
  }

  int id() {
    return id;
  }

  boolean watches(Executor executor) {
    return pool.get() == executor;
  }

  /** Sends a probe if one is due. False: watch this pool no more. */
  boolean submit() {
    Executor executor = pool.get();
    if (executor == null || virtual || view.hasEnded(executor)) {
      return false;
    }
    Wait wait = current.get();
    if (wait == null || wait.over) {
      wait = new Wait();
      current = new WeakReference<>(wait);
      return send(executor, wait, false);
    }
    if (wait.probes > 0) {
      if (view.nobodyWaits(executor, wait.probes)) {
        bridge.nobodyWaits(id);
      }
      if (++wait.looks < wait.nextProbe) {
        return true;
      }
      wait.nextProbe *= 2;
    }
    return send(executor, wait, true);
  }

  private boolean send(Executor executor, Wait wait, boolean further) {
    Task task = new Task(wait, bridge.probeSubmitted(id, further));
    try {
      executor.execute(task);
      ++wait.probes;
      refused = null;
      refusals = 0;
      return true;
    } catch (RejectedExecutionException e) {
      if (wait.probes > 0) {
        return true; // that one waits on
      }
      refused = wait;
      return ++refusals < MAX_REFUSALS || view.runs(executor);
    }
  }

  /** From the first probe until one of its probes runs. */
  private static final class Wait {
    volatile boolean over;
    int probes;
    int looks;
    int nextProbe = PATIENCE;
  }

  private final class Task implements Runnable {
    private final Wait wait;
    private final long stamp;

    Task(Wait wait, long stamp) {
      this.wait = wait;
      this.stamp = stamp;
    }

    @Override
    public void run() {
      try {
        virtual = VirtualThreads.isCurrent();
        bridge.probeStarted(id, stamp);
      } catch (Throwable t) {
        notices.failed("measuring a pool's queue", t);
      } finally {
        wait.over = true;
      }
    }
  }
}
