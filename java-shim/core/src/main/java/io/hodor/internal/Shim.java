package io.hodor.internal;

import io.hodor.Permit;
import io.hodor.jmx.Beans;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;

/**
 * All of the Java side around one {@link Bridge}. There is one for each copy of this library that a
 * class loader has made, and each works alone. Any thread; no method throws.
 */
public final class Shim {
  /** Request attribute that says that a request has its permit. */
  public static final String PERMIT_ATTRIBUTE = "io.hodor.permit";

  /** The permit of requests that nobody counts. */
  public static final Permit EXEMPT = Uncounted.INSTANCE;

  /** Send the probes. */
  public static final int TICK_PROBE = 1;

  /** The options or the state may have changed: tell the listeners. */
  public static final int TICK_STATE = 2;

  /** Register the MBeans: the platform's MBean server is there. */
  public static final int TICK_REGISTER = 4;

  /** Read allocation stalls from the flight recorder: asked once, if at all. */
  public static final int TICK_STALLS = 8;

  private final Bridge bridge;
  private final Notices notices;
  private final Probes probes;
  private final Attachments attachments;
  private final Gate gate;
  private final Supplier<MBeanServer> server;
  private final List<Runnable> optionListeners = new CopyOnWriteArrayList<>();
  private volatile Settings settings;
  private Beans beans;

  /** Around a bridge that is not the agent, for tests. */
  public Shim(
      Bridge bridge,
      LongSupplier nanoTime,
      BiConsumer<Level, String> log,
      Supplier<MBeanServer> server) {
    this.bridge = bridge;
    this.server = server;
    this.notices = new Notices(bridge, log);
    this.probes = new Probes(bridge, notices);
    this.attachments = new Attachments(bridge, probes, notices);
    this.gate = new Gate(bridge, nanoTime, notices, attachments::connect);
  }

  /** The one around the agent. */
  public static Shim get() {
    return Holder.SHIM;
  }

  /** Around no agent at all: every second request is rejected, nothing is counted. */
  public static Shim rehearsing() {
    return new Shim(
        new RehearsalBridge(), System::nanoTime, (level, text) -> {}, new PlatformServer());
  }

  public boolean isAvailable() {
    return gate.isAvailable();
  }

  /** Whether the agent is here and its mode is {@code enforce}. */
  public boolean enforces() {
    return settings().enforces;
  }

  /** Whether an overload goes on. The option listeners are told when one begins and ends. */
  public boolean isOverloaded() {
    return gate.isOverloaded();
  }

  /**
   * Whether a request of this path is neither rejected nor counted, which it is unless there are
   * too many of them. To be asked once for each request.
   *
   * @param path without the query, decoded or not; null: no
   */
  public boolean isExempt(String path) {
    return path != null && settings().exempt.matches(path) && gate.passExempt();
  }

  /**
   * The same for all requests of a connector. Asked once for each connector and each change of the
   * options, see {@link #addOptionListener}.
   *
   * @param name null: it has none
   * @param port 0 or less: it has none
   */
  public boolean isExemptConnector(String name, int port) {
    return settings().exemptsConnector(name, port);
  }

  private Settings settings() {
    Settings current = settings;
    if (current == null) {
      current = gate.isAvailable() ? readSettings() : Settings.DEFAULT;
    }
    return current;
  }

  private Settings readSettings() {
    Settings read = Settings.DEFAULT;
    try {
      read = new Settings(bridge.options());
    } catch (Throwable t) {
      notices.failed("reading the options", t);
    }
    settings = read;
    return read;
  }

  public Permit acquire() {
    return gate.acquire(false);
  }

  /**
   * Asks before the request is handed to a pool.
   *
   * @param queued false: it is not after all, it will be served right here
   */
  public Permit acquire(boolean queued) {
    return gate.acquire(queued);
  }

  /**
   * To be called in an overload right before the application sees an admitted request: one whose
   * client has left is dropped, as nobody would have the answer.
   *
   * @param channel of the request's connection; null, or no socket: nothing is known
   * @return the permit, or one that is not admitted; the given one is closed then
   */
  public Permit dropIfAbandoned(Permit permit, Object channel) {
    return permit instanceof CountedPermit && gate.hasLeft(channel)
        ? ((CountedPermit) permit).drop()
        : permit;
  }

  /**
   * A request of an exempt path has come.
   *
   * @param channel of its connection; null, or no socket: nothing is known
   */
  public void probedBy(Object channel) {
    gate.probedBy(channel);
  }

  /** Whether new connections to this port may be limited in an overload. */
  public void limitPort(int port, boolean may) {
    if (gate.isAvailable()) {
      gate.limitPort(port, may);
    }
  }

  /**
   * Whether a request may meet another gate: only then it has to carry {@link #PERMIT_ATTRIBUTE},
   * which is not for nothing.
   */
  public boolean mayMeetAnotherGate() {
    return gate.mayBeOneOfMany();
  }

  /** The pool is watched as soon as there is an agent, until {@link #unwatch} or its end. */
  public void watch(Executor pool, String name) {
    gate.isAvailable();
    attachments.watch(pool, name);
  }

  public void unwatch(Executor pool) {
    attachments.unwatch(pool);
  }

  /**
   * Says what stands in front of the application.
   *
   * @param what such as {@code Jetty 12.1.14 root handler, pool qtp123}
   */
  public void attached(String what) {
    gate.isAvailable();
    attachments.attached(what);
  }

  public void detached(String what) {
    attachments.detached(what);
  }

  /** An adapter's own code failed; the request it happened to is served all the same. */
  public void failed(String doing, Throwable cause) {
    notices.failed(doing, cause);
  }

  /**
   * To be called whenever an option or the state may have changed, soon after, by a thread of the
   * agent; so it must neither block nor throw. Until {@link #removeOptionListener}.
   */
  public void addOptionListener(Runnable listener) {
    optionListeners.add(listener);
  }

  public void removeOptionListener(Runnable listener) {
    optionListeners.remove(listener);
  }

  void tick(int flags) {
    try {
      if ((flags & TICK_REGISTER) != 0) {
        register();
      }
      if ((flags & TICK_STATE) != 0) {
        stateChanged();
      }
      if ((flags & TICK_STALLS) != 0) {
        AllocationStalls.read(bridge);
      }
      if ((flags & TICK_PROBE) != 0) {
        gate.isAvailable();
        probes.submitAll();
      }
    } catch (Throwable t) {
      notices.failed("the tick", t);
    }
  }

  private void stateChanged() throws JMException {
    readSettings();
    optionListeners.forEach(Runnable::run);
    if (beans != null) {
      beans.notifyListeners();
    }
  }

  private void register() {
    if (beans == null) {
      beans = new Beans(bridge, new MetricsPage(bridge.page(), bridge.layout()));
    }
    beans.register(server.get(), notices::nameTaken);
  }

  private static final class Holder {
    private static final Shim SHIM =
        new Shim(new JniBridge(), System::nanoTime, Notices::toSystemLogger, new PlatformServer());
  }

  /**
   * A class, not a lambda: linking one would load the management classes, which a small runtime
   * image may lack, when the first request comes.
   */
  private static final class PlatformServer implements Supplier<MBeanServer> {
    @Override
    public MBeanServer get() {
      return ManagementFactory.getPlatformMBeanServer();
    }
  }
}
