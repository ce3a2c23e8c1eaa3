package io.hodor.jmx;

import java.util.Map;

/** {@code io.hodor:type=Hodor}: whether the process is overloaded, and what is done about it. */
public interface HodorMXBean {
  String getVersion();

  /** {@code off}, {@code monitor} or {@code enforce}. */
  String getMode();

  /**
   * Takes effect with the next tick, within about 100 ms.
   *
   * @throws IllegalArgumentException if there is no such mode
   */
  void setMode(String mode);

  boolean isOverloaded();

  /**
   * {@code none}, or the detector that says so: {@code gc}, {@code queue}, {@code heartbeat}, or
   * {@code cpu-self}, {@code cpu-neighbour} and {@code cpu-quota}, by who has the CPU time that
   * threads wait for; {@code cpu} if that cannot be told.
   */
  String getCause();

  /** Since when it is overloaded, as ISO-8601 in UTC; empty if it is not. */
  String getSince();

  /** A sentence that a person can act on. */
  String getReason();

  /** The servers and filters that ask for permits. */
  String[] getAttached();

  /** Every option and its value in force. */
  Map<String, String> getOptions();

  /**
   * Changes an option of a running agent.
   *
   * @throws IllegalArgumentException with what was wrong and what would be right
   */
  void setOption(String name, String value);

  /** Counters start from zero again; what is in flight stays. */
  void resetCounters();
}
