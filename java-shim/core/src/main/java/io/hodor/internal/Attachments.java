package io.hodor.internal;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * What stands in front of an application and which pools serve it. Remembered here, because the
 * agent may come after the server has started. Any thread; no method throws.
 */
final class Attachments {
  private final Bridge bridge;
  private final Probes probes;
  private final Notices notices;
  private final List<Watched> pools = new ArrayList<>();
  private final List<String> places = new ArrayList<>();
  private boolean connected;

  Attachments(Bridge bridge, Probes probes, Notices notices) {
    this.bridge = bridge;
    this.probes = probes;
    this.notices = notices;
  }

  /** Once for each gate that stands before the pool: it is watched until the last one has left. */
  synchronized void watch(Executor pool, String name) {
    pools.removeIf(Watched::isGone);
    Watched watched = find(pool);
    if (watched == null) {
      watched = new Watched(pool, name);
      pools.add(watched);
    }
    ++watched.gates;
    if (connected) {
      tell(watched);
    }
  }

  synchronized void unwatch(Executor pool) {
    Watched watched = find(pool);
    if (watched != null && --watched.gates == 0) {
      pools.remove(watched);
      if (connected) {
        attempt(() -> probes.unwatch(pool));
        // There may have been one too many; now there is room for it.
        pools.forEach(this::tell);
      }
    }
  }

  private Watched find(Executor pool) {
    for (Watched watched : pools) {
      if (watched.pool.get() == pool) {
        return watched;
      }
    }
    return null;
  }

  synchronized void attached(String what) {
    places.add(what);
    if (connected) {
      attempt(() -> bridge.attached(what));
    }
  }

  synchronized void detached(String what) {
    if (places.remove(what) && connected) {
      attempt(() -> bridge.detached(what));
    }
  }

  /** The agent is there: tells it all that it has missed. */
  synchronized void connect() {
    connected = true;
    for (Watched watched : pools) {
      tell(watched);
    }
    for (String place : places) {
      attempt(() -> bridge.attached(place));
    }
  }

  private void tell(Watched watched) {
    Executor pool = watched.pool.get();
    if (pool != null) {
      attempt(() -> probes.watch(pool, watched.name));
    }
  }

  private void attempt(Runnable step) {
    try {
      step.run();
    } catch (Throwable t) {
      notices.failed("telling the agent of a server", t);
    }
  }

  private static final class Watched {
    private final WeakReference<Executor> pool;
    private final String name;
    private int gates;

    Watched(Executor pool, String name) {
      this.pool = new WeakReference<>(pool);
      this.name = name;
    }

    boolean isGone() {
      return pool.get() == null;
    }
  }
}
