package io.hodor.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/** The pools whose queues are probed. Any thread, but only one calls {@link #submitAll()}. */
final class Probes {
  private final Bridge bridge;
  private final Notices notices;
  private final List<QueueProbe> probes = new CopyOnWriteArrayList<>();

  Probes(Bridge bridge, Notices notices) {
    this.bridge = bridge;
    this.notices = notices;
  }

  /** Nothing happens if the pool is watched already, or if too many are. */
  synchronized void watch(Executor pool, String name) {
    for (QueueProbe probe : probes) {
      if (probe.watches(pool)) {
        return;
      }
    }
    int id = bridge.watchPool(name);
    if (id >= 0) {
      probes.add(new QueueProbe(bridge, notices, id, pool));
    }
  }

  synchronized void unwatch(Executor pool) {
    for (QueueProbe probe : probes) {
      if (probe.watches(pool)) {
        forget(probe);
      }
    }
  }

  void submitAll() {
    List<QueueProbe> gone = new ArrayList<>(0);
    for (QueueProbe probe : probes) {
      if (!submit(probe)) {
        gone.add(probe);
      }
    }
    gone.forEach(this::forget);
  }

  private boolean submit(QueueProbe probe) {
    try {
      return probe.submit();
    } catch (Throwable t) {
      // A pool that throws anything else is not worth asking ten times a second.
      notices.failed("probing a pool's queue", t);
      return false;
    }
  }

  private void forget(QueueProbe probe) {
    // Whoever removes it gives the id back: it may belong to another pool right after.
    if (probes.remove(probe)) {
      bridge.unwatchPool(probe.id());
    }
  }
}
