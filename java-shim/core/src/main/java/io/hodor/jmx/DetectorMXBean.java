package io.hodor.jmx;

/** {@code io.hodor:type=Detector,name=…}: one way to see an overload. */
public interface DetectorMXBean {
  /** The last measurement, in {@link #getUnit()}. */
  double getValue();

  String getUnit();

  boolean isFiring();

  /** Which of the configured bands fires, from 1; 0: none. */
  int getBand();

  /** How often it began to fire. */
  long getFirings();

  /** The measurement cannot be had: unknown, which is not the same as fine. */
  boolean isStale();

  /** Value, threshold and verdict as a sentence. */
  String getExplanation();
}
