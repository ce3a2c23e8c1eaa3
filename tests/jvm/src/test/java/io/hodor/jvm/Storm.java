package io.hodor.jvm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;

/**
 * Clients that open a connection for each request, give up soon, and come back at once: what turns
 * an overload into a storm.
 */
final class Storm implements AutoCloseable {
  private static final int CLIENTS = 250;
  private static final int PATIENCE_MILLIS = 300;
  private static final int PATIENT_CONNECT_MILLIS = 900;
  private static final int PATIENT_MILLIS = 10_000;
  private static final byte[] OK = "HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII);
  private static final long PERIOD_NANOS = 50_000_000;

  private final InetAddress from;
  private final InetSocketAddress server;
  private final byte[] request;
  private final List<Thread> threads = new ArrayList<>();
  private final LongAdder attempts = new LongAdder();
  private final LongAdder served = new LongAdder();
  private volatile boolean ended;

  private Storm(String from, int port, String path) throws IOException {
    this.from = InetAddress.getByName(from);
    this.server = new InetSocketAddress("127.0.0.1", port);
    this.request = request(path);
  }

  /**
   * Up to 5,000 connections a second.
   *
   * @param from the clients' address, of 127.0.0.0/8
   */
  static Storm start(String from, int port, String path) throws IOException {
    Storm storm = new Storm(from, port, path);
    for (int i = 0; i < CLIENTS; i++) {
      Thread thread = new Thread(storm::blow, "storm " + i);
      thread.setDaemon(true);
      storm.threads.add(thread);
      thread.start();
    }
    return storm;
  }

  /**
   * Whether a new connection gets through within a second and is answered, whatever the answer is.
   */
  static boolean passes(String from, int port, String path) {
    return passes(from, port, path, Optional.empty());
  }

  /**
   * @param tls of the client; empty: the port is a plain one
   */
  static boolean passes(String from, int port, String path, Optional<SSLContext> tls) {
    try (Socket socket = new Socket()) {
      socket.bind(new InetSocketAddress(from, 0));
      // Before the kernel asks a second time.
      socket.connect(new InetSocketAddress("127.0.0.1", port), PATIENT_CONNECT_MILLIS);
      socket.setSoTimeout(PATIENT_MILLIS);
      if (tls.isPresent()) {
        return isAnswered(
            tls.get().getSocketFactory().createSocket(socket, "localhost", port, true), path);
      }
      return isAnswered(socket, path);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isAnswered(Socket socket, String path) throws IOException {
    socket.getOutputStream().write(request(path));
    return socket.getInputStream().read() >= 0;
  }

  /** Answers that were no rejections, and came in time. */
  long served() {
    return served.sum();
  }

  private static byte[] request(String path) {
    return ("GET " + path + " HTTP/1.1\r\nHost: storm\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  /** Connections that were tried. */
  long attempts() {
    return attempts.sum();
  }

  private void blow() {
    while (!ended) {
      long start = System.nanoTime();
      attempts.increment();
      try (Socket socket = new Socket()) {
        socket.bind(new InetSocketAddress(from, 0));
        // Ports that wait for a minute after each connection would run out.
        socket.setSoLinger(true, 0);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(server, PATIENCE_MILLIS);
        socket.getOutputStream().write(request);
        byte[] begin = socket.getInputStream().readNBytes(OK.length);
        if (Arrays.equals(begin, OK)) {
          served.increment();
        }
      } catch (IOException e) {
        // Not answered in time, or refused: that is what a storm is made of.
      }
      LockSupport.parkNanos(start + PERIOD_NANOS - System.nanoTime());
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
