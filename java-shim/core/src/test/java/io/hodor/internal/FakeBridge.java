package io.hodor.internal;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;

/** Plays the agent: answers as told, and remembers what it was asked. Any thread. */
public final class FakeBridge implements Bridge {
  /** Every release in order: {@code <permit>:<outcome>}. */
  public final List<String> releases = new CopyOnWriteArrayList<>();

  public final List<String> failures = new CopyOnWriteArrayList<>();
  public final List<String> attached = new CopyOnWriteArrayList<>();
  public final List<Long> started = new CopyOnWriteArrayList<>();
  public final Map<Integer, String> pools = new ConcurrentHashMap<>();
  public final AtomicInteger probesSubmitted = new AtomicInteger();
  public final AtomicInteger probesStarted = new AtomicInteger();

  /** Those of {@link #probesSubmitted} that were the first of their wait. */
  public final AtomicInteger waitsBegun = new AtomicInteger();

  /** How often it was told that nobody waits. */
  public final AtomicInteger idlePools = new AtomicInteger();

  /** Of the flight recorder, in nanoseconds. */
  public final List<Long> stalls = new CopyOnWriteArrayList<>();

  public final List<String> unreadableStalls = new CopyOnWriteArrayList<>();

  public final AtomicInteger acquires = new AtomicInteger();
  public final AtomicInteger resets = new AtomicInteger();
  public final List<String> logged = new CopyOnWriteArrayList<>();
  public final FakePage page = FakePage.complete();

  /** Not null: every method throws this. */
  public volatile Throwable broken;

  public volatile int abi = NativeBridge.ABI;

  public volatile String mode = "monitor";

  /** What {@link #acquire()} answers; above 0 it counts up from there. */
  public volatile long answer = 1;

  public volatile boolean starts = true;
  public volatile boolean passesExempt = true;
  public volatile boolean left;
  public final Set<Integer> limitedPorts = ConcurrentHashMap.newKeySet();
  public final Set<Object> probeChannels = ConcurrentHashMap.newKeySet();
  public volatile String complaint;
  public final AtomicLong nanos = new AtomicLong(-5_000_000_000L);
  public final MBeanServer server = MBeanServerFactory.newMBeanServer();

  private final AtomicLong permits = new AtomicLong();

  /** All of the Java side, around this agent. */
  public Shim shim() {
    return new Shim(this, nanos::get, this::log, () -> server);
  }

  void log(Level level, String message) {
    logged.add(level + " " + message);
  }

  Notices notices() {
    return new Notices(this, this::log);
  }

  /** The mode is changed at run time, and the agent tells the shim. */
  public void changeMode(Shim shim, String newMode) {
    mode = newMode;
    shim.tick(Shim.TICK_STATE);
  }

  /** An overload begins or ends, and the agent tells the shim. */
  public void changeOverload(Shim shim, boolean overloaded) {
    page.set("state.overloaded", overloaded ? 1L : 0L);
    shim.tick(Shim.TICK_STATE);
  }

  /** The agent wants probes sent. */
  public void sendProbes(Shim shim) {
    shim.tick(Shim.TICK_PROBE);
  }

  /** The next requests are rejected for the cause of this ordinal: 2 is cpu, 4 is queue. */
  public void reject(int cause) {
    answer = -(cause + 1);
  }

  private void touch() {
    Throwable failure = broken;
    if (failure instanceof Error) {
      throw (Error) failure;
    }
    if (failure != null) {
      throw (RuntimeException) failure;
    }
  }

  @Override
  public int abi() {
    touch();
    return abi;
  }

  @Override
  public long acquire(boolean queued) {
    touch();
    acquires.incrementAndGet();
    long now = answer;
    return now > 0 ? now + permits.getAndIncrement() : now;
  }

  @Override
  public boolean start(long permit) {
    touch();
    started.add(permit);
    return starts;
  }

  @Override
  public void release(long permit, int outcome) {
    touch();
    releases.add(permit + ":" + outcome);
  }

  @Override
  public boolean passExempt() {
    touch();
    return passesExempt;
  }

  @Override
  public boolean hasLeft(Object channel) {
    touch();
    return left;
  }

  @Override
  public void probedBy(Object channel) {
    touch();
    probeChannels.add(channel);
  }

  @Override
  public void limitPort(int port, boolean may) {
    touch();
    if (may) {
      limitedPorts.add(port);
    } else {
      limitedPorts.remove(port);
    }
  }

  @Override
  public ByteBuffer page() {
    touch();
    return page.bytes();
  }

  @Override
  public String layout() {
    touch();
    return page.layout();
  }

  @Override
  public String options() {
    touch();
    return "mode=" + mode + "\nexempt=/health*+/a=b\n";
  }

  @Override
  public String setOption(String key, String value) {
    touch();
    return complaint;
  }

  @Override
  public void resetCounters() {
    touch();
    resets.incrementAndGet();
  }

  @Override
  public int watchPool(String name) {
    touch();
    for (int id = 0; id < 16; ++id) {
      if (pools.putIfAbsent(id, name) == null) {
        return id;
      }
    }
    return -1;
  }

  @Override
  public void unwatchPool(int id) {
    touch();
    pools.remove(id);
  }

  @Override
  public long probeSubmitted(int id, boolean further) {
    touch();
    if (!further) {
      waitsBegun.incrementAndGet();
    }
    return probesSubmitted.incrementAndGet();
  }

  @Override
  public void probeStarted(int id, long stamp) {
    touch();
    probesStarted.incrementAndGet();
  }

  @Override
  public void nobodyWaits(int id) {
    touch();
    idlePools.incrementAndGet();
  }

  @Override
  public void stalled(long nanos) {
    touch();
    stalls.add(nanos);
  }

  @Override
  public void stallsUnreadable(String why) {
    touch();
    unreadableStalls.add(why);
  }

  @Override
  public void attached(String what) {
    touch();
    attached.add(what);
  }

  @Override
  public void detached(String what) {
    touch();
    attached.remove(what);
  }

  @Override
  public void failure(String what) {
    touch();
    failures.add(what);
  }
}
