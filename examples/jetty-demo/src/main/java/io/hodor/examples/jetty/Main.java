package io.hodor.examples.jetty;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A Jetty server with one path for each kind of overload. It knows nothing of Hodor. */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    run(args, UnaryOperator.identity(), context -> {});
  }

  /**
   * Runs the server until it is stopped.
   *
   * @param root what stands in front of the application
   * @param more what else belongs to the application
   */
  public static void run(
      String[] args, UnaryOperator<Handler> root, Consumer<ServletContextHandler> more)
      throws Exception {
    Flags flags;
    try {
      flags = Flags.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    if (flags.help()) {
      System.out.println(Flags.HELP);
      return;
    }
    Work work = flags.rounds() > 0 ? new Work(flags.rounds()) : Work.calibrated(flags.workMillis());
    System.out.println("CALIBRATED " + work.rounds());

    QueuedThreadPool pool = new QueuedThreadPool(flags.threads(), flags.minThreads());
    if (flags.virtual()) {
      pool.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
    }
    Server server = new Server(pool);
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    connector.setPort(flags.port());
    // Jetty's default of 50 would hide the shedder behind refused connections.
    connector.setAcceptQueueSize(flags.acceptQueue());
    server.addConnector(connector);
    ServletContextHandler application = application(flags, work);
    more.accept(application);
    server.setHandler(root.apply(application));
    server.setStopAtShutdown(true);
    server.start();
    System.out.println("LISTENING " + connector.getLocalPort());
    server.join();
  }

  private static ServletContextHandler application(Flags flags, Work work) {
    ServletContextHandler context = new ServletContextHandler("/");
    add(context, "/cpu", new Loads.Cpu(work));
    add(context, "/downstream", new Loads.Downstream());
    add(context, "/memory", new Loads.Memory(work, flags.memoryKb()));
    add(context, "/health", new Loads.Trivial("healthy"));
    add(context, "/hello", new Loads.Trivial("hello"));
    add(context, "/fault/*", new Faults());
    return context;
  }

  private static void add(
      ServletContextHandler context, String path, jakarta.servlet.http.HttpServlet servlet) {
    ServletHolder holder = new ServletHolder(servlet);
    holder.setAsyncSupported(true);
    context.addServlet(holder, path);
  }
}
