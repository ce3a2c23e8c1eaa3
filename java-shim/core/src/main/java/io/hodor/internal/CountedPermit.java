package io.hodor.internal;

import io.hodor.Permit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** A permit that the agent counts as in flight until it is released, which happens once. */
final class CountedPermit extends Admitted {
  private static final AtomicIntegerFieldUpdater<CountedPermit> RELEASED =
      AtomicIntegerFieldUpdater.newUpdater(CountedPermit.class, "released");

  private final Gate gate;
  // Set once, before anybody else sees this object.
  long permit;
  // Waits for a thread. Whoever releases it otherwise had the request from that thread.
  private boolean queued;
  private volatile int released;

  /** Made before the agent is asked: running out of memory here must not lose a permit. */
  CountedPermit(Gate gate, boolean queued) {
    this.gate = gate;
    this.queued = queued;
  }

  @Override
  public Permit started() {
    queued = false;
    return gate.start(permit) ? this : drop();
  }

  /** The application will not see the request. */
  Permit drop() {
    queued = false;
    release(NativeBridge.OUTCOME_DROPPED);
    return gate.tooLate();
  }

  @Override
  public void close() {
    release(NativeBridge.OUTCOME_COMPLETED);
  }

  @Override
  public void fail() {
    release(NativeBridge.OUTCOME_FAILED);
  }

  private void release(int outcome) {
    if (RELEASED.compareAndSet(this, 0, 1)) {
      gate.release(permit, queued ? NativeBridge.OUTCOME_NEVER_STARTED : outcome);
    }
  }
}
