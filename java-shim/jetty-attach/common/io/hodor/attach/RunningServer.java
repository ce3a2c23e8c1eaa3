package io.hodor.attach;

import io.hodor.internal.Fields;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Server;

/** A server that runs takes no other handler; so the gate is made to run and then put in place. */
public final class RunningServer {
  private RunningServer() {}

  /**
   * Puts a gate before the application's handler, which is its child already.
   *
   * @param wrapper the class that declares the server's field {@code _handler}
   * @throws NoSuchFieldException if it does not; the server runs on as it is
   */
  public static void putBefore(Server server, Class<?> wrapper, Handler gate) throws Exception {
    gate.setServer(server);
    gate.start();
    if (!Fields.set(server, wrapper, "_handler", Handler.class, gate)) {
      gate.stop();
      throw new NoSuchFieldException(wrapper.getName() + "._handler");
    }
    // It stops with the server, and is shown where the server's parts are.
    server.addBean(gate, true);
  }
}
