package io.hodor.internal;

/**
 * Puts a gate in front of the servers of one Jetty generation. Implementations live in a class
 * loader of their own below the one that has Jetty's classes.
 */
public interface ServerAdapter {
  /**
   * Called when a server starts, on the application's thread, before its handlers start; or at any
   * time for one that may be running. A server that has its gate already, or that does not run and
   * does not start, is left as it is.
   *
   * @param server an {@code org.eclipse.jetty.server.Server}, or a subclass
   */
  void attach(Object server) throws Exception;
}
