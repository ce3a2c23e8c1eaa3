package io.hodor.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What one decision costs: acquire and release through JNI, beside what such a pair cannot be
 * without (two native calls, two clock reads) and beside the least that a limiter in Java could do
 * (one shared atomic, up and down). All in one run; ratios count, not nanoseconds.
 *
 * <p>Needs the agent in the forked JVM and this jar on its boot class path, as the natives are
 * package-private and the agent defines their class in the boot loader: {@code ./dev bench micro}
 * passes both.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(2)
@State(Scope.Benchmark)
public class DecisionBenchmark {
  private final AtomicLong shared = new AtomicLong();

  @Benchmark
  public long emptyNativePair() {
    return NativeBridge.abi() + NativeBridge.abi();
  }

  @Benchmark
  public long clockPair() {
    return System.nanoTime() + System.nanoTime();
  }

  @Benchmark
  public long atomicPair() {
    return shared.incrementAndGet() + shared.decrementAndGet();
  }

  @Benchmark
  public long acquireRelease() {
    long permit = NativeBridge.acquire(false);
    NativeBridge.release(permit, NativeBridge.OUTCOME_COMPLETED);
    return permit;
  }
}
