package io.hodor.jetty;

import io.hodor.Permit;
import io.hodor.internal.Attachment;
import io.hodor.internal.Rejection;
import io.hodor.internal.Shim;
import java.io.Closeable;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.ThreadPool;

/**
 * The root handler that rejects before the pool's queue: it says that it does not block, so Jetty
 * calls it on the selector thread. There it asks for a permit; a rejection is answered at once, an
 * admitted request is handed to the server's thread pool. The application never runs on the
 * selector thread, with an agent or without.
 *
 * <p>To be the outermost handler of a server: {@code server.setHandler(new OverloadHandler(app))}.
 * Jetty 12.0.5 and later.
 */
public final class OverloadHandler extends Handler.Wrapper {
  /** Request attribute that tells a servlet filter that the request has its permit. */
  public static final String PERMIT_ATTRIBUTE = Shim.PERMIT_ATTRIBUTE;

  private final Shim shim;
  private final boolean rehearse;
  private final Answers answers = new Answers();
  private volatile Executor threads;
  private volatile Attachment attachment;

  public OverloadHandler(Handler application) {
    this(application, Shim.get(), true);
  }

  /** Without a rehearsal. */
  OverloadHandler(Handler application, Shim shim) {
    this(application, shim, false);
  }

  /**
   * @param rehearse whether rejections are rehearsed at start, where they are enforced
   */
  OverloadHandler(Handler application, Shim shim, boolean rehearse) {
    super(application);
    this.shim = shim;
    this.rehearse = rehearse;
  }

  @Override
  public InvocationType getInvocationType() {
    return InvocationType.NON_BLOCKING;
  }

  @Override
  protected void doStart() throws Exception {
    ThreadPool pool = getServer().getThreadPool();
    // Where Jetty itself would run a handler that blocks.
    Executor virtual = VirtualThreads.getVirtualThreadsExecutor(pool);
    threads = virtual == null ? pool : virtual;
    super.doStart();
    attachment = Attachment.begin(shim, "Jetty " + Server.getVersion() + " root handler", pool);
    if (rehearse && shim.enforces()) {
      Rehearsal.begin(shim);
    }
  }

  @Override
  protected void doStop() throws Exception {
    Attachment last = attachment;
    attachment = null;
    if (last != null) {
      last.end();
    }
    super.doStop();
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Permit permit = shim.acquire();
    if (permit.isAdmitted()) {
      releaseAtEnd(permit, request);
      handOver(new Serving(permit, request, response, callback));
    } else {
      answers.reject((Rejection) permit, response, callback);
    }
    return true;
  }

  private void releaseAtEnd(Permit permit, Request request) {
    try {
      // Runs when the exchange is over, however it ends.
      Request.addCompletionListener(
          request,
          failure -> {
            if (failure == null) {
              permit.close();
            } else {
              permit.fail();
            }
          });
      request.setAttribute(PERMIT_ATTRIBUTE, permit);
    } catch (Throwable t) {
      // Served without being counted.
      permit.fail();
      shim.failed("following a request", t);
    }
  }

  private void handOver(Serving serving) {
    try {
      threads.execute(serving);
    } catch (RejectedExecutionException e) {
      // Not our verdict: the pool is bounded and full, or stops.
      serving.permit.fail();
      answers.unavailable(serving.response, serving.callback);
    }
  }

  private boolean serve(Request request, Response response, Callback callback) throws Exception {
    return super.handle(request, response, callback);
  }

  /** An admitted request on its way through the pool. */
  private final class Serving implements Runnable, Closeable {
    private final Permit permit;
    private final Request request;
    private final Response response;
    private final Callback callback;

    Serving(Permit permit, Request request, Response response, Callback callback) {
      this.permit = permit;
      this.request = request;
      this.response = response;
      this.callback = callback;
    }

    @Override
    public void run() {
      // As Jetty's own channel does with what its handler returns and throws.
      try {
        Permit started = permit.started();
        if (!started.isAdmitted()) {
          answers.reject((Rejection) started, response, callback);
        } else if (!serve(request, response, callback)) {
          Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
        }
      } catch (Throwable t) {
        // First: Jetty answers with an error page, and would call that a success.
        permit.fail();
        callback.failed(t);
      }
    }

    /** A pool that stops closes what waits in its queue instead of running it. */
    @Override
    public void close() {
      permit.fail();
      callback.failed(new RejectedExecutionException("the pool has stopped"));
    }
  }
}
