package io.hodor.servlet;

import io.hodor.Permit;
import io.hodor.internal.Attachment;
import io.hodor.internal.Rejection;
import io.hodor.internal.Shim;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Asks the agent for each request and answers those that it rejects. To be the first filter, with
 * async support, for the dispatcher type {@code REQUEST}. It decides behind the pool's queue; where
 * a root handler has decided already, it lets the request pass.
 */
public final class OverloadFilter implements Filter {
  /** Where Jetty, 9.4 to 12.1, shows the pool that serves the requests. */
  private static final String JETTY_POOL = "org.eclipse.jetty.server.Executor";

  private final Shim shim;
  private Attachment attachment;

  public OverloadFilter() {
    this(Shim.get());
  }

  OverloadFilter(Shim shim) {
    this.shim = shim;
  }

  @Override
  public void init(FilterConfig config) {
    ServletContext context = config.getServletContext();
    attachment =
        Attachment.begin(
            shim, context.getServerInfo() + " servlet filter", context.getAttribute(JETTY_POOL));
  }

  @Override
  public void destroy() {
    attachment.end();
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request.getDispatcherType() != DispatcherType.REQUEST
        || request.getAttribute(Shim.PERMIT_ATTRIBUTE) != null
        || !(response instanceof HttpServletResponse)) {
      chain.doFilter(request, response);
      return;
    }
    Permit permit = isExempt(request) ? Shim.EXEMPT : shim.acquire();
    if (permit.isAdmitted()) {
      serve(permit, request, response, chain);
    } else {
      ServletAnswers.reject((Rejection) permit, (HttpServletResponse) response);
    }
  }

  private boolean isExempt(ServletRequest request) {
    if (!(request instanceof HttpServletRequest)) {
      return false;
    }
    // Not the URI: in it `/health/../orders` would be a path below `/health`.
    HttpServletRequest http = (HttpServletRequest) request;
    String info = http.getPathInfo();
    return shim.isExempt(
        http.getContextPath() + http.getServletPath() + (info == null ? "" : info));
  }

  private void serve(
      Permit permit, ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    boolean returned = false;
    try {
      request.setAttribute(Shim.PERMIT_ATTRIBUTE, permit);
      chain.doFilter(request, response);
      returned = true;
    } finally {
      // Whatever was thrown, Errors too.
      if (!request.isAsyncStarted()
          || !AsyncRelease.whenOver(
              permit, shim, listener -> request.getAsyncContext().addListener(listener))) {
        if (returned) {
          permit.close();
        } else {
          permit.fail();
        }
      }
    }
  }
}
