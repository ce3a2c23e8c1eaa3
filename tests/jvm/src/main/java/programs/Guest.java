package programs;

import io.hodor.Hodor;
import io.hodor.Permit;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/** An application that makes trouble for the agent, and must be served all the same. */
public final class Guest {
  private static final long BETWEEN_NANOS = 1_000_000L;

  private Guest() {}

  /**
   * Asks for permits for ever.
   *
   * @param args {@code no-pool}: has no pool watched; {@code throwing-pool}: one that throws
   */
  public static void main(String[] args) {
    if (args[0].equals("throwing-pool")) {
      Executor pool =
          task -> {
            throw new IllegalStateException("thrown by the pool");
          };
      Hodor.watch(pool, "a pool that throws");
    }
    System.out.println("started");
    for (; ; ) {
      try (Permit permit = Hodor.tryAcquire()) {
        if (!permit.isAdmitted()) {
          System.out.println("rejected: " + permit.reason());
        }
      }
      LockSupport.parkNanos(BETWEEN_NANOS);
    }
  }
}
