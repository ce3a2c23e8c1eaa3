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

  /** Of the dropped ones those whose client had left, or had waited for longer than most do. */
  long getAbandoned();

  /** Connections that clients have opened to the servers of this network namespace. */
  long getConnectionsAccepted();

  /** Attempts to open one that the kernel was made to drop; a client tries again after a second. */
  long getConnectionsDropped();

  /** Would have been dropped in {@code enforce}; counted in {@code monitor}. */
  long getConnectionsWouldDrop();

  /** Share of the new connections that pass now (in {@code monitor}: would); 1: all. */
  double getConnectionsPassing();

  /** Share of the rejections that close their connections now, 0 in most overloads. */
  double getConnectionsClosing();

  /** Per second. */
  double getAdmittedRate();

  /** Per second. */
  double getRejectedRate();

  /** Moving average over the last seconds, the wait for a thread included. */
  double getLatencyFastMillis();

  /** Moving average over the last minutes. */
  double getLatencySlowMillis();
}
