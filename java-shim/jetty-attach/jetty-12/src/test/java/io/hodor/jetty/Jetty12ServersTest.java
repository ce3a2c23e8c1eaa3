package io.hodor.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import io.hodor.testing.RawHttp;
import java.util.List;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.DefaultHandler;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class Jetty12ServersTest {
  private final Jetty12Servers servers = new Jetty12Servers();
  private final Server server = new Server();
  private final Handler known = new Answering();

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  @Test
  void putsOneGateBeforeAHandler() throws Exception {
    server.setHandler(known);
    servers.attach(server);
    servers.attach(server);
    assertThat(server.getHandler())
        .isInstanceOf(OverloadHandler.class)
        .isNotInstanceOf(Handler.Collection.class);
    assertThat(((OverloadHandler) server.getHandler()).getHandler()).isSameAs(known);
  }

  @Test
  void putsOneGateBeforeNothing() throws Exception {
    servers.attach(server);
    servers.attach(server);
    assertThat(((OverloadHandler) server.getHandler()).getHandler()).isNull();
  }

  /** Apache CXF does, after the start. */
  @Test
  void anApplicationMayCastToTheCollectionThatItHasPutThere() throws Exception {
    Handler.Sequence application = new Handler.Sequence(true, List.of(known));
    server.setHandler(application);
    ServerConnector connector = new ServerConnector(server);
    server.addConnector(connector);
    servers.attach(server);
    server.start();

    Handler.Collection found = (Handler.Collection) server.getHandler();
    assertThat(found).isNotSameAs(application);
    Handler other = new DefaultHandler();
    found.addHandler(known);
    found.addHandler(other);
    assertThat(application.getHandlers()).containsExactly(known, other);
    assertThat(RawHttp.statusOf(connector.getLocalPort(), "/")).isEqualTo(200);
    assertThat(found.removeHandler(other)).isTrue();
    assertThat(application.getHandlers()).containsExactly(known);
    found.setHandlers(List.of(other));
    assertThat(application.getHandlers()).containsExactly(other);
  }

  private static final class Answering extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      callback.succeeded();
      return true;
    }
  }
}
