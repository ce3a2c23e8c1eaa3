package io.hodor.jetty9;

import io.hodor.attach.RunningServer;
import io.hodor.internal.ServerAdapter;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.HandlerWrapper;

/** Attaches to servers of Jetty 9.4 to 11 that know nothing of it. */
public final class Jetty9Servers implements ServerAdapter {
  @Override
  public void attach(Object target) throws Exception {
    Server server = (Server) target;
    Handler application = server.getHandler();
    if (!(application instanceof OverloadHandler)) {
      server.setHandler(gateFor(server, application));
    }
  }

  @Override
  public boolean attachLate(Object target) throws Exception {
    Server server = (Server) target;
    if (server.isStarting()) {
      return false;
    }
    Handler application = server.getHandler();
    if (server.isStarted() && !(application instanceof OverloadHandler)) {
      RunningServer.putBefore(server, HandlerWrapper.class, gateFor(server, application));
    }
    return true;
  }

  private static OverloadHandler gateFor(Server server, Handler application) {
    OverloadHandler gate = new OverloadHandler();
    gate.setServer(server);
    if (application != null) {
      gate.setHandler(application);
    }
    return gate;
  }
}
