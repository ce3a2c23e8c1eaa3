package programs.site;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Servlets that answer at once. */
final class Servlets {
  private Servlets() {}

  /** Answers {@code hello}. */
  static final class Hello extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().print("hello");
    }
  }

  /** Uses the CPU for as many milliseconds as the query says, and answers {@code busy}. */
  static final class Busy extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      long end = System.nanoTime() + Long.parseLong(request.getQueryString()) * 1_000_000;
      while (System.nanoTime() - end < 0) {
        Thread.onSpinWait();
      }
      response.getWriter().print("busy");
    }
  }

  /** Keeps its thread for as many milliseconds as the query says, and answers {@code asleep}. */
  static final class Asleep extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      try {
        Thread.sleep(Long.parseLong(request.getQueryString()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the server stops
      }
      response.getWriter().print("asleep");
    }
  }

  /** Reads the body and answers how long it was. */
  static final class Upload extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      byte[] buffer = new byte[8192];
      long size = 0;
      InputStream body = request.getInputStream();
      for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
        size += read;
      }
      response.getWriter().print(size);
    }
  }

  /** Answers more than sockets and HTTP/2's windows hold. */
  static final class Large extends HttpServlet {
    private static final int BLOCKS = 2048;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      byte[] block = new byte[16384];
      OutputStream body = response.getOutputStream();
      for (int i = 0; i < BLOCKS; ++i) {
        body.write(block);
      }
    }
  }

  /** Throws. */
  static final class Broken extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      throw new IllegalStateException("broken on purpose");
    }
  }

  /** Answers with an error that has a page of its own. */
  static final class Refusing extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.sendError(HttpServletResponse.SC_CONFLICT);
    }
  }

  /** What errors are answered with. */
  static final class ErrorPage extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().print("sorry");
    }
  }
}
