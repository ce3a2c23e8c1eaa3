package io.hodor.internal;

import java.util.concurrent.Executor;

/** A gate at its place in front of an application, and the pool behind it, until {@link #end}. */
public final class Attachment {
  private final Shim shim;
  // Null: unknown, or none.
  private final Executor pool;
  private final String description;

  private Attachment(Shim shim, Executor pool, String description) {
    this.shim = shim;
    this.pool = pool;
    this.description = description;
  }

  /**
   * Tells the agent, and has the pool's queue probed.
   *
   * @param gate such as {@code Jetty 12.1.14 root handler}
   * @param pool what the server says serves its requests; anything but an {@link Executor}: unknown
   */
  public static Attachment begin(Shim shim, String gate, Object pool) {
    if (!(pool instanceof Executor)) {
      return attached(new Attachment(shim, null, gate + ", no pool known"));
    }
    Executor executor = (Executor) pool;
    String name = PoolView.nameOf(executor);
    shim.watch(executor, name + " of " + gate);
    return attached(new Attachment(shim, executor, gate + ", pool " + name));
  }

  private static Attachment attached(Attachment attachment) {
    attachment.shim.attached(attachment.description);
    return attachment;
  }

  public void end() {
    shim.detached(description);
    if (pool != null) {
      shim.unwatch(pool);
    }
  }
}
