package io.hodor.internal;

import java.nio.ByteBuffer;

/**
 * The one place where Java meets the agent. The natives are found because the library is on {@code
 * -agentpath} (or was attached); without it each of them throws {@link UnsatisfiedLinkError}. They
 * may be called from any thread and never throw anything else.
 */
public final class NativeBridge {
  /** The version of this boundary that this class speaks. */
  static final int ABI = 5;

  /** The request was answered. */
  public static final int OUTCOME_COMPLETED = 0;

  /** An exception, a client that went away, a timeout: its latency says nothing. */
  public static final int OUTCOME_FAILED = 1;

  /** Admitted, then refused when its thread came too late; the application never saw it. */
  public static final int OUTCOME_DROPPED = 2;

  /** It was queued and never got its thread. */
  public static final int OUTCOME_NEVER_STARTED = 3;

  private NativeBridge() {}

  static native int abi();

  /**
   * Above 0: admitted, the permit. 0: admitted, not counted. Below 0: rejected, and the ordinal of
   * the cause is {@code -(value + 1)}.
   *
   * @param queued what is admitted waits for a thread of a pool, and then {@link #start} is called
   */
  static native long acquire(boolean queued);

  /** The permit got its thread. False: it waited too long in an overload and is to be dropped. */
  static native boolean start(long permit);

  static native void release(long permit, int outcome);

  /**
   * A request of an exempt path has come. True: it needs no permit. False: there were too many of
   * them in this second, and it is one like any other.
   */
  static native boolean passExempt();

  /**
   * Whether the client of a request has closed its connection, or has waited for too long, and the
   * request is to be dropped: only where requests may be rejected now. It is counted, so whoever
   * asks drops it.
   *
   * @param channel a {@link java.nio.channels.SocketChannel}; of anything else nothing is known
   */
  static native boolean hasLeft(Object channel);

  /**
   * A request of an exempt path has come: somebody asks whether the process lives, and in a storm
   * his new connections pass.
   *
   * @param channel a {@link java.nio.channels.SocketChannel}; of anything else nothing is known
   */
  static native void probedBy(Object channel);

  /**
   * Whether new connections to a port of this JVM may be limited: a gate stands before what is
   * served there.
   */
  static native void limitPort(int port, boolean may);

  /** The metrics page, in native byte order whatever the buffer says. */
  static native ByteBuffer page();

  /** Lines {@code field <name> <i64|f64|text> <offset> <capacity>} and {@code values <name> …}. */
  static native String layout();

  /** Lines {@code key=value}: what is in force. */
  static native String options();

  /** Null: done. Otherwise a sentence that says what was wrong and what would be right. */
  static native String setOption(String key, String value);

  static native void resetCounters();

  /** An id from 0 to 15, or -1 if too many pools are watched already. */
  static native int watchPool(String name);

  static native void unwatchPool(int id);

  /**
   * A probe is about to be handed to the pool. The answer is handed back when it runs.
   *
   * @param further the one before waits still, and its wait goes on; false: a wait begins
   */
  static native long probeSubmitted(int id, boolean further);

  static native void probeStarted(int id, long stamp);

  /** The probe waits though no request does: only from now on its wait may be somebody's. */
  static native void nobodyWaits(int id);

  /**
   * A thread waited so many nanoseconds for memory, as the flight recorder says. 0: it is read from
   * now on.
   */
  static native void stalled(long nanos);

  /** {@link Shim#TICK_STALLS} cannot be done. */
  static native void stallsUnreadable(String why);

  static native void attached(String what);

  static native void detached(String what);

  static native void failure(String what);

  /**
   * Called by the agent's control thread, never by a thread that serves requests.
   *
   * @param flags the sum of {@link Shim#TICK_PROBE}, {@link Shim#TICK_STATE}, {@link
   *     Shim#TICK_REGISTER} and {@link Shim#TICK_STALLS}
   */
  static void tick(int flags) {
    Shim.get().tick(flags);
  }

  /** Called by the agent when a Jetty server starts, on the application's thread. */
  static void serverStarting(Object server) {
    Servers.JETTY.attach(server);
  }

  /** Called by the agent for each Jetty server that is there when it is attached late. */
  static void serverFound(Object server) {
    Servers.JETTY.attachLate(server);
  }

  /** Only in JVMs that have a server. */
  private static final class Servers {
    static final JettyServers JETTY = new JettyServers();
  }
}
