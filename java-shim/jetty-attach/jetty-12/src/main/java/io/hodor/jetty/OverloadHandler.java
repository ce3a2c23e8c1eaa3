package io.hodor.jetty;

import io.hodor.Permit;
import io.hodor.attach.Rehearsal;
import io.hodor.internal.Attachment;
import io.hodor.internal.Fields;
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
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.ThreadPool;

/**
 * The root handler that asks for a permit for each request. While rejections are enforced it does
 * so before the pool's queue: it says that it does not block, so Jetty calls it on the selector
 * thread, where a rejection is answered at once; an admitted request is handed to the server's
 * thread pool. Otherwise it is called where the application's handler would be, and hands on.
 *
 * <p>Jetty does not let the handlers of a server that does not block be changed while it runs, so a
 * server that may deploy later is told so only in an overload.
 *
 * <p>To be the outermost handler of a server: {@code server.setHandler(new OverloadHandler(app))}.
 * Jetty 12.0 and later.
 */
public class OverloadHandler extends Handler.Wrapper {
  /**
   * Request attribute that tells another gate, where there is one, that a request has its permit.
   */
  public static final String PERMIT_ATTRIBUTE = Shim.PERMIT_ATTRIBUTE;

  /** A connection asks for the invocation type and calls the handler right after. */
  private static final long STALE_NANOS = 1_000_000_000L;

