package io.hodor.examples.jetty;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;

/** What requests can be busy with. */
final class Loads {
  private Loads() {}

  static void answer(HttpServletResponse response, String text) throws IOException {
    response.setContentType("text/plain");
    response.getOutputStream().print(text);
  }

  /** Burns CPU. */
  static final class Cpu extends HttpServlet {
    private final transient Work work;

    Cpu(Work work) {
      this.work = work;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(response, Long.toHexString(work.run(System.nanoTime())));
    }
  }

  /**
   * Waits for one of 32 connections to a slow service, and holds it for 50 ms. {@code POST} with
   * the parameter {@code millis} makes the service slower or faster.
   */
  static final class Downstream extends HttpServlet {
    private static final int CONNECTIONS = 32;
    private static final long MOST_MILLIS = 10_000;

    private volatile long holdMillis = 50;
    private final transient Semaphore connections = new Semaphore(CONNECTIONS, true);

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      try {
        long millis = Long.parseLong(String.valueOf(request.getParameter("millis")));
        holdMillis = Math.max(0, Math.min(millis, MOST_MILLIS));
        answer(response, holdMillis + " ms");
      } catch (NumberFormatException e) {
        response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
        answer(response, "millis is a number of milliseconds");
      }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      try {
        connections.acquire();
        try {
          Thread.sleep(holdMillis);
        } finally {
          connections.release();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
      answer(response, "downstream");
    }
  }

  /** Holds memory while it burns CPU. */
  static final class Memory extends HttpServlet {
    private static final int PIECE = 16 * 1024;

    private final transient Work work;
    private final int pieces;

    Memory(Work work, int kilobytes) {
      this.work = work;
      this.pieces = Math.max(1, kilobytes * 1024 / PIECE);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      byte[][] held = new byte[pieces][];
      for (int i = 0; i < pieces; i++) {
        held[i] = new byte[PIECE];
      }
      long result = work.run(System.nanoTime());
      held[(int) (result & Integer.MAX_VALUE) % pieces][0] = 1;
      answer(response, Long.toHexString(result) + held.length);
    }
  }

  /** Costs nothing. */
  static final class Trivial extends HttpServlet {
    private final String text;

    Trivial(String text) {
      this.text = text;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(response, text);
    }
  }
}
