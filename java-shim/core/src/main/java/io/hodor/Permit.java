package io.hodor;

/**
 * The answer to one request: admitted, or not and why. An admitted one counts as in flight until it
 * is closed; closing it more than once, also from several threads, is the same as closing it once.
 * No method throws.
 */
public interface Permit extends AutoCloseable {
  /** False: turn the request away with {@link #status()} and the two headers below. */
  boolean isAdmitted();

  /**
   * The value for {@code X-Hodor-Reason}: what is overloaded, such as {@code cpu} or {@code queue}.
   * Empty if admitted.
   */
  String reason();

  /** The HTTP status to reject with, such as 503; 0 if admitted. */
  int status();

  /** The value for {@code Retry-After}, at least 1 and not the same each time; 0 if admitted. */
  int retryAfterSeconds();

  /**
   * To be called, at most once, by the thread that will serve the request, if it was admitted
   * before that thread was there: the wait for it is then known exactly.
   *
   * @return this, or a permit that is not admitted if the wait was too long in an overload; this
   *     one is closed then
   */
  Permit started();

  /** The request was answered, with whatever status. */
  @Override
  void close();

  /** Like {@link #close()}, for a request that ended in a way that tells nothing of its latency. */
  void fail();
}
