package programs.site;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Servlets that give their thread back before the answer is complete. */
final class AsyncServlets {
  private static final ScheduledExecutorService TIMER =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "timer");
            thread.setDaemon(true);
            return thread;
          });
  private static final long PERIOD_MILLIS = 5;

  private AsyncServlets() {}

  private static void after(Runnable task) {
    TIMER.schedule(task, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Answers {@code later} from another thread. */
  static final class Later extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      AsyncContext async = request.startAsync();
      after(
          () -> {
            try {
              response.getWriter().print("later");
            } catch (IOException e) {
              // The client has gone.
            }
            async.complete();
          });
    }
  }

  /** Is asked a second time, from another thread, and answers then. */
  static final class Dispatched extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      if (request.getAttribute("again") != null) {
        response.getWriter().print("again");
        return;
      }
      request.setAttribute("again", true);
      after(request.startAsync()::dispatch);
    }
  }

  /** Never answers, so the container does, after as many milliseconds as the query says. */
  static final class Never extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      request.startAsync().setTimeout(Long.parseLong(request.getQueryString()));
    }
  }

  /** Server-sent events, as many as the query says, or until the client has gone. */
  static final class Events extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      response.setContentType("text/event-stream");
      AsyncContext async = request.startAsync();
      async.setTimeout(0);
      send(async, response, 0, Long.parseLong(request.getQueryString()));
    }

    private static void send(
        AsyncContext async, HttpServletResponse response, long sent, long count) {
      try {
        if (sent < count) {
          response.getWriter().print("data: " + sent + "\n\n");
          response.flushBuffer();
          after(() -> send(async, response, sent + 1, count));
          return;
        }
      } catch (IOException e) {
        // The client has gone.
      }
      async.complete();
    }
  }
}
