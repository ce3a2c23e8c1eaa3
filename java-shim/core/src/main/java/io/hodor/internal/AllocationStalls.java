package io.hodor.internal;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Streams the flight recorder's allocation stalls of ZGC to the agent. By reflection: Java 11 has
 * recordings but no streams, and a small runtime image has neither.
 */
final class AllocationStalls {
  private static final String EVENT = "jdk.ZAllocationStall";

  // Of what the recorder keeps on disk for us.
  private static final Duration MOST_AGE = Duration.ofSeconds(10);
  private static final long MOST_BYTES = 8L << 20;

  private AllocationStalls() {}

  /** Starts a recording of nothing else, for as long as the JVM lives. */
  static void read(Bridge bridge) {
    try {
      start(bridge);
      bridge.stalled(0);
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      bridge.stallsUnreadable(cause.toString());
    }
  }

  private static void start(Bridge bridge) throws ReflectiveOperationException {
    Class<?> type = Class.forName("jdk.jfr.consumer.RecordingStream");
    Class<?> settings = Class.forName("jdk.jfr.EventSettings");
    Method duration = Class.forName("jdk.jfr.consumer.RecordedEvent").getMethod("getDuration");
    Consumer<Object> tell =
        event -> {
          try {
            bridge.stalled(((Duration) duration.invoke(event)).toNanos());
          } catch (ReflectiveOperationException e) {
            // The stream says what its handlers throw.
            throw new IllegalStateException(e);
          }
        };
    Object stream = type.getConstructor().newInstance();
    type.getMethod("setMaxAge", Duration.class).invoke(stream, MOST_AGE);
    type.getMethod("setMaxSize", long.class).invoke(stream, MOST_BYTES);
    Object enabled = type.getMethod("enable", String.class).invoke(stream, EVENT);
    settings.getMethod("withoutThreshold").invoke(enabled);
    settings.getMethod("withoutStackTrace").invoke(enabled);
    type.getMethod("onEvent", String.class, Consumer.class).invoke(stream, EVENT, tell);
    type.getMethod("startAsync").invoke(stream);
  }
}
