package io.hodor.internal;

import io.hodor.Permit;

/** Admitted without being counted: there is no agent, it is off, or something of ours failed. */
final class Uncounted implements Permit {
  static final Permit INSTANCE = new Uncounted();

  private Uncounted() {}

  @Override
  public boolean isAdmitted() {
    return true;
  }

  @Override
  public String reason() {
    return "";
  }

  @Override
  public int status() {
    return 0;
  }

  @Override
  public int retryAfterSeconds() {
    return 0;
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
