package io.hodor.internal;

import io.hodor.Permit;

/** Admitted without being counted: there is no agent, it is off, or something of ours failed. */
final class Uncounted extends Admitted {
  static final Permit INSTANCE = new Uncounted();

  private Uncounted() {}

  @Override
  public Permit started() {
    return this;
  }

  @Override
  public void close() {}

  @Override
  public void fail() {}
}
