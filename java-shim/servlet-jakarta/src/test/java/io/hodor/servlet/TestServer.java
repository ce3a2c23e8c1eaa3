package io.hodor.servlet;

import io.hodor.internal.FakeBridge;
import io.hodor.testing.RawHttp;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;

/** A Jetty server with one application behind the filter, and an agent that is played. */
final class TestServer implements AutoCloseable {
  /** What a servlet does with a request. */
  interface Application {
    void serve(HttpServletRequest request, HttpServletResponse response) throws Exception;
  }

  final FakeBridge agent = new FakeBridge();
  final AtomicInteger served = new AtomicInteger();
  private final Server server = new Server();
  private final ServerConnector connector;

  TestServer(Application application) throws Exception {
    this(application, "/*");
  }

  /** With one filter for each of the paths. */
  TestServer(Application application, String... filterPaths) throws Exception {
    HttpConfiguration plain = new HttpConfiguration();
    plain.setSendServerVersion(false);
    plain.setSendDateHeader(false);
    connector = new ServerConnector(server, new HttpConnectionFactory(plain));
    server.addConnector(connector);

    ServletContextHandler context = new ServletContextHandler("/");
    for (String path : filterPaths) {
      FilterHolder filter = new FilterHolder(new OverloadFilter(agent.shim()));
      filter.setAsyncSupported(true);
      context.addFilter(filter, path, EnumSet.allOf(DispatcherType.class));
    }
    ServletHolder servlet = new ServletHolder(new Servlet(application));
    servlet.setAsyncSupported(true);
    context.addServlet(servlet, "/*");
    server.setHandler(context);
    server.start();
  }

  RawHttp connect() throws IOException {
    return new RawHttp(connector.getLocalPort());
  }

  /** The status of the answer to one request on a connection of its own. */
  int get(String path) throws IOException {
    return RawHttp.statusOf(connector.getLocalPort(), path);
  }

  /** Ends every request that is still there. */
  void stop() {
    LifeCycle.stop(server);
  }

  @Override
  public void close() {
    stop();
  }

  private final class Servlet extends HttpServlet {
    private final transient Application application;

    Servlet(Application application) {
      this.application = application;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) {
      served.incrementAndGet();
      try {
        application.serve(request, response);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
