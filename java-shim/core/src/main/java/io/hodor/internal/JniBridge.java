package io.hodor.internal;

import java.nio.ByteBuffer;

/**
 * The agent itself. Beside it there is only the bridge of rehearsals, so that calls are inlined.
 */
final class JniBridge implements Bridge {
  @Override
  public int abi() {
    return NativeBridge.abi();
  }

  @Override
  public long acquire(boolean queued) {
    return NativeBridge.acquire(queued);
  }

  @Override
  public boolean start(long permit) {
    return NativeBridge.start(permit);
  }

  @Override
  public void release(long permit, int outcome) {
    NativeBridge.release(permit, outcome);
  }

  @Override
  public boolean passExempt() {
    return NativeBridge.passExempt();
  }

  @Override
  public boolean hasLeft(Object channel) {
    return NativeBridge.hasLeft(channel);
  }

  @Override
  public void probedBy(Object channel) {
    NativeBridge.probedBy(channel);
  }

  @Override
  public void limitPort(int port, boolean may) {
    NativeBridge.limitPort(port, may);
  }

  @Override
  public ByteBuffer page() {
    return NativeBridge.page();
  }

  @Override
  public String layout() {
    return NativeBridge.layout();
  }

  @Override
  public String options() {
    return NativeBridge.options();
  }

  @Override
  public String setOption(String key, String value) {
    return NativeBridge.setOption(key, value);
  }

  @Override
  public void resetCounters() {
    NativeBridge.resetCounters();
  }

  @Override
  public int watchPool(String name) {
    return NativeBridge.watchPool(name);
  }

  @Override
  public void unwatchPool(int id) {
    NativeBridge.unwatchPool(id);
  }

  @Override
  public long probeSubmitted(int id, boolean further) {
    return NativeBridge.probeSubmitted(id, further);
  }

  @Override
  public void probeStarted(int id, long stamp) {
    NativeBridge.probeStarted(id, stamp);
  }

  @Override
  public void nobodyWaits(int id) {
    NativeBridge.nobodyWaits(id);
  }

  @Override
  public void stalled(long nanos) {
    NativeBridge.stalled(nanos);
  }

  @Override
  public void stallsUnreadable(String why) {
    NativeBridge.stallsUnreadable(why);
  }

  @Override
  public void attached(String what) {
    NativeBridge.attached(what);
  }

  @Override
  public void detached(String what) {
    NativeBridge.detached(what);
  }

  @Override
  public void failure(String what) {
    NativeBridge.failure(what);
  }
}
