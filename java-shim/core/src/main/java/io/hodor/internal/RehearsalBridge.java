package io.hodor.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Stands in for the agent while rejections are rehearsed: every second request is rejected, some of
 * the others are dropped when they get their thread, nothing is counted or watched. The settings
 * change now and then, so that a first answer of its kind is nothing new either. Any thread.
 */
final class RehearsalBridge implements Bridge {
  private static final long PERMIT = 1;
  private static final long REJECTED = -1;

  // With a name, with another, and without one, as each way not rehearsed is compiled anew when the
  // first request takes it.
  private static final int CAUSES = 3;

  private static final int DROPPED_EVERY = 8;
  private static final int SETTINGS_LAST = 50;
  // Of Retry-After, in seconds; 0: drawn at random.
  private static final int WAITS = 4;
  private static final int STATUS = 503;
  private static final int STATUS_OFFSET = 0;
  private static final int WAIT_OFFSET = Long.BYTES;
  private static final int OVERLOADED_OFFSET = 3 * Long.BYTES;
  private static final int CLOSING_OFFSET = 4 * Long.BYTES;
  private static final double CLOSING = 0.1;

  private final ByteBuffer page =
      ByteBuffer.allocateDirect(5 * Long.BYTES)
          .order(ByteOrder.nativeOrder())
          .putLong(OVERLOADED_OFFSET, 1);

  // Races between threads only change which request is rejected or dropped.
  private int asked;
  private int started;
  private int looked;

  @Override
  public int abi() {
    return NativeBridge.ABI;
  }

  @Override
  public long acquire(boolean queued) {
    int number = ++asked;
    if (number % SETTINGS_LAST == 0) {
      page.putLong(STATUS_OFFSET, STATUS);
      page.putLong(WAIT_OFFSET, number / SETTINGS_LAST % WAITS);
      page.putDouble(CLOSING_OFFSET, number / SETTINGS_LAST % 2 == 0 ? CLOSING : 0);
    }
    return number % 2 == 0 ? REJECTED - number / 2 % CAUSES : PERMIT;
  }

  @Override
  public boolean start(long permit) {
    return ++started % DROPPED_EVERY != 0;
  }

  @Override
  public void release(long permit, int outcome) {}

  @Override
  public boolean passExempt() {
    return true;
  }

  @Override
  public boolean hasLeft(Object channel) {
    return ++looked % DROPPED_EVERY == 0;
  }

  @Override
  public void probedBy(Object channel) {}

  @Override
  public void limitPort(int port, boolean may) {}

  @Override
  public ByteBuffer page() {
    return page;
  }

  @Override
  public String layout() {
    return "field settings.rejectStatus i64 0 0\n"
        + "field settings.retryAfterSeconds i64 8 0\n"
        + "field state.cause i64 8 0\n"
        + "field hodor.gates i64 16 0\n"
        + "field state.overloaded i64 24 0\n"
        + "field connections.closing f64 32 0\n"
        + "values state.cause none,rehearsal,another\n";
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
  public void stalled(long nanos) {}

  @Override
  public void stallsUnreadable(String why) {}

  @Override
  public void attached(String what) {}

  @Override
  public void detached(String what) {}

  @Override
  public void failure(String what) {}
}
