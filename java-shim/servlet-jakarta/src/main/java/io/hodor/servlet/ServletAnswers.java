package io.hodor.servlet;

import io.hodor.internal.Rejection;
import jakarta.servlet.http.HttpServletResponse;

/** Writes rejections to servlet responses: no body, no error page. */
public final class ServletAnswers {
  private ServletAnswers() {}

  /** The response must not be committed. */
  public static void reject(Rejection rejection, HttpServletResponse response) {
    response.setStatus(rejection.status());
    response.setHeader("Retry-After", rejection.retryAfter());
    response.setHeader("X-Hodor-Reason", rejection.reason());
    response.setContentLength(0);
    if (rejection.closesConnection()) {
      response.setHeader("Connection", "close");
    }
  }
}
