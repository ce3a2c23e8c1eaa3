package io.hodor.examples.jetty;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;

/** The ways in which a request can end, {@code /fault/<way>}. */
final class Faults extends HttpServlet {
  private static final long ASYNC_MILLIS = 50;
  private static final int SLOW_PIECES = 200;
  private static final int PIECE = 64 * 1024;

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    String way = request.getPathInfo() == null ? "/" : request.getPathInfo();
    switch (way) {
      case "/exception" -> throw new ServletException("asked for");
      case "/stackoverflow" -> Loads.answer(response, "depth " + deeper(0));
      case "/oom" -> throw new OutOfMemoryError("asked for");
      case "/async-complete" -> asyncComplete(request);
      case "/async-timeout" -> request.startAsync().setTimeout(ASYNC_MILLIS);
      case "/async-error" -> asyncError(request);
      case "/async-dispatch" -> asyncDispatch(request, response);
      case "/slow-body" -> slowBody(response);
      default -> response.setStatus(HttpServletResponse.SC_NOT_FOUND);
    }
  }

  private static int deeper(int depth) {
    return deeper(depth + 1) + 1;
  }

  private static void asyncComplete(HttpServletRequest request) {
    AsyncContext async = request.startAsync();
    async.start(
        () -> {
          try {
            Thread.sleep(ASYNC_MILLIS);
            Loads.answer((HttpServletResponse) async.getResponse(), "async");
          } catch (IOException e) {
            // the client has gone; complete() ends the request all the same
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } finally {
            async.complete();
          }
        });
  }

  /** The listener throws while the timeout is handled, which makes it an error. */
  private static void asyncError(HttpServletRequest request) {
    AsyncContext async = request.startAsync();
    async.setTimeout(ASYNC_MILLIS);
    async.addListener(
        new AsyncListener() {
          @Override
          public void onComplete(AsyncEvent event) {}

          @Override
          public void onTimeout(AsyncEvent event) {
            throw new IllegalStateException("asked for");
          }

          @Override
          public void onError(AsyncEvent event) {}

          @Override
          public void onStartAsync(AsyncEvent event) {}
        });
  }

  private static void asyncDispatch(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (request.getDispatcherType() == DispatcherType.ASYNC) {
      Loads.answer(response, "dispatched");
      return;
    }
    AsyncContext async = request.startAsync();
    async.start(async::dispatch);
  }

  /** Enough for a client to go away in the middle. */
  private static void slowBody(HttpServletResponse response) throws IOException {
    OutputStream out = response.getOutputStream();
    byte[] piece = new byte[PIECE];
    for (int i = 0; i < SLOW_PIECES; i++) {
      out.write(piece);
      out.flush();
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
