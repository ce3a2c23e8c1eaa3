package io.hodor.internal;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * What the Java side says: each kind of thing once, however often it happens. Failures are also
 * counted by the agent. Any thread; no method throws.
 */
final class Notices {
  private final Bridge bridge;
  private final BiConsumer<Level, String> log;
  private final AtomicBoolean absent = new AtomicBoolean();
  private final AtomicBoolean otherVersion = new AtomicBoolean();
  private final AtomicBoolean failed = new AtomicBoolean();
  private final AtomicBoolean nameTaken = new AtomicBoolean();

  Notices(Bridge bridge, BiConsumer<Level, String> log) {
    this.bridge = bridge;
    this.log = log;
  }

  /** Finds the logger only when there is something to say: it may start the logging system. */
  static void toSystemLogger(Level level, String message) {
    System.getLogger("io.hodor").log(level, message);
  }

  void absent() {
    once(
        absent,
        Level.INFO,
        "Hodor: no agent in this JVM, every request is admitted"
            + " (start it with -agentpath:/path/to/libhodor.so)");
  }

  void otherVersion(int abi) {
    once(
        otherVersion,
        Level.WARNING,
        "Hodor: the agent speaks version "
            + abi
            + " and this library version "
            + NativeBridge.ABI
            + "; every request is admitted. Use files of the same release");
  }

  void nameTaken(String name, Throwable cause) {
    once(nameTaken, Level.WARNING, "Hodor: the MBean " + name + " is not registered: " + cause);
  }

  /**
   * Something of ours failed; the request it happened to is served all the same. Without memory or
   * stack only the agent is told: a logging system that starts then leaves classes of the JDK that
   * the application can never use again.
   */
  void failed(String doing, Throwable cause) {
    try {
      String what = doing + " failed: " + cause;
      if (!(cause instanceof VirtualMachineError)) {
        once(
            failed,
            Level.WARNING,
            "Hodor: " + what + " (the request is served; from now on this is only counted)");
      }
      bridge.failure(what);
    } catch (Throwable t) {
      // No agent to count it, or no memory to say it: the request is what matters.
    }
  }

  private void once(AtomicBoolean said, Level level, String message) {
    try {
      if (!said.get() && said.compareAndSet(false, true)) {
        log.accept(level, message);
      }
    } catch (Throwable t) {
      // A logging system that fails must not fail the application's request.
    }
  }
}