  private final Shim shim;
  private final boolean rehearse;
  private final Answers answers = new Answers();
  private final Exemptions exemptions;
  private final Runnable optionListener = this::followState;
  private volatile Executor threads;
  private volatile Attachment attachment;
  // Whether Jetty is told to call before the pool's queue.
  private volatile boolean early;
  // This cannot be the selector thread: Jetty was never told so, or long ago.
  private volatile boolean blocking = true;
  // When Jetty was last told something new; for some time after it may still believe what it was
  // told before. On System.nanoTime().
  private volatile long lastTold;
  private boolean rehearsed;
  // Nothing of ours works: hand on, and do no more.
  private volatile boolean aside;

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
    this.exemptions = new Exemptions(shim);
    this.rehearse = rehearse;
  }

  @Override
  public InvocationType getInvocationType() {
    return early ? InvocationType.NON_BLOCKING : super.getInvocationType();
  }

  @Override
  protected void doStart() throws Exception {
    ThreadPool pool = getServer().getThreadPool();
    // Where Jetty itself would run a handler that blocks.
    Executor virtual = VirtualThreads.getVirtualThreadsExecutor(pool);
    threads = virtual == null ? pool : virtual;
    super.doStart();
    try {
      attachment = Attachment.begin(shim, "Jetty " + Server.getVersion(), pool);
      shim.addOptionListener(optionListener);
      followState();
      exemptions.link();
      shim.mayMeetAnotherGate();
      aside = false;
    } catch (LinkageError e) {
      // The agent brings the shim, and it may be of another release than this class.
      aside = true;
      shim.failed("starting the handler", e);
    }
  }

  /** Tells Jetty where to call, and gets ready for rejections when they become possible. */
  private synchronized void followState() {
    exemptions.lookUp(getServer());
    boolean enforces = shim.enforces();
    if (enforces && rehearse && !rehearsed) {
      rehearsed = true;
      Rehearsal.begin(shim, new OverloadHandler(new Nothing(), Shim.rehearsing()));
    }
    boolean now = enforces && (!mayDeploy() || shim.isOverloaded());
    if (now == early) {
      return;
    }
    lastTold = System.nanoTime();
    blocking = false;
    early = now;
    // Jetty asks once, when the server starts. Where it has no such field it asks each time.
    Fields.set(
        getServer(), Server.class, "_invocationType", InvocationType.class, getInvocationType());
  }

  /** Whether handlers may come and go while the server runs. */
  private boolean mayDeploy() {
    for (Handler.AbstractContainer container : getDescendants(Handler.AbstractContainer.class)) {
      if (container.isDynamic()) {
        return true;
      }
    }
    return false;
  }

  /** Whether this may be the selector thread. Reads no clock in normal times. */
  private boolean mayNotBlock() {
    if (!blocking && !mayBeBelieved()) {
      settle();
    }
    return !blocking;
  }

  private boolean mayBeBelieved() {
    return early || System.nanoTime() - lastTold < STALE_NANOS;
  }

  private synchronized void settle() {
    blocking = !mayBeBelieved();
  }

  @Override
  protected void doStop() throws Exception {
    if (!aside) {
      shim.removeOptionListener(optionListener);
      exemptions.forget(getServer());
    }
    Attachment last = attachment;
    attachment = null;
    if (last != null) {
      last.end();
    }
    super.doStop();
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (aside) {
      return serve(request, response, callback);
    }
    // Wrapped is what other handlers or an error have sent here.
    boolean marked = request instanceof Request.Wrapper || shim.mayMeetAnotherGate();
    if (marked && hasPermit(request)) {
      return serve(request, response, callback);
    }
    boolean queued = mayNotBlock();
    Permit permit = exemptions.has(request) ? Shim.EXEMPT : shim.acquire(queued);
    if (!permit.isAdmitted()) {
      answers.reject((Rejection) permit, response, callback);
      return true;
    }
    Serving serving = new Serving(permit, request, response, callback);
    if (marked) {
      serving.tellOtherGates();
    }
    if (queued) {
      handOver(serving);
      return true;
    }
    return serving.serve();
  }

  /** Another gate has given it one, or it is an error of a request that has one. */
  private static boolean hasPermit(Request request) {
    return request.getAttribute(PERMIT_ATTRIBUTE) != null
        || request.getAttribute(ErrorHandler.ERROR_STATUS) != null;
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

  /** Null: it has none, or none that can be found. */
  static Object channelOf(Request request) {
    try {
      return request.getConnectionMetaData().getConnection().getEndPoint().getTransport();
    } catch (RuntimeException | LinkageError e) {
      return null;
    }
  }

  private boolean serve(Request request, Response response, Callback callback) throws Exception {
    return super.handle(request, response, callback);
  }

  /**
   * An admitted request, and the callback by which its end is noticed: Jetty and the application
   * call it once, however the request ends.
   */
  private final class Serving implements Callback, Runnable, Closeable {
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

    void tellOtherGates() {
      try {
        request.setAttribute(PERMIT_ATTRIBUTE, permit);
      } catch (Throwable t) {
        shim.failed("marking a request", t);
      }
    }

    boolean serve() throws Exception {
      try {
        // Not by super: each frame more is one that the compiler does not look into further down.
        Handler application = getHandler();
        boolean handled = application != null && application.handle(request, response, this);
        if (!handled) {
          // Jetty answers that there is nothing, with its own callback.
          permit.close();
        }
        return handled;
      } catch (Throwable t) {
        // Jetty answers with an error page, and would call that a success.
        permit.fail();
        throw t;
      }
    }

    /** On a thread of the pool. Does with what the handler returns and throws what Jetty does. */
    @Override
    public void run() {
      try {
        Permit started = permit.started();
        if (shim.isOverloaded()) {
          started = shim.dropIfAbandoned(started, channelOf(request));
        }
        if (!started.isAdmitted()) {
          answers.reject((Rejection) started, response, callback);
        } else if (!serve()) {
          Response.writeError(request, response, callback, HttpStatus.NOT_FOUND_404);
        }
      } catch (Throwable t) {
        callback.failed(t);
      }
    }

    @Override
    public void succeeded() {
      permit.close();
      callback.succeeded();
    }

    @Override
    public void failed(Throwable failure) {
      permit.fail();
      callback.failed(failure);
    }

    @Override
    public InvocationType getInvocationType() {
      return callback.getInvocationType();
    }

    /** A pool that stops closes what waits in its queue instead of running it. */
    @Override
    public void close() {
      failed(new RejectedExecutionException("the pool has stopped"));
    }
  }

  /** The application of a rehearsal: it answers at once. */
  private static final class Nothing extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      response.write(true, null, callback);
      return true;
    }
  }
}
