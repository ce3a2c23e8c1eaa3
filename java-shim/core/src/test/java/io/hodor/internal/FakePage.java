package io.hodor.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A metrics page as the agent lays it out and writes it. One thread writes. */
public final class FakePage {
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final int TEXT_CAPACITY = 1000;

  private final ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 16);
  private final Map<String, Integer> offsets = new LinkedHashMap<>();
  private final StringBuilder layout = new StringBuilder();
  private int end;

  /** Without any field. */
  public static FakePage empty() {
    return new FakePage();
  }

  /** With every field that the Java side reads. */
  public static FakePage complete() {
    FakePage page = new FakePage();
    page.integers(
        "state.mode",
        "state.overloaded",
        "state.cause",
        "state.cpuBlame",
        "state.sinceEpochMillis",
        "state.transitions",
        "hodor.gates");
    page.texts("state.reason", "hodor.version", "hodor.attached", "errors.last");
    for (String detector : List.of("heartbeat", "cpu", "gc", "queue")) {
      String prefix = "detector." + detector + ".";
      page.real(prefix + "value");
      page.integers(prefix + "firing", prefix + "band", prefix + "firings", prefix + "stale");
      page.texts(prefix + "unit", prefix + "explanation");
    }
    for (String name :
        List.of(
            "inFlight",
            "limit",
            "admitted",
            "rejected",
            "wouldReject",
            "released",
            "dropped",
            "exempt",
            "exemptBeyondLimit",
            "abandoned",
            "invalid")) {
      page.integers("admission." + name);
    }
    for (String name :
        List.of(
            "admittedRate",
            "rejectedRate",
            "latencyFastMillis",
            "latencySlowMillis",
            "dropShare")) {
      page.real("admission." + name);
    }
    page.integers("connections.accepted", "connections.dropped", "connections.wouldDrop");
    page.real("connections.passing");
    page.real("connections.closing");
    page.integers("law.step", "law.learned");
    for (String name :
        List.of(
            "healthyLatencyMillis",
            "healthyInFlight",
            "throughput",
            "bestThroughput",
            "capacity",
            "sojournMillis",
            "excessMillis",
            "spare")) {
      page.real("law." + name);
    }
    page.integers(
        "errors.failOpen",
        "errors.sourceFailures",
        "settings.rejectStatus",
        "settings.retryAfterSeconds");
    page.values("state.mode", "off,monitor,enforce");
    page.values("state.cause", "none,heartbeat,cpu,gc,queue");
    page.values("law.step", "idle,draining,settling,steady,grown,cut-run-queue");
    page.values("state.cpuBlame", "unknown,self,neighbour,quota");
    page.set("settings.rejectStatus", 503);
    page.set("admission.limit", -1);
    return page;
  }

  public FakePage integers(String... names) {
    for (String name : names) {
      add(name, "i64", 0, Long.BYTES);
    }
    return this;
  }

  public FakePage real(String name) {
    add(name, "f64", 0, Long.BYTES);
    return this;
  }

  public FakePage texts(String... names) {
    for (String name : names) {
      add(name, "text", TEXT_CAPACITY, 8 + TEXT_CAPACITY);
    }
    return this;
  }

  public FakePage values(String name, String names) {
    layout.append("values ").append(name).append(' ').append(names).append('\n');
    return this;
  }

  private void add(String name, String type, int capacity, int size) {
    offsets.put(name, end);
    layout.append(String.format("field %s %s %d %d%n", name, type, end, capacity));
    end += (size + 7) / 8 * 8;
  }

  public void set(String name, long value) {
    LONG.setOpaque(bytes, offsets.get(name), value);
  }

  public void set(String name, double value) {
    set(name, Double.doubleToLongBits(value));
  }

  public void set(String name, String value) {
    int offset = offsets.get(name);
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    beginText(name);
    INT.setRelease(bytes, offset + 4, utf8.length);
    for (int i = 0; i < utf8.length; ++i) {
      VarHandle.releaseFence();
      bytes.put(offset + 8 + i, utf8[i]);
    }
    endText(name);
  }

  /** The sequence becomes odd: readers have to wait. */
  public void beginText(String name) {
    int offset = offsets.get(name);
    INT.setOpaque(bytes, offset, (int) INT.getOpaque(bytes, offset) + 1);
    VarHandle.releaseFence();
  }

  /** The sequence becomes even again. */
  public void endText(String name) {
    int offset = offsets.get(name);
    INT.setRelease(bytes, offset, (int) INT.getOpaque(bytes, offset) + 1);
  }

  public ByteBuffer bytes() {
    return bytes.asReadOnlyBuffer();
  }

  public String layout() {
    return layout.toString();
  }
}
