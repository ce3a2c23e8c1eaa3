package io.hodor.internal;

import io.hodor.Permit;

/** What every admitted request is told. */
abstract class Admitted implements Permit {
  @Override
  public final boolean isAdmitted() {
    return true;
  }

  @Override
  public final String reason() {
    return "";
  }

  @Override
  public final int status() {
    return 0;
  }

  @Override
  public final int retryAfterSeconds() {
    return 0;
  }
}
