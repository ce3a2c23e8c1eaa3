package io.hodor.jetty;

import io.hodor.internal.Fields;
import io.hodor.internal.ServerAdapter;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Server;

/** Attaches to servers of Jetty 12 that know nothing of it. */
public final class Jetty12Servers implements ServerAdapter {
  @Override
  public void attach(Object target) throws Exception {
    Server server = (Server) target;
    Handler application = server.getHandler();
    if (!isGate(application)) {
      server.setHandler(new OverloadHandler(application));
    }
  }

  @Override
  public boolean attachLate(Object target) throws Exception {
    Server server = (Server) target;
    if (server.isStarting()) {
      return false;
    }
    Handler application = server.getHandler();
    if (server.isStarted() && !isGate(application)) {
      attachRunning(server, new OverloadHandler(application));
    }
    return true;
  }

  /** By name: the application may have registered the gate of its own copy. */
  private static boolean isGate(Handler handler) {
    return handler != null && handler.getClass().getName().equals(OverloadHandler.class.getName());
  }

  /**
   * A server that runs takes no other handler; so the gate is made to run and then put in place.
   */
  private static void attachRunning(Server server, OverloadHandler gate) throws Exception {
    gate.setServer(server);
    gate.start();
    if (!Fields.set(server, Handler.Wrapper.class, "_handler", Handler.class, gate)) {
      gate.stop();
      throw new NoSuchFieldException("Handler.Wrapper._handler");
    }
    // It stops with the server, and is shown where the server's parts are.
    server.addBean(gate, true);
  }
}
