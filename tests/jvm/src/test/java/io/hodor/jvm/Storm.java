package io.hodor.jvm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that open a connection for each request, give up soon, and come back at once: what turns
 * an overload into a storm.
 */
final class Storm implements AutoCloseable {
  private static final int CLIENTS = 250;
  private static final int PATIENCE_MILLIS = 300;
  private static final long PERIOD_NANOS = 50_000_000;

  private final InetAddress from;
  private final InetSocketAddress server;
  private final byte[] request;
  private final List<Thread> threads = new ArrayList<>();
  private final LongAdder attempts = new LongAdder();
  private volatile boolean ended;

  private Storm(String from, JettyApp app, String path) throws IOException {
    this.from = InetAddress.getByName(from);
    this.server = new InetSocketAddress("127.0.0.1", app.port());
    this.request =
        ("GET " + path + " HTTP/1.1\r\nHost: storm\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Up to 5,000 connections a second.
   *
   * @param from the clients' address, of 127.0.0.0/8
   */
  static Storm start(String from, JettyApp app, String path) throws IOException {
    Storm storm = new Storm(from, app, path);
    for (int i = 0; i < CLIENTS; i++) {
      Thread thread = new Thread(storm::blow, "storm " + i);
      thread.setDaemon(true);
      storm.threads.add(thread);
      thread.start();
    }
    return storm;
  }

  /** Connections that were tried. */
  long attempts() {
    return attempts.sum();
  }

  private void blow() {
    while (!ended) {
      long begin = System.nanoTime();
      attempts.increment();
      try (Socket socket = new Socket()) {
        socket.bind(new InetSocketAddress(from, 0));
        // Ports that wait for a minute after each connection would run out.
        socket.setSoLinger(true, 0);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(server, PATIENCE_MILLIS);
        socket.getOutputStream().write(request);
        socket.getInputStream().read();
      } catch (IOException e) {
        // Not answered in time, or refused: that is what a storm is made of.
      }
      LockSupport.parkNanos(begin + PERIOD_NANOS - System.nanoTime());
    }
  }

  @Override
  public void close() {
    ended = true;
    for (Thread thread : threads) {
      try {
        thread.join(TargetJvm.PATIENCE.toMillis());
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
