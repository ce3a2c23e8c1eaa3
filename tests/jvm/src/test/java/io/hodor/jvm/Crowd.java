package io.hodor.jvm;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Many clients at once, each with its own kept-open connection and its own schedule: a request each
 * period, whether the last one was slow or not. One that falls behind does not make up for it.
 */
final class Crowd implements AutoCloseable {
  private final Supplier<HttpConnection> server;
  private final String path;
  private final long periodNanos;
  private final List<Thread> threads = new ArrayList<>();
  private final Map<Integer, LongAdder> statuses = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<HttpConnection.Response> rejections =
      new ConcurrentLinkedQueue<>();
  private final LongAdder broken = new LongAdder();
  private volatile boolean ended;

  private Crowd(Supplier<HttpConnection> server, String path, long periodMillis) {
    this.server = server;
    this.path = path;
    this.periodNanos = periodMillis * 1_000_000L;
  }

  static Crowd start(JettyApp app, String path, int clients, long periodMillis) {
    return start(app::connect, path, clients, periodMillis);
  }

  static Crowd start(Supplier<HttpConnection> server, String path, int clients, long periodMillis) {
    Crowd crowd = new Crowd(server, path, periodMillis);
    for (int i = 0; i < clients; i++) {
      Thread thread = new Thread(crowd::visit, "client " + i);
      thread.setDaemon(true);
      crowd.threads.add(thread);
      thread.start();
    }
    return crowd;
  }

  long count(int status) {
    LongAdder count = statuses.get(status);
    return count == null ? 0 : count.sum();
  }

  /** How many answers of each status came. */
  String summary() {
    return "answers " + statuses + ", broken connections " + broken;
  }

  /** Connections that broke, which none should. */
  long broken() {
    return broken.sum();
  }

  /** All answers that were not 200. */
  List<HttpConnection.Response> rejections() {
    return List.copyOf(rejections);
  }

  /** Ends after the answers that are still to come. */
  void goHome() {
    ended = true;
    for (Thread thread : threads) {
      try {
        thread.join(TargetJvm.PATIENCE.toMillis());
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public void close() {
    goHome();
  }

  private void visit() {
    try (HttpConnection connection = server.get()) {
      while (!ended) {
        long begin = System.nanoTime();
        HttpConnection.Response response = connection.get(path);
        statuses.computeIfAbsent(response.status(), status -> new LongAdder()).increment();
        if (response.status() != 200) {
          rejections.add(response);
        }
        LockSupport.parkNanos(begin + periodNanos - System.nanoTime());
      }
    } catch (UncheckedIOException e) {
      broken.increment();
    }
  }
}
