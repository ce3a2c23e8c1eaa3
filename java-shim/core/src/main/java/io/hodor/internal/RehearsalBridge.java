package io.hodor.internal;

import java.nio.ByteBuffer;

/**
 * Stands in for the agent while rejections are rehearsed: every second request is rejected, nothing
 * is counted or watched. Any thread.
 */
final class RehearsalBridge implements Bridge {
  private static final long PERMIT = 1;
  private static final long REJECTED = -1;

  // Races between threads only change which request is rejected.
  private boolean last;

  @Override
  public int abi() {
    return NativeBridge.ABI;
  }

  @Override
  public long acquire(boolean queued) {
    last = !last;
    return last ? PERMIT : REJECTED;
  }

  @Override
  public boolean start(long permit) {
    return true;
  }

  @Override
  public void release(long permit, int outcome) {}

  @Override
  public ByteBuffer page() {
    return ByteBuffer.allocateDirect(2 * Long.BYTES);
  }

  @Override
  public String layout() {
    return "field settings.rejectStatus i64 0 0\n"
        + "field settings.retryAfterSeconds i64 8 0\n"
        + "field state.cause i64 8 0\n"
        + "values state.cause rehearsal\n";
  }

  @Override
  public String options() {
    return "mode=enforce\n";
  }

  @Override
  public String setOption(String key, String value) {
    return "a rehearsal has no options";
  }

  @Override
  public void resetCounters() {}

  @Override
  public int watchPool(String name) {
    return -1;
  }

  @Override
  public void unwatchPool(int id) {}

  @Override
  public long probeSubmitted(int id, boolean further) {
    return 0;
  }

  @Override
  public void probeStarted(int id, long stamp) {}

  @Override
  public void nobodyWaits(int id) {}

  @Override
  public void attached(String what) {}

  @Override
  public void detached(String what) {}

  @Override
  public void failure(String what) {}
}
