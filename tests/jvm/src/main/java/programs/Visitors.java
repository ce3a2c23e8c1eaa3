package programs;

import io.hodor.Hodor;
import io.hodor.Permit;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/** Asks for one permit after the other, and has a pool watched. */
public final class Visitors implements Runnable {
  private static final long BETWEEN_NANOS = 1_000_000L;

  private final ExecutorService pool =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
          });

  @Override
  public void run() {
    Hodor.watch(pool, "visitors' pool");
    boolean said = false;
    for (; ; ) {
      try (Permit permit = Hodor.tryAcquire()) {
        if (!permit.isAdmitted()) {
          System.out.println("rejected: " + permit.reason());
        }
      }
      if (!said && Hodor.isAvailable()) {
        said = true;
        System.out.println("available to " + Hodor.class.getClassLoader());
      }
      LockSupport.parkNanos(BETWEEN_NANOS);
    }
  }
}
