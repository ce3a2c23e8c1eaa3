package io.hodor.boot;

/**
 * What a server calls at its start if its class was loaded before the agent could get at it; the
 * call was put there by the agent. Always defined by the boot loader, so that every class sees it.
 */
public final class ServerStart {
  private ServerStart() {}

  /** Never throws: the server starts with or without us. */
  public static void starting(Object server) {
    try {
      tell(server);
    } catch (Throwable t) {
      // The agent has gone, or is not there yet; it looks for running servers when it comes.
    }
  }

  private static native void tell(Object server);
}
