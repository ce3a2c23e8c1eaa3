package io.hodor.attach;

import io.hodor.internal.Shim;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;

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
   * In the background. A rehearsal that fails is given up, and that is said once.
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
      Stage server = new Stage(pool);
      Wire wire = new Wire(server);
      server.addConnector(wire);
      server.setHandler(gate);
      server.start();
      try {
        ask(wire);
      } finally {
        server.stop();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable t) {
      shim.failed("rehearsing rejections", t);
    }
  }

  private static void ask(Wire wire) throws Exception {
    LocalConnector.LocalEndPoint connection = wire.open();
    for (int i = 1; i <= REQUESTS; ++i) {
      connection.addInput(REQUEST);
      if (connection.getResponse(false, PATIENCE_SECONDS, TimeUnit.SECONDS) == null) {
        throw new TimeoutException("no answer to request " + i);
      }
      if (i % BURST == 0) {
        Thread.sleep(REST_MILLIS);
      }
      if (i % REQUESTS_PER_CONNECTION == 0) {
        connection.close();
        connection = wire.open();
      }
    }
    connection.close();
  }

  private static void startAll(Iterable<LifeCycle> parts) throws Exception {
    for (LifeCycle part : parts) {
      if (!part.isRunning()) {
        part.start();
      }
    }
  }

  private static void stopAll(Collection<LifeCycle> parts) throws Exception {
    Deque<LifeCycle> lastFirst = new ArrayDeque<>();
    parts.forEach(lastFirst::push);
    for (LifeCycle part : lastFirst) {
      part.stop();
    }
  }

  /** A server that starts and stops without a word in the application's log. */
  private static final class Stage extends Server {
    Stage(ThreadPool pool) {
      super(pool);
    }

    @Override
    protected void doStart() throws Exception {
      startAll(getBeans(LifeCycle.class));
    }

    @Override
    protected void doStop() throws Exception {
      stopAll(getBeans(LifeCycle.class));
    }
  }

  /** Connections within the JVM. It starts without a word, too, and thus without acceptors. */
  private static final class Wire extends LocalConnector {
    Wire(Server server) {
      super(server);
    }

    LocalEndPoint open() throws Exception {
      LocalEndPoint connection = connect();
      accept(0);
      return connection;
    }

    @Override
    public ConnectionFactory getDefaultConnectionFactory() {
      return getConnectionFactory(getDefaultProtocol());
    }

    // Else Jetty would close each connection after its first answer. Not an override everywhere.
    public boolean isShutdown() {
      return false;
    }

    @Override
    protected void doStart() throws Exception {
      startAll(getBeans(LifeCycle.class));
    }

    @Override
    protected void doStop() throws Exception {
      stopAll(getBeans(LifeCycle.class));
    }
  }
}
