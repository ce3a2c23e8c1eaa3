package io.hodor.internal;

import com.alibaba.csp.sentinel.Entry;
import com.alibaba.csp.sentinel.EntryType;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRuleManager;
import com.alibaba.csp.sentinel.slots.system.SystemRule;
import com.alibaba.csp.sentinel.slots.system.SystemRuleManager;
import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.FixedLimit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
 * What a decision of other libraries costs: one request let in and its end, and one rejected. A
 * token bucket is not told the end.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(2)
@State(Scope.Benchmark)
public class PeersBenchmark {
  private static final String OPEN = "open";
  private static final String SHUT = "shut";

  private final Limiter<Void> vegas =
      SimpleLimiter.newBuilder().limit(VegasLimit.newDefault()).build();
  private final Limiter<Void> fullLimiter =
      SimpleLimiter.newBuilder().limit(FixedLimit.of(1)).build();
  private final Bulkhead bulkhead = Bulkhead.ofDefaults(OPEN);
  private final Bulkhead fullBulkhead =
      Bulkhead.of(SHUT, BulkheadConfig.custom().maxConcurrentCalls(1).build());
  private final Bucket bucket = bucket(Long.MAX_VALUE / 2);
  private final Bucket emptyBucket = bucket(1);

  private static Bucket bucket(long tokens) {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(tokens).refillGreedy(1, Duration.ofDays(1)))
        .build();
  }

  /** Fills what shall be full. */
  @Setup
  public void fill() {
    if (fullLimiter.acquire(null).isEmpty()
        || !fullBulkhead.tryAcquirePermission()
        || !emptyBucket.tryConsume(1)) {
      throw new IllegalStateException("full before it was filled");
    }
    SystemRule busy = new SystemRule();
    busy.setHighestSystemLoad(1e9);
    SystemRuleManager.loadRules(List.of(busy));
    FlowRule none = new FlowRule(SHUT);
    none.setCount(0);
    FlowRuleManager.loadRules(List.of(none));
  }

  @Benchmark
  public boolean concurrencyLimitsAdmit() {
    Optional<Limiter.Listener> listener = vegas.acquire(null);
    listener.ifPresent(Limiter.Listener::onSuccess);
    return listener.isPresent();
  }

  @Benchmark
  public boolean concurrencyLimitsReject() {
    return fullLimiter.acquire(null).isPresent();
  }

  @Benchmark
  public boolean resilience4jAdmit() {
    boolean admitted = bulkhead.tryAcquirePermission();
    if (admitted) {
      bulkhead.onComplete();
    }
    return admitted;
  }

  @Benchmark
  public boolean resilience4jReject() {
    return fullBulkhead.tryAcquirePermission();
  }

  @Benchmark
  public boolean bucket4jAdmit() {
    return bucket.tryConsume(1);
  }

  @Benchmark
  public boolean bucket4jReject() {
    return emptyBucket.tryConsume(1);
  }

  @Benchmark
  public boolean sentinelAdmit() {
    return enter(OPEN);
  }

  @Benchmark
  public boolean sentinelReject() {
    return enter(SHUT);
  }

  private static boolean enter(String resource) {
    try {
      Entry entry = SphU.entry(resource, EntryType.IN);
      entry.exit();
      return true;
    } catch (BlockException e) {
      return false;
    }
  }
}
