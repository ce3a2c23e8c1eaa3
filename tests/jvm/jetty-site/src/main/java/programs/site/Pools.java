package programs.site;

import java.util.concurrent.Executor;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;

/**
 * What may serve a server's requests. By reflection, as old Java and old Jetty lack two of them.
 */
public final class Pools {
  private Pools() {}

  /**
   * @param which {@code platform}: Jetty's own; {@code mixed}: Jetty's own, which hands what blocks
   *     to virtual threads; {@code virtual}: Jetty's pool of virtual threads
   */
  public static ThreadPool of(String which) throws ReflectiveOperationException {
    switch (which) {
      case "platform":
        return new QueuedThreadPool();
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
      default:
        throw new IllegalArgumentException(which);
    }
  }
}
