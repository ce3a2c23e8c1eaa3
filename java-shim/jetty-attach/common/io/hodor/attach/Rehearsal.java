package io.hodor.attach;

import io.hodor.internal.Shim;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Has the path of a rejection compiled before it is needed. Where it was never taken, the JVM has
 * compiled the server's code as if it never would be; the first seconds of an overload would then
 * be spent on throwing that code away and compiling it anew, on the very CPUs that are short.
 *
 * <p>A server of its own, without a port, is asked by one thread, slowly, for a few seconds; every
 * second request is rejected. The application's server, its logs and its counters see nothing.
 */
public final class Rehearsal implements Runnable {
  /** Enough for the last stage of compilation (15,000 calls) for each of the two ways. */
  private static final int REQUESTS = 40_000;

  private static final int REQUESTS_PER_CONNECTION = 20;

  /** Requests in a row, and the rest after them: a tenth of a CPU or so. */
  private static final int BURST = 100;

  private static final long REST_MILLIS = 20;
  private static final long PATIENCE_SECONDS = 5;

  private static final String REQUEST = "GET / HTTP/1.1\r\nHost: rehearsal\r\n\r\n";

  private final Shim shim;
  private final Handler gate;

  private Rehearsal(Shim shim, Handler gate) {
    this.shim = shim;
    this.gate = gate;
  }

  /**
   * In the background; a rehearsal that fails is given up.
   *
   * @param shim told of a failure
   * @param gate rejects as {@link Shim#rehearsing()} says, before an application that answers at
   *     once
   */
  public static void begin(Shim shim, Handler gate) {
    Thread thread = new Thread(new Rehearsal(shim, gate), "hodor-rehearsal");
    thread.setDaemon(true);
    thread.setPriority(Thread.MIN_PRIORITY);
    thread.start();
  }

  @Override
  public void run() {
    try {
      QueuedThreadPool pool = new QueuedThreadPool(4, 1);
      pool.setName("hodor-rehearsal");
      pool.setDaemon(true);
      Server server = new Server(pool);
      LocalConnector connector = new LocalConnector(server);
      server.addConnector(connector);
      server.setHandler(gate);
      server.start();
      try {
        ask(connector);
      } finally {
        server.stop();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable t) {
      shim.failed("rehearsing rejections", t);
    }
  }

  private static void ask(LocalConnector connector) throws Exception {
    LocalConnector.LocalEndPoint connection = connector.connect();
    for (int i = 1; i <= REQUESTS; ++i) {
      connection.addInput(REQUEST);
      if (connection.getResponse(false, PATIENCE_SECONDS, TimeUnit.SECONDS) == null) {
        return;
      }
      if (i % BURST == 0) {
        Thread.sleep(REST_MILLIS);
      }
      if (i % REQUESTS_PER_CONNECTION == 0) {
        connection.close();
        connection = connector.connect();
      }
    }
    connection.close();
  }
}
