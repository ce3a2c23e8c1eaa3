package io.hodor.internal;

import java.lang.ref.WeakReference;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A small task that waits in a pool's queue like everybody else, so that the wait is known; while
 * it waits, its age is a lower bound. {@link #submit()} is called by one thread, {@link #carry()} by
 * any.
 *
 * <p>The scheduler of virtual threads runs what a virtual thread starts before what comes from
 * elsewhere, for seconds if there is enough of it. So where tasks run on virtual threads the probe
 * waits, until the next call of {@code submit}, for a request that carries it in.
 *
 * <p>One is out at a time, and a further one each time that the wait has doubled: a pool may drop a
 * task without a word, and the next one then shows that others get their thread. So a lost probe is
 * taken for a wait for some tenths of a second, and a pool that hangs for a day holds twenty.
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
  // Its tasks run on virtual threads: known from the first probe on.
  private volatile boolean virtual;
  // To be sent by the next request; whoever resets it sends it.
  private final AtomicBoolean due = new AtomicBoolean();
  // Held while one is sent. A sender that lost its CPU must not be waited for.
  private final AtomicBoolean sending = new AtomicBoolean();

  QueueProbe(Bridge bridge, Notices notices, int id, Executor pool) {
    this.bridge = bridge;
    this.notices = notices;
    this.id = id;
    this.pool = new WeakReference<>(pool);
    this.view = new PoolView(pool.getClass());
  }

  int id() {
    return id;
  }

  boolean watches(Executor executor) {
    return pool.get() == executor;
  }

  /** Sends a probe or leaves it to {@link #carry}. False: this pool is gone, watch it no more. */
  boolean submit() {
    if (virtual) {
      boolean waitsForRequest = due.compareAndSet(false, true);
      boolean wasCarried = !waitsForRequest && !due.compareAndSet(true, false);
      if (waitsForRequest || wasCarried) {
        return true;
      }
    }
    return sendAlone();
  }

  /** Whether a request is to carry it. */
  boolean isDue() {
    return due.get();
  }

  /** Sends the probe if it is due, from a virtual thread that serves a request. */
  void carry() {
    if (due.compareAndSet(true, false)) {
      sendAlone();
    }
  }

  private boolean sendAlone() {
    if (!sending.compareAndSet(false, true)) {
      return true;
    }
    try {
      return look();
    } finally {
      sending.set(false);
    }
  }

  private boolean look() {
    Executor executor = pool.get();
    if (executor == null || view.hasEnded(executor)) {
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
        bridge.probeStarted(id, stamp);
        virtual = VirtualThreads.isCurrent();
      } catch (Throwable t) {
        notices.failed("measuring a pool's queue", t);
      } finally {
        wait.over = true;
      }
    }
  }
}
