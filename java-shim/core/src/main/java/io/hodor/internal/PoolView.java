package io.hodor.internal;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

/**
 * What a pool says of itself, as far as it does. By reflection, as the servers' types are not known
 * here; whatever is missing is unknown. Any thread; no method throws.
 */
final class PoolView {
  private final Method queueSize;
  private final Method idleReserved;
  private final Method running;
  private final Method virtualThreads;

  PoolView(Class<?> type) {
    queueSize = find(type, "getQueueSize");
    Method current = find(type, "getCurrentReservedThreads");
    // Before Jetty 12.1.
    idleReserved = current != null ? current : find(type, "getAvailableReservedThreads");
    running = find(type, "isRunning");
    virtualThreads = find(type, "getVirtualThreadsExecutor");
  }

  /** Its name, or what it is if it has none. */
  static String nameOf(Executor pool) {
    Object name = call(find(pool.getClass(), "getName"), pool);
    if (name == null || name.toString().isBlank()) {
      return pool.getClass().getSimpleName();
    }
    return name.toString();
  }

  /** Whether it is Jetty's pool that has nothing but virtual threads, and so no queue. */
  boolean isVirtual(Executor pool) {
    return queueSize == null && call(virtualThreads, pool) != null;
  }

  /** Whether it says that it takes no more work. */
  boolean hasEnded(Executor pool) {
    return pool instanceof ExecutorService
        ? ((ExecutorService) pool).isShutdown()
        : Boolean.FALSE.equals(call(running, pool));
  }

  /** Whether it says that it runs, though it may refuse work. */
  boolean runs(Executor pool) {
    return Boolean.TRUE.equals(call(running, pool));
  }

  /**
   * Whether nobody waits for a thread though our probes do. Jetty keeps reserved threads idle for
   * the next request, which a task of ours never gets: the thread that reads the request goes on to
   * serve it, and a reserved one reads on. If nothing but our probes is queued, none is waiting
   * either.
   *
   * @param probes how many of our probes are in its queue
   */
  boolean nobodyWaits(Executor pool, int probes) {
    Object idle = call(idleReserved, pool);
    if (!(idle instanceof Integer) || (Integer) idle <= 0) {
      return false;
    }
    Object queued = call(queueSize, pool);
    return queued instanceof Integer && (Integer) queued <= probes;
  }

  /** The method where it can be called: an application's own pool class need not be public. */
  private static Method find(Class<?> type, String name) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      try {
        Method method = c.getMethod(name);
        if (Modifier.isPublic(method.getDeclaringClass().getModifiers())) {
          return method;
        }
      } catch (NoSuchMethodException | RuntimeException | LinkageError e) {
        // Superclasses that are public may have it all the same.
      }
    }
    return null;
  }

  private static Object call(Method method, Executor pool) {
    try {
      return method == null ? null : method.invoke(pool);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return null;
    }
  }
}
