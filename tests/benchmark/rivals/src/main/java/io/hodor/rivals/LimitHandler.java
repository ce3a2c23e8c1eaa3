package io.hodor.rivals;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.ThreadPool;

/**
 * A limit in front of the pool's queue: asked on the selector thread, as it says that it does not
 * block; what is let in is handed to the pool.
 */
final class LimitHandler extends Handler.Wrapper {
  private static final HttpFields HEADERS =
      HttpFields.build()
          .put(HttpHeader.RETRY_AFTER, 1)
          .put(HttpHeader.CONTENT_LENGTH, 0)
          .asImmutable();

  private final Limit limit;
  private Executor threads;

  LimitHandler(Handler application, Limit limit) {
    super(application);
    this.limit = limit;
  }

  @Override
  public InvocationType getInvocationType() {
    return InvocationType.NON_BLOCKING;
  }

  @Override
  protected void doStart() throws Exception {
    ThreadPool pool = getServer().getThreadPool();
    Executor virtual = VirtualThreads.getVirtualThreadsExecutor(pool);
    threads = virtual == null ? pool : virtual;
    super.doStart();
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    if (Direct.is(request.getHttpURI().getQuery())) {
      threads.execute(() -> serve(request, response, callback));
      return true;
    }
    Limit.Admitted admitted = limit.acquire();
    if (admitted == null) {
      response.setStatus(HttpStatus.SERVICE_UNAVAILABLE_503);
      response.getHeaders().add(HEADERS);
      response.write(true, null, callback);
      return true;
    }
    Callback counted =
        Callback.from(
            () -> {
              admitted.end(true);
              callback.succeeded();
            },
            failure -> {
              admitted.end(false);
              callback.failed(failure);
            });
    try {
      threads.execute(() -> serve(request, response, counted));
    } catch (RejectedExecutionException e) {
      counted.failed(e);
    }
    return true;
  }

  private void serve(Request request, Response response, Callback callback) {
    try {
      if (!super.handle(request, response, callback)) {
        Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
      }
    } catch (Throwable t) {
      callback.failed(t);
    }
  }
}
