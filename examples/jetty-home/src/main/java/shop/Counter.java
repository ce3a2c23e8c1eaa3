package shop;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** What the shop answers. It knows nothing of Hodor. */
public final class Counter extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    switch (request.getServletPath()) {
      case "/hello" -> answer(response, "hello");
      case "/work" -> answer(response, Work.once());
      case "/later" -> later(request.startAsync());
      case "/broken" -> throw new IllegalStateException("broken");
      case "/health" -> answer(response, "healthy");
      default -> response.sendError(HttpServletResponse.SC_NOT_FOUND);
    }
  }

  private static void later(AsyncContext async) {
    async.start(
        () -> {
          try {
            answer((HttpServletResponse) async.getResponse(), "later");
          } catch (IOException e) {
            // The client has gone; complete() ends the request all the same.
          } finally {
            async.complete();
          }
        });
  }

  private static void answer(HttpServletResponse response, String text) throws IOException {
    response.setContentType("text/plain");
    response.getOutputStream().print(text);
  }
}
