package io.hodor.jetty;

import io.hodor.attach.RunningServer;
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
      server.setHandler(gateFor(application));
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
      RunningServer.putBefore(server, Handler.Wrapper.class, gateFor(application));
    }
    return true;
  }

  private static OverloadHandler gateFor(Handler application) {
    return application instanceof Handler.Collection
        ? new CollectionHandler((Handler.Collection) application)
        : new OverloadHandler(application);
  }

  /** By name, too: the application may have registered the gate of its own copy. */
  private static boolean isGate(Handler handler) {
    return handler instanceof OverloadHandler
        || (handler != null
            && handler.getClass().getName().equals(OverloadHandler.class.getName()));
  }
}
