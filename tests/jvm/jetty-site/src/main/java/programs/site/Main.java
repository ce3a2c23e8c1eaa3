package programs.site;

import jakarta.servlet.Servlet;
import java.util.Scanner;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.ee10.websocket.jakarta.server.config.JakartaWebSocketServletContainerInitializer;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.ThreadPool;

/**
 * A site with what Jetty serves: HTTP/1.1, h2c and WebSocket on one port, TLS with HTTP/2 on
 * another, management on a third, and servlets of every kind.
 */
public final class Main {
  private static final int PARKED = 10_000;

  private Main() {}

  /**
   * Prints {@code PLAIN}, {@code TLS} and {@code MANAGEMENT} with their ports, then {@code
   * started}. A line {@code deploy} on standard input adds a context {@code /late}, {@code restart}
   * restarts the server; {@code another} starts one more with a pool of its own and
   * prints {@code ANOTHER} with its port, {@code park} has 10,000 tasks sleep in the pool; the end
   * of the input stops it.
   *
   * @param args a key store, whose password is {@code password}; which pool, see {@link Pools};
   *     {@code fixed}, {@code open}: takes further contexts while it runs, or {@code slow}: prints
   *     {@code STARTING} in the middle of the start, and goes on after a line of input
   */
  public static void main(String[] args) throws Exception {
    Scanner input = new Scanner(System.in);
    ContextHandlerCollection contexts = contexts(args[2].equals("open"));
    contexts.addHandler(site());
    Server server = new SiteServer(Pools.of(args[1]));
    ServerConnector plain = plain(server);
    ServerConnector tls = tls(server, args[0]);
    ServerConnector management =
        new ServerConnector(server, new HttpConnectionFactory(new HttpConfiguration()));
    management.setName("management");
    if (args[2].equals("slow")) {
      server.addBean(new SlowPart(input));
    }
    server.setHandler(contexts);
    server.addConnector(plain);
    server.addConnector(tls);
    server.addConnector(management);
    server.start();
    System.out.println("MODULE " + Server.class.getModule());
    System.out.println("PLAIN " + plain.getLocalPort());
    System.out.println("TLS " + tls.getLocalPort());
    System.out.println("MANAGEMENT " + management.getLocalPort());
    System.out.println("started");
    while (input.hasNextLine()) {
      String line = input.nextLine();
      if (line.equals("deploy")) {
        deploy(contexts);
        System.out.println("DEPLOYED");
      } else if (line.equals("restart")) {
        int port = plain.getLocalPort();
        server.stop();
        plain.setPort(port);
        server.start();
        System.out.println("RESTARTED");
      } else if (line.equals("another")) {
        Server another = new SiteServer(Pools.of(args[1]));
        ServerConnector connector = plain(another);
        another.addConnector(connector);
        another.setHandler(site());
        another.start();
        System.out.println("ANOTHER " + connector.getLocalPort());
      } else if (line.equals("park")) {
        Pools.park(server.getThreadPool(), PARKED);
        System.out.println("PARKED");
      }
    }
    server.stop();
    System.out.println("stopped");
    System.exit(0);
  }

  private static ServerConnector plain(Server server) {
    HttpConfiguration configuration = new HttpConfiguration();
    return new ServerConnector(
        server,
        new HttpConnectionFactory(configuration),
        new HTTP2CServerConnectionFactory(configuration));
  }

  private static ServerConnector tls(Server server, String keyStore) {
    HttpConfiguration configuration = new HttpConfiguration();
    ConnectionFactory http1 = new HttpConnectionFactory(configuration);
    ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
    alpn.setDefaultProtocol(http1.getProtocol());
    SslContextFactory.Server ssl = new SslContextFactory.Server();
    ssl.setKeyStorePath(keyStore);
    ssl.setKeyStorePassword("password");
    return new ServerConnector(
        server,
        new SslConnectionFactory(ssl, alpn.getProtocol()),
        alpn,
        new HTTP2ServerConnectionFactory(configuration),
        http1);
  }

  private static ServletContextHandler site() {
    ServletContextHandler context = new ServletContextHandler();
    context.setContextPath("/");
    add(context, new Servlets.Hello(), "/hello");
    add(context, new Servlets.Busy(), "/busy");
    add(context, new Servlets.Asleep(), "/asleep");
    add(context, new Servlets.Upload(), "/upload");
    add(context, new Servlets.Large(), "/large");
    add(context, new Servlets.Broken(), "/broken");
    add(context, new Servlets.Refusing(), "/refusing");
    add(context, new Servlets.ErrorPage(), "/error-page");
    add(context, new AsyncServlets.Later(), "/later");
    add(context, new AsyncServlets.Dispatched(), "/dispatched");
    add(context, new AsyncServlets.Never(), "/never");
    add(context, new AsyncServlets.Events(), "/events");
    ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
    errors.addErrorPage(IllegalStateException.class, "/error-page");
    errors.addErrorPage(409, "/error-page");
    context.setErrorHandler(errors);
    JakartaWebSocketServletContainerInitializer.configure(
        context, (servlets, container) -> container.addEndpoint(EchoSocket.class));
    return context;
  }

  private static void add(ServletContextHandler context, Servlet servlet, String path) {
    ServletHolder holder = new ServletHolder(servlet);
    holder.setAsyncSupported(true);
    context.addServlet(holder, path);
  }

  private static ContextHandlerCollection contexts(boolean open)
      throws ReflectiveOperationException {
    ContextHandlerCollection contexts = new ContextHandlerCollection();
    try {
      ContextHandlerCollection.class.getMethod("setDynamic", boolean.class).invoke(contexts, open);
    } catch (NoSuchMethodException e) {
      // Before Jetty 12 all are open.
    }
    return contexts;
  }

  private static void deploy(ContextHandlerCollection contexts) throws Exception {
    ServletContextHandler context = new ServletContextHandler();
    context.setContextPath("/late");
    add(context, new Servlets.Hello(), "/hello");
    contexts.addHandler(context);
    for (LifeCycle part : contexts.getBeans(LifeCycle.class)) {
      part.start(); // those that run already stay as they are
    }
  }

  /** Frameworks derive their servers from Jetty's. */
  private static final class SiteServer extends Server {
    SiteServer(ThreadPool pool) {
      super(pool);
    }

    @Override
    protected void doStart() throws Exception {
      setStopTimeout(1000);
      super.doStart();
    }
  }
}
