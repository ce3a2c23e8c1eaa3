package io.hodor.attach;

import io.hodor.internal.Shim;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;

/**
 * Has the path of a rejection compiled before it is needed. Where it was never taken, the JVM has
 * compiled the server's code as if it never would be; the first seconds of an overload would then
 * be spent on throwing that code away and compiling it anew, on the very CPUs that are short.
 *
 * <p>A server of its own is asked by one thread, slowly, for some seconds or until an overload
 * begins; every second request is rejected. The application's server, its logs and its counters see
 * nothing. The connections are real ones, as the JVM compiles for the classes that it has met; the
 * port that makes one is bound to the loopback address and closed again before the first request.
 */
public final class Rehearsal implements Runnable {
  /**
   * Enough for the last stage of compilation for each of the two ways: HotSpot asks for it after
   * 5,000 calls (Tier4InvocationThreshold), and the profile of the stage before begins later.
   */
  private static final int REQUESTS = 16_000;

  /** Beyond 64, as a longer one grows in another way. */
  private static final int LONG_QUEUE = 200;

  private static final int REQUESTS_PER_CONNECTION = 20;

  /** Requests in a row, and the rest after them: a tenth of a CPU or so. */
  private static final int BURST = 100;

  private static final long REST_MILLIS = 20;
  private static final int PATIENCE_MILLIS = 5000;

  private static final byte[] REQUEST =
      "GET / HTTP/1.1\r\nHost: rehearsal\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final String END_OF_HEADERS = "\r\n\r\n";
  private static final String CLOSE = "Connection: close";

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

  /** In a flood the selectors' queues grow, which in normal times they never do. */
  private static void growQueue() {
    Deque<Thread> queue = new ArrayDeque<>();
    for (int length = 0; length < LONG_QUEUE; ++length) {
      queue.offer(Thread.currentThread());
    }
  }

  private void ask(Wire wire) throws IOException, InterruptedException {
    // In an overload the CPUs are needed, and the real rejections are compiled anyway.
    for (int i = 0; i < REQUESTS && !shim.isOverloaded(); ) {
      growQueue();
      try (Socket client = wire.connect()) {
        client.setSoTimeout(PATIENCE_MILLIS);
        // No memory of thousands of closed connections in the kernel.
        client.setSoLinger(true, 0);
        InputStream in = client.getInputStream();
        boolean open = true;
        for (int onThis = 0; open && onThis < REQUESTS_PER_CONNECTION; ++onThis) {
          client.getOutputStream().write(REQUEST);
          open = skipAnswer(in);
          if (++i % BURST == 0) {
            Thread.sleep(REST_MILLIS);
          }
        }
      }
    }
  }

  /**
   * No answer has a body.
   *
   * @return whether the connection stays
   */
  private static boolean skipAnswer(InputStream in) throws IOException {
    byte[] buffer = new byte[1024];
    StringBuilder headers = new StringBuilder();
    while (headers.indexOf(END_OF_HEADERS) < 0) {
      int length = in.read(buffer);
      if (length < 0) {
        throw new EOFException("a connection was closed before its answer");
      }
      headers.append(new String(buffer, 0, length, StandardCharsets.US_ASCII));
    }
    return headers.indexOf(CLOSE) < 0;
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

  /**
   * Connections of this thread to the server. Listens only while it makes one. It starts without a
   * word, too, and thus without acceptors.
   */
  private static final class Wire extends ServerConnector {
    Wire(Server server) {
      super(server, 0, 1);
    }

    Socket connect() throws IOException {
      Socket client = new Socket();
      try (ServerSocketChannel listener = ServerSocketChannel.open()) {
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        client.connect(listener.getLocalAddress(), PATIENCE_MILLIS);
        SocketChannel accepted = listener.accept();
        if (!client.getLocalSocketAddress().equals(accepted.getRemoteAddress())) {
          accepted.close();
          throw new IOException("somebody else connected");
        }
        accepted.configureBlocking(false);
        getSelectorManager().accept(accepted);
        return client;
      } catch (Throwable t) {
        client.close();
        throw t;
      }
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
