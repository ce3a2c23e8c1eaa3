package io.hodor.jmx;

/** {@code io.hodor:type=Errors}: what went wrong inside Hodor; the application was served. */
public interface ErrorsMXBean {
  /** Requests admitted because something of ours failed. */
  long getFailOpen();

  /** Readings of the system that failed. */
  long getSourceFailures();

  String getLastError();
}
