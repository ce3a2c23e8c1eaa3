package io.hodor.rivals;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A limit where libraries put it: behind the pool's queue. For requests that are not async. */
final class LimitFilter implements Filter {
  private final Limit limit;

  LimitFilter(Limit limit) {
    this.limit = limit;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (Direct.is(((HttpServletRequest) request).getQueryString())) {
      chain.doFilter(request, response);
      return;
    }
    Limit.Admitted admitted = limit.acquire();
    if (admitted == null) {
      ((HttpServletResponse) response).setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      return;
    }
    boolean answered = false;
    try {
      chain.doFilter(request, response);
      answered = true;
    } finally {
      admitted.end(answered);
    }
  }
}
