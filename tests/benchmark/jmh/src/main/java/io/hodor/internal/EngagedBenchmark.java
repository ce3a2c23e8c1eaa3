package io.hodor.internal;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The same in an overload, with a limit in force: needs the agent with {@code mode=enforce} and
 * {@code inject=cpu}, and what {@link DecisionBenchmark} needs.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(2)
public class EngagedBenchmark {
  /** Below the limit; where threads are many, chance rejects some. */
  @Benchmark
  public long acquireReleaseUnderALimit() {
    long permit = NativeBridge.acquire(false);
    if (permit > 0) {
      NativeBridge.release(permit, NativeBridge.OUTCOME_COMPLETED);
    }
    return permit;
  }

  /** What is admitted all the same, as the limit grows now and then, is kept. */
  @Benchmark
  public long reject(Full full) {
    return NativeBridge.acquire(false);
  }

  /** As many requests in flight as the limit allows. */
  @State(Scope.Benchmark)
  public static class Full {
    private static final int MOST = 100_000;

    /** Returns when a request has been rejected. */
    @Setup
    public void fill() throws InterruptedException {
      for (int i = 0; NativeBridge.acquire(false) >= 0; ++i) {
        if (i == MOST) {
          throw new IllegalStateException("everything is admitted: is the agent in enforce?");
        }
        if (i % 100 == 0) {
          Thread.sleep(1);
        }
      }
    }
  }
}
