package io.hodor.examples.jetty;

/**
 * A fixed amount of CPU work: a chain of dependent rounds. Timed work would shrink under contention
 * and hide the overload.
 */
final class Work {
  private static final int TRIALS = 15;
  private static final long TRIAL_ROUNDS = 200_000;

  private final long rounds;

  Work(long rounds) {
    this.rounds = rounds;
  }

  /** As many rounds as an idle core does in that time, in the fastest of some trials. */
  static Work calibrated(int millis) {
    Work trial = new Work(TRIAL_ROUNDS);
    long sum = 0;
    long fastest = Long.MAX_VALUE;
    for (int i = 0; i < TRIALS; i++) {
      long start = System.nanoTime();
      sum += trial.run(i);
      fastest = Math.min(fastest, System.nanoTime() - start);
    }
    if (sum == 0) {
      throw new IllegalStateException("the work was optimised away");
    }
    return new Work(Math.max(1, Math.round(TRIAL_ROUNDS * (millis * 1e6 / fastest))));
  }

  long rounds() {
    return rounds;
  }

  long run(long seed) {
    long value = seed;
    for (long i = 0; i < rounds; i++) {
      value = value * 6364136223846793005L + 1442695040888963407L;
      value ^= value >>> 29;
    }
    return value;
  }
}
