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
    if (isGate(application)) {
      return;
    }
    if (server.isStarting()) {
      server.setHandler(new OverloadHandler(application));
    } else if (server.isStarted()) {
      RunningServer.putBefore(server, Handler.Wrapper.class, new OverloadHandler(application));
    }
  }

  /** By name: the application may have registered the gate of its own copy. */
  private static boolean isGate(Handler handler) {
    return handler != null && handler.getClass().getName().equals(OverloadHandler.class.getName());
  }
}
