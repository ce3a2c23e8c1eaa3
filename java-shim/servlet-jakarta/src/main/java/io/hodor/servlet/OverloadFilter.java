package io.hodor.servlet;

import io.hodor.Permit;
import io.hodor.internal.Rejection;
import io.hodor.internal.Shim;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Executor;

/**
 * Asks the agent for each request and answers those that it rejects. To be the first filter, with
 * async support, for the dispatcher type {@code REQUEST}. It decides behind the pool's queue; where
 * a root handler has decided already, it lets the request pass.
 */
public final class OverloadFilter implements Filter {
  /** Where Jetty, 9.4 to 12.1, shows the pool that serves the requests. */
  private static final String JETTY_POOL = "org.eclipse.jetty.server.Executor";

  private final Shim shim;
  private Executor pool;
  private String description;

  public OverloadFilter() {
    this(Shim.get());
  }

  OverloadFilter(Shim shim) {
    this.shim = shim;
  }

  @Override
  public void init(FilterConfig config) {
    String where = config.getServletContext().getServerInfo() + " servlet filter, ";
    Object found = config.getServletContext().getAttribute(JETTY_POOL);
    if (found instanceof Executor) {
      pool = (Executor) found;
      String name = pool.getClass().getSimpleName();
      shim.watch(pool, name);
      description = where + "pool " + name;
    } else {
      description = where + "no pool known";
    }
    shim.attached(description);
  }

  @Override
  public void destroy() {
    if (pool != null) {
      shim.unwatch(pool);
    }
    shim.detached(description);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request.getDispatcherType() != DispatcherType.REQUEST
        || request.getAttribute(Shim.PERMIT_ATTRIBUTE) != null) {
      chain.doFilter(request, response);
      return;
    }
    Permit permit = shim.acquire();
    if (!permit.isAdmitted()) {
      reject(permit, (HttpServletResponse) response);
      return;
    }
    request.setAttribute(Shim.PERMIT_ATTRIBUTE, permit);
    boolean returned = false;
    try {
      chain.doFilter(request, response);
      returned = true;
    } finally {
      if (request.isAsyncStarted() && listen(request, permit)) {
        // the listener releases
      } else if (returned) {
        permit.close();
      } else {
        permit.fail();
      }
    }
  }

  /** False: the asynchronous request is over already. */
  private static boolean listen(ServletRequest request, Permit permit) {
    try {
      request.getAsyncContext().addListener(new Release(permit));
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private static void reject(Permit rejection, HttpServletResponse response) {
    response.setStatus(rejection.status());
    response.setHeader("Retry-After", ((Rejection) rejection).retryAfter());
    response.setHeader("X-Hodor-Reason", rejection.reason());
    response.setContentLength(0);
  }

  /** Releases when the asynchronous request is over. */
  private static final class Release implements AsyncListener {
    private final Permit permit;

    Release(Permit permit) {
      this.permit = permit;
    }

    @Override
    public void onComplete(AsyncEvent event) {
      permit.close();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      permit.fail();
    }

    @Override
    public void onError(AsyncEvent event) {
      permit.fail();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      // A second round: listeners do not come along by themselves.
      event.getAsyncContext().addListener(this);
    }
  }
}
