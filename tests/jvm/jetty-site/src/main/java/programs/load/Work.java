package programs.load;

/**
 * A fixed amount of CPU work: a chain of dependent rounds. Timed work would shrink under contention
 * and hide the overload.
 */
final class Work {
  private final long rounds;

  Work(long rounds) {
    this.rounds = rounds;
  }

  /** The work of one request, {@code share} times. */
  long run(double share) {
    long value = System.nanoTime();
    for (long i = (long) (rounds * share); i > 0; i--) {
      value = value * 6364136223846793005L + 1442695040888963407L;
      value ^= value >>> 29;
    }
    return value;
  }
}
