package programs.site;

import java.util.concurrent.Executor;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;

/**
 * What may serve a server's requests. By reflection, as old Java and old Jetty lack two of them.
 */
public final class Pools {
  /** Few: the connectors keep half of them for themselves. */
  private static final int SMALL = 16;

  private Pools() {}

  /** Has so many tasks sleep in it, each of which wakes up now and then. */
  static void park(Executor pool, int tasks) {
    for (int i = 0; i < tasks; ++i) {
      pool.execute(
          () -> {
            try {
              while (true) {
                Thread.sleep(10_000);
              }
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt(); // the server stops
            }
          });
    }
  }

  /**
   * @param which {@code platform}: Jetty's own; {@code small}: the same with few threads; {@code mixed}: Jetty's own, which hands what blocks
   *     to virtual threads; {@code virtual}: Jetty's pool of virtual threads; {@code unlimited}: the
   *     same, with as many as come
   */
  public static ThreadPool of(String which) throws ReflectiveOperationException {
    switch (which) {
      case "platform":
        return new QueuedThreadPool();
      case "small":
        return new QueuedThreadPool(SMALL);
      case "mixed":
        QueuedThreadPool pool = new QueuedThreadPool();
        Object virtual =
            Class.forName("java.util.concurrent.Executors")
                .getMethod("newVirtualThreadPerTaskExecutor")
                .invoke(null);
        QueuedThreadPool.class
            .getMethod("setVirtualThreadsExecutor", Executor.class)
            .invoke(pool, virtual);
        return pool;
      case "virtual":
        return (ThreadPool)
            Class.forName("org.eclipse.jetty.util.thread.VirtualThreadPool")
                .getConstructor()
                .newInstance();
      case "unlimited":
        return (ThreadPool)
            Class.forName("org.eclipse.jetty.util.thread.VirtualThreadPool")
                .getConstructor(int.class)
                .newInstance(0);
      default:
        throw new IllegalArgumentException(which);
    }
  }
}
