package io.hodor.jetty;

import io.hodor.Permit;
import io.hodor.internal.Rejection;
import io.hodor.internal.Shim;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;

/**
 * The root handler that rejects before the pool's queue: it says that it does not block, so Jetty
 * calls it on the selector thread. There it asks for a permit; a rejection is answered at once, an
 * admitted request is handed to the server's thread pool.
 *
 * <p>To be the outermost handler of a server: {@code server.setHandler(new OverloadHandler(app))}.
 * Jetty 12.0.5 and later.
 */
public final class OverloadHandler extends Handler.Wrapper {
  /** Request attribute that tells a servlet filter that the request has its permit. */
  public static final String PERMIT_ATTRIBUTE = Shim.PERMIT_ATTRIBUTE;

  private final Shim shim;
  private volatile Executor pool;
  private volatile String description;

  public OverloadHandler(Handler application) {
    this(application, Shim.get());
  }

  OverloadHandler(Handler application, Shim shim) {
    super(application);
    this.shim = shim;
  }

  @Override
  public InvocationType getInvocationType() {
    return InvocationType.NON_BLOCKING;
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    pool = getServer().getThreadPool();
    String name = poolName();
    description = "Jetty " + Server.getVersion() + " root handler, pool " + name;
    shim.watch(pool, name);
    shim.attached(description);
  }

  @Override
  protected void doStop() throws Exception {
    shim.detached(description);
    shim.unwatch(pool);
    super.doStop();
  }

  private String poolName() {
    return pool instanceof org.eclipse.jetty.util.thread.QueuedThreadPool
        ? ((org.eclipse.jetty.util.thread.QueuedThreadPool) pool).getName()
        : pool.getClass().getSimpleName();
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Permit permit = shim.acquire();
    if (!permit.isAdmitted()) {
      reject(permit, response, callback);
      return true;
    }
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
    try {
      pool.execute(() -> serve(permit, request, response, callback));
    } catch (RejectedExecutionException e) {
      permit.fail();
      Response.writeError(request, response, callback, HttpStatus.SERVICE_UNAVAILABLE_503);
    }
    return true;
  }

  private void serve(Permit permit, Request request, Response response, Callback callback) {
    Permit started = permit.started();
    if (!started.isAdmitted()) {
      reject(started, response, callback);
      return;
    }
    // As Jetty's own channel does with what its handler returns and throws.
    try {
      if (!super.handle(request, response, callback)) {
        Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
      }
    } catch (Throwable t) {
      callback.failed(t);
    }
  }

  private static void reject(Permit rejection, Response response, Callback callback) {
    response.setStatus(rejection.status());
    response
        .getHeaders()
        .put(HttpHeader.RETRY_AFTER, ((Rejection) rejection).retryAfter())
        .put("X-Hodor-Reason", rejection.reason())
        .put(HttpHeader.CONTENT_LENGTH, 0);
    response.write(true, null, callback);
  }
}
