package io.hodor.internal;

import io.hodor.Permit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Asks the agent for each request, and admits whenever the agent cannot answer: it is absent, of
 * another version, or anything of ours throws. Any thread; no method throws.
 */
final class Gate {
  private static final long CHECK_NANOS = 1_000_000_000L;

  private final Bridge bridge;
  private final LongSupplier nanoTime;
  private final Notices notices;
  private final Runnable onAvailable;
  private final AtomicLong nextCheck;

  private volatile boolean available;
  // Of the agent as soon as there is one: made when first needed they would make the JVM throw away
  // compiled code at the first rejection.
  private volatile Rejections rejections = new Rejections();
  // Where nobody counts there may be several.
  private volatile LiveNumber gates = LiveNumber.fixed(Integer.MAX_VALUE);
  private volatile LiveNumber overloaded = LiveNumber.fixed(0);

  /**
   * @param nanoTime a monotonic clock
   * @param onAvailable run once, by the first thread that finds the agent
   */
  Gate(Bridge bridge, LongSupplier nanoTime, Notices notices, Runnable onAvailable) {
    this.bridge = bridge;
    this.nanoTime = nanoTime;
    this.notices = notices;
    this.onAvailable = onAvailable;
    this.nextCheck = new AtomicLong(nanoTime.getAsLong());
  }

  /**
   * @param queued the request will wait for a thread of a pool if it is admitted
   */
  Permit acquire(boolean queued) {
    if (!available && !isAvailable()) {
      return Uncounted.INSTANCE;
    }
    try {
      CountedPermit counted = new CountedPermit(this, queued);
      long answer = bridge.acquire(queued);
      if (answer > 0) {
        counted.permit = answer;
        return counted;
      }
      return answer == 0 ? Uncounted.INSTANCE : rejections.of(-(answer + 1));
    } catch (Throwable t) {
      notices.failed("asking for a permit", t);
      return Uncounted.INSTANCE;
    }
  }

  /** Whether a request of an exempt path needs no permit. True in doubt. */
  boolean passExempt() {
    if (!available && !isAvailable()) {
      return true;
    }
    try {
      return bridge.passExempt();
    } catch (Throwable t) {
      notices.failed("counting an exempt request", t);
      return true;
    }
  }

  boolean start(long permit) {
    try {
      return bridge.start(permit);
    } catch (Throwable t) {
      notices.failed("starting a request", t);
      return true;
    }
  }

  /** Whether the client of a request has left, in an overload. No in doubt. */
  boolean hasLeft(Object channel) {
    try {
      return channel != null && bridge.hasLeft(channel);
    } catch (Throwable t) {
      notices.failed("looking for a client", t);
      return false;
    }
  }

  void probedBy(Object channel) {
    try {
      if (channel != null && available) {
        bridge.probedBy(channel);
      }
    } catch (Throwable t) {
      notices.failed("naming a probe", t);
    }
  }

  void limitPort(int port, boolean may) {
    try {
      bridge.limitPort(port, may);
    } catch (Throwable t) {
      notices.failed("naming a port", t);
    }
  }

  void release(long permit, int outcome) {
    try {
      bridge.release(permit, outcome);
    } catch (Throwable t) {
      notices.failed("releasing a permit", t);
    }
  }

  /** The answer to a request that got its thread too late. */
  Permit tooLate() {
    try {
      return rejections.ofCurrentCause();
    } catch (Throwable t) {
      notices.failed("rejecting a request", t);
      return new Rejections().ofCurrentCause();
    }
  }

  /** Looks for the agent at most once a second while there is none. */
  boolean isAvailable() {
    if (available) {
      return true;
    }
    long now = nanoTime.getAsLong();
    long next = nextCheck.get();
    if (now - next < 0 || !nextCheck.compareAndSet(next, now + CHECK_NANOS)) {
      return false;
    }
    if (!answers()) {
      return false;
    }
    readPage();
    available = true;
    onAvailable.run();
    return true;
  }

  private boolean answers() {
    try {
      int abi = bridge.abi();
      if (abi == NativeBridge.ABI) {
        return true;
      }
      notices.otherVersion(abi);
    } catch (Throwable t) {
      notices.absent();
    }
    return false;
  }

  /**
   * Whether a request may have come through another gate, of any copy of this library, or may come
   * to one: then it has to carry what the first one decided.
   */
  boolean mayBeOneOfMany() {
    return gates.get() > 1;
  }

  /** Whether an overload goes on; no without an agent. */
  boolean isOverloaded() {
    return isAvailable() && overloaded.get() != 0;
  }

  private void readPage() {
    try {
      MetricsPage page = new MetricsPage(bridge.page(), bridge.layout());
      rejections = new Rejections(page, Rejections::below);
      gates = LiveNumber.of(page, "hodor.gates");
      overloaded = LiveNumber.of(page, "state.overloaded");
    } catch (RuntimeException | LinkageError e) {
      notices.failed("reading the settings", e);
    }
  }
}
