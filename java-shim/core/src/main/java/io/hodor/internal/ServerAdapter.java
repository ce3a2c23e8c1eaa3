package io.hodor.internal;

/**
 * Puts a gate in front of the servers of one Jetty generation. Implementations live in a class
 * loader of their own below the one that has Jetty's classes.
 */
public interface ServerAdapter {
  /**
   * Called when a server starts, on the application's thread, before any of its parts start. One
   * that has its gate already is left as it is.
   *
   * @param server an {@code org.eclipse.jetty.server.Server}, or a subclass
   */
  void attach(Object server) throws Exception;

  /**
   * Called for a server that was there before the agent, on any thread. One that has its gate
   * already, or that neither runs nor starts, is left as it is.
   *
   * @return false: some of its parts have started and some have not, so ask again later
   */
  boolean attachLate(Object server) throws Exception;
}
