package programs.load;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** What requests can be busy with. */
final class Requests {
  private Requests() {}

  private static void answer(HttpServletResponse response, String text) throws IOException {
    response.setContentType("text/plain");
    response.getOutputStream().print(text);
  }

  /** Costs nothing. */
  static final class Hello extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(response, "hello");
    }
  }

  /** Burns CPU, {@code ?times=N} times as much as usual. */
  static final class Cpu extends HttpServlet {
    private final transient Work work;

    Cpu(Work work) {
      this.work = work;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      String times = request.getParameter("times");
      answer(response, Long.toHexString(work.run(times == null ? 1 : Integer.parseInt(times))));
    }
  }

  /** Burns CPU and makes garbage all along, none of which lives long. */
  static final class Allocate extends HttpServlet {
    private static final int PIECES = 512;
    private static final int PIECE = 1024;

    private final transient Work work;

    Allocate(Work work) {
      this.work = work;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      byte[][] recent = new byte[16][];
      long value = 0;
      for (int i = 0; i < PIECES; i++) {
        recent[i % recent.length] = new byte[PIECE];
        value += work.run(1.0 / PIECES);
      }
      recent[(int) (value & 15)][0] = 1;
      answer(response, Long.toHexString(value) + recent[0][0]);
    }
  }

  /** Waits for something else than a CPU. */
  static final class Call extends HttpServlet {
    private final transient Downstream downstream;

    Call(Downstream downstream) {
      this.downstream = downstream;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      try {
        downstream.call();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
      answer(response, "done");
    }
  }
}
