package io.hodor.boot;

/**
 * What a server calls at its start if its class was loaded before the agent could get at it; the
 * call was put there by the agent. Always defined by the boot loader, so that every class sees it.
 */
public final class ServerStart {
  private ServerStart() {}

  /** Never throws. */
  public static native void starting(Object server);
}
