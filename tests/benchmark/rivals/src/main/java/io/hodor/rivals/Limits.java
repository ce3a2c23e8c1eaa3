package io.hodor.rivals;

import com.alibaba.csp.sentinel.Entry;
import com.alibaba.csp.sentinel.EntryType;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.system.SystemRule;
import com.alibaba.csp.sentinel.slots.system.SystemRuleManager;
import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import io.github.resilience4j.bulkhead.Bulkhead;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The rules of other libraries, each as its documentation sets it up. */
final class Limits {
  private static final String NAME = "server";

  private Limits() {}

  /** At most so many at a time: nobody ships it, and nobody knows the number beforehand. */
  static Limit fixed(int limit) {
    AtomicInteger inFlight = new AtomicInteger();
    Limit.Admitted admitted = answered -> inFlight.decrementAndGet();
    return () -> {
      if (inFlight.incrementAndGet() <= limit) {
        return admitted;
      }
      inFlight.decrementAndGet();
      return null;
    };
  }

  /** The `SimpleLimiter` that the library's own servlet filter uses. */
  static Limit concurrencyLimits(com.netflix.concurrency.limits.Limit law) {
    Limiter<Void> limiter = SimpleLimiter.newBuilder().limit(law).build();
    return () ->
        limiter
            .acquire(null)
            .<Limit.Admitted>map(
                listener ->
                    answered -> {
                      if (answered) {
                        listener.onSuccess();
                      } else {
                        listener.onIgnore();
                      }
                    })
            .orElse(null);
  }

  /** 25 at a time, and nobody waits. */
  static Limit bulkhead() {
    Bulkhead bulkhead = Bulkhead.ofDefaults(NAME);
    Limit.Admitted admitted = answered -> bulkhead.onComplete();
    return () -> bulkhead.tryAcquirePermission() ? admitted : null;
  }

  /** To be asked and told on one thread. */
  static Limit sentinel(Consumer<SystemRule> settings) {
    SystemRule rule = new SystemRule();
    settings.accept(rule);
    SystemRuleManager.loadRules(List.of(rule));
    return () -> {
      try {
        Entry entry = SphU.entry(NAME, EntryType.IN);
        return answered -> entry.exit();
      } catch (BlockException e) {
        return null;
      }
    };
  }
}
