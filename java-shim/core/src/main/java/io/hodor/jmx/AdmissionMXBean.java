package io.hodor.jmx;

/** {@code io.hodor:type=Admission}: what became of the requests. */
public interface AdmissionMXBean {
  long getInFlight();

  /** How many may be in flight; -1: no limit is in force. */
  long getLimit();

  long getAdmitted();

  long getRejected();

  /** Would have been rejected in {@code enforce}; counted in {@code monitor}. */
  long getWouldReject();

  /** Admitted, then refused before the application saw it, as its thread came too late. */
  long getDropped();

  long getReleased();

  /** Requests of exempt paths: none of the other numbers has them. */
  long getExempt();

  /** Requests of exempt paths beyond {@code exempt.limit}: all other numbers have them. */
  long getExemptBeyondLimit();

  /** Per second. */
  double getAdmittedRate();

  /** Per second. */
  double getRejectedRate();

  /** Moving average over the last seconds, the wait for a thread included. */
  double getLatencyFastMillis();

  /** Moving average over the last minutes. */
  double getLatencySlowMillis();
}
