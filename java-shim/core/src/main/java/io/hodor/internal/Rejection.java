package io.hodor.internal;

import io.hodor.Permit;

/** A request that is to be turned away, and what to tell its client. Immutable and shared. */
public final class Rejection implements Permit {
  private final int status;
  private final String reason;
  private final int retryAfterSeconds;
  private final String retryAfter;
  private final boolean closing;

  Rejection(int status, String reason, int retryAfterSeconds, boolean closing) {
    this.status = status;
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
    this.retryAfter = Integer.toString(retryAfterSeconds);
    this.closing = closing;
  }

  @Override
  public boolean isAdmitted() {
    return false;
  }

  @Override
  public String reason() {
    return reason;
  }

  @Override
  public int status() {
    return status;
  }

  @Override
  public int retryAfterSeconds() {
    return retryAfterSeconds;
  }

  /** The value of the {@code Retry-After} header. */
  public String retryAfter() {
    return retryAfter;
  }

  /** Whether the connection is to be closed after the answer, where HTTP has a way to say so. */
  public boolean closesConnection() {
    return closing;
  }

  @Override
  public Permit started() {
    return this;
  }

  @Override
  public void close() {}

  @Override
  public void fail() {}
}
