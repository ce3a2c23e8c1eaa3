package io.hodor;

import io.hodor.internal.Shim;
import java.util.concurrent.Executor;

/**
 * Overload protection for whatever serves requests. With no agent in the JVM everything is
 * admitted. All methods may be called from any thread, and none of them throws.
 *
 * <pre>{@code
 * try (Permit permit = Hodor.tryAcquire()) {
 *   if (permit.isAdmitted()) {
 *     serve(request);
 *   } else {
 *     reject(request, permit.status(), permit.retryAfterSeconds());
 *   }
 * }
 * }</pre>
 */
public final class Hodor {
  private Hodor() {}

  /** Whether the agent is in this JVM. It may come later: asked again at most once a second. */
  public static boolean isAvailable() {
    return Shim.get().isAvailable();
  }

  /** Asks for one request. Close what comes back when the request has been answered. */
  public static Permit tryAcquire() {
    return Shim.get().acquire();
  }

  /**
   * Measures how long tasks wait for a thread of this pool, with one small task ten times a second.
   * The pool is not kept alive by this, and is forgotten when it is shut down, or when the first
   * task shows that it runs them on virtual threads, whose order says nothing about waits.
   *
   * @param name what the pool is called in explanations, such as {@code qtp123}
   */
  public static void watch(Executor pool, String name) {
    Shim.get().watch(pool, name);
  }

  /** Ends {@link #watch}; nothing happens if the pool is not watched. */
  public static void unwatch(Executor pool) {
    Shim.get().unwatch(pool);
  }
}
