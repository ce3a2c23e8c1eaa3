package io.hodor.jetty;

import io.hodor.internal.FakeBridge;
import io.hodor.internal.Shim;
import io.hodor.testing.RawHttp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ReHandlingErrorHandler;
import org.eclipse.jetty.util.BlockingArrayQueue;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A Jetty server with one application behind the root handler, and an agent that is played. */
final class TestServer implements AutoCloseable {
  /** Enough for the acceptor, the selector and {@link #WORKERS} requests. */
  static final int WORKERS = 4;

  private static final int OTHER_THREADS = 2;

  /** What the application does with a request. */
  interface Application {
    boolean serve(Request request, Response response, Callback callback) throws Exception;
  }

  final FakeBridge agent = new FakeBridge();
  final Shim shim = agent.shim();

  /** The stack of each call of the application. */
  final List<StackTraceElement[]> calls = new CopyOnWriteArrayList<>();

  final QueuedThreadPool pool;
  private final Server server;
  private final ServerConnector connector;

  /** Rejections are enforced. */
  TestServer(Application application) throws Exception {
    this(application, new BlockingArrayQueue<>(), "enforce");
  }

  TestServer(Application application, String mode) throws Exception {
    this(application, new BlockingArrayQueue<>(), mode);
  }

  TestServer(Application application, BlockingQueue<Runnable> queue, String mode) throws Exception {
    this(application, UnaryOperator.identity(), queue, mode);
  }

  /** Rejections are enforced; the application is inside a handler of Jetty. */
  TestServer(Application application, UnaryOperator<Handler> outer) throws Exception {
    this(application, outer, new BlockingArrayQueue<>(), "enforce");
  }

  private TestServer(
      Application application,
      UnaryOperator<Handler> outer,
      BlockingQueue<Runnable> queue,
      String mode)
      throws Exception {
    agent.mode = mode;
    int threads = WORKERS + OTHER_THREADS;
    pool = new QueuedThreadPool(threads, threads, queue);
    // Reserved threads would take tasks past the queue, and how many there are is chance.
    pool.setReservedThreads(0);
    server = new Server(pool);
    HttpConfiguration plain = new HttpConfiguration();
    plain.setSendServerVersion(false);
    plain.setSendDateHeader(false);
    connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(plain));
    server.addConnector(connector);
    server.setHandler(
        new OverloadHandler(
            outer.apply(
                new Handler.Abstract() {
                  @Override
                  public boolean handle(Request request, Response response, Callback callback)
                      throws Exception {
                    calls.add(Thread.currentThread().getStackTrace());
                    return application.serve(request, response, callback);
                  }
                }),
            shim));
    server.start();
  }

  /** Starts again, with another handler in front. */
  void wrap(Handler.Wrapper outer) throws Exception {
    outer.setHandler(server.getHandler());
    server.setHandler(outer);
    server.start();
  }

  /** Errors 404 go through all handlers again, as requests of this path. */
  void handleErrorsAt(String path) {
    ReHandlingErrorHandler.ByHttpStatus errors =
        new ReHandlingErrorHandler.ByHttpStatus(server.getHandler());
    errors.put(HttpStatus.NOT_FOUND_404, path);
    server.setErrorHandler(errors);
  }

  RawHttp connect() throws IOException {
    return new RawHttp(connector.getLocalPort());
  }

  /**
   * Connections that are open on the server's side too. Jetty opens each on a thread of the pool:
   * when all are busy, a new connection waits in the queue before its first request is read.
   */
  List<RawHttp> connect(int count) throws IOException {
    long answer = agent.answer;
    agent.reject(2);
    List<RawHttp> clients = new ArrayList<>();
    for (int i = 0; i < count; ++i) {
      RawHttp client = connect();
      client.send(RawHttp.get("/"));
      client.receive();
      clients.add(client);
    }
    agent.answer = answer;
    agent.acquires.set(0);
    return clients;
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
}
