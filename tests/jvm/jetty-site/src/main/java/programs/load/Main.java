package programs.load;

import jakarta.servlet.Servlet;
import java.util.Scanner;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;
import programs.site.Pools;

/**
 * A server with a path for each kind of load, into which troubles are brought while it runs. It
 * knows nothing of the agent.
 */
public final class Main {
  private static final int MIN_THREADS = 8;
  // Jetty's default of 50 would hide the queue behind refused connections.
  private static final int ACCEPT_QUEUE = 4096;
  private static final int CONNECTIONS = 32;
  private static final long HOLD_MILLIS = 50;
  private static final long LOCK_MILLIS = 2;

  private Main() {}

  /**
   * Prints {@code LISTENING <port>}. Each line of standard input is one of {@link Troubles}; it is
   * answered by {@code DONE <line> <milliseconds that it took> <figure>}. The end of the input ends
   * the program.
   *
   * @param args {@code platform} and the most threads of the pool, or another of {@link Pools} and
   *     0; then the rounds of work of a request to {@code /cpu}
   */
  public static void main(String[] args) throws Exception {
    Work work = new Work(Long.parseLong(args[2]));
    Downstream downstream = new Downstream(CONNECTIONS, HOLD_MILLIS);
    Downstream lock = new Downstream(Integer.MAX_VALUE, LOCK_MILLIS);
    Troubles troubles = new Troubles(downstream, lock, new Ballast(), new Crowd(work));
    Server server = new Server(pool(args[0], Integer.parseInt(args[1])));
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    connector.setAcceptQueueSize(ACCEPT_QUEUE);
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler();
    context.setContextPath("/");
    add(context, new Requests.Hello(), "/hello");
    add(context, new Requests.Cpu(work), "/cpu");
    add(context, new Requests.Allocate(work), "/allocate");
    add(context, new Requests.Call(downstream), "/downstream");
    add(context, new Requests.Call(lock), "/lock");
    server.setHandler(context);
    server.start();
    System.out.println("LISTENING " + connector.getLocalPort());
    Scanner input = new Scanner(System.in);
    while (input.hasNextLine()) {
      String line = input.nextLine();
      long begin = System.nanoTime();
      long figure = troubles.bring(line);
      long millis = (System.nanoTime() - begin) / 1_000_000;
      System.out.println("DONE " + line + " " + millis + " " + figure);
    }
    // Handlers may block for good: no orderly end would come.
    Runtime.getRuntime().halt(0);
  }

  private static ThreadPool pool(String which, int threads) throws ReflectiveOperationException {
    return which.equals("platform") ? new QueuedThreadPool(threads, MIN_THREADS) : Pools.of(which);
  }

  private static void add(ServletContextHandler context, Servlet servlet, String path) {
    context.addServlet(new ServletHolder(servlet), path);
  }
}
