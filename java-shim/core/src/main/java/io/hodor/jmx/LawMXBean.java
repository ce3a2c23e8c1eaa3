package io.hodor.jmx;

/** {@code io.hodor:type=Law}: what the concurrency law did last, and what it knows. */
public interface LawMXBean {
  /**
   * {@code idle}: no overload; {@code draining}: the backlog of before still leaves; {@code
   * settling}: it has left just now; {@code steady}; {@code grown}; {@code cut-…} and for what.
   */
  String getStep();

  /** Whether healthy times have been seen for long enough. */
  boolean isLearned();

  /** Mean latency in healthy times; 0: not learned yet. */
  double getHealthyLatencyMillis();

  /** Mean of the requests in flight in healthy times. */
  double getHealthyInFlight();

  /** Requests completed per second, moving average of 0.3 s. */
  double getThroughputRate();

  /** The best half second of the last three, per second. */
  double getBestThroughputRate();

  /** Completed per second while requests were rejected, as last seen; 0: never. */
  double getCapacityRate();

  /** In flight over throughput: what a newcomer takes (Little's law). */
  double getSojournMillis();

  /** What a newcomer waits beyond what is normal: fires from 500 at once, from 50 for 10 s. */
  double getExcessMillis();

  /** Requests beyond the limit that are let pass, as less arrives than can be served. */
  double getSpare();
}
