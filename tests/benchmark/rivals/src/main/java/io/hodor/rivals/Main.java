package io.hodor.rivals;

import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import io.hodor.servlet.OverloadFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.handler.QoSHandler;

/** The demo application behind one of the ways to limit a server. */
public final class Main {
  private static final String USAGE =
      "usage: --guard none|qos|qos-tuned|fixed-root|vegas-root|gradient2-root|vegas-filter|"
          + "gradient2-filter|bulkhead-filter|sentinel-cpu|sentinel-load|hodor-filter --limit N"
          + " [flags of jetty-demo]";

  /** Sentinel's wiki: where CPU use is the sign, and where the load is: 2.5 for each CPU. */
  private static final double SENTINEL_CPU = 0.8;

  private static final double SENTINEL_LOAD = 2.5;

  private static final Duration TUNED_SUSPEND = Duration.ofMillis(500);

  private Main() {}

  /**
   * @param args the guard, a limit for those that need one, then the flags of the demo application
   */
  public static void main(String[] args) throws Exception {
    if (args.length < 4 || !args[0].equals("--guard") || !args[2].equals("--limit")) {
      refuse();
    }
    UnaryOperator<Handler> root = UnaryOperator.identity();
    Filter filter = null;
    int limit = Integer.parseInt(args[3]);
    switch (args[1]) {
      case "none" -> {}
      case "qos" -> root = Main::suspending;
      case "qos-tuned" -> root = application -> suspending(application, limit);
      case "fixed-root" -> root = inFront(Limits.fixed(limit));
      case "vegas-root" -> root = inFront(Limits.concurrencyLimits(VegasLimit.newDefault()));
      case "gradient2-root" ->
          root = inFront(Limits.concurrencyLimits(Gradient2Limit.newDefault()));
      case "vegas-filter" ->
          filter = new LimitFilter(Limits.concurrencyLimits(VegasLimit.newDefault()));
      case "gradient2-filter" ->
          filter = new LimitFilter(Limits.concurrencyLimits(Gradient2Limit.newDefault()));
      case "bulkhead-filter" -> filter = new LimitFilter(Limits.bulkhead());
      case "sentinel-cpu" ->
          filter = new LimitFilter(Limits.sentinel(rule -> rule.setHighestCpuUsage(SENTINEL_CPU)));
      case "sentinel-load" ->
          filter =
              new LimitFilter(
                  Limits.sentinel(
                      rule ->
                          rule.setHighestSystemLoad(
                              SENTINEL_LOAD * Runtime.getRuntime().availableProcessors())));
      case "hodor-filter" -> filter = new OverloadFilter();
      default -> refuse();
    }
    run(Arrays.copyOfRange(args, 4, args.length), root, filter);
  }

  private static void run(String[] flags, UnaryOperator<Handler> root, Filter filter)
      throws Exception {
    io.hodor.examples.jetty.Main.run(
        flags,
        root,
        context -> {
          if (filter != null) {
            FilterHolder holder = new FilterHolder(filter);
            holder.setAsyncSupported(true);
            context.addFilter(holder, "/*", EnumSet.of(DispatcherType.REQUEST));
          }
        });
  }

  private static void refuse() {
    System.err.println(USAGE);
    System.exit(2);
  }

  private static UnaryOperator<Handler> inFront(Limit limit) {
    return application -> new LimitHandler(application, limit);
  }

  /** Jetty's own: by default half of the pool's threads at a time, the others wait for ever. */
  private static QoSHandler suspending(Handler application) {
    QoSHandler handler = new QoSHandler(application);
    handler.exclude(request -> Direct.is(request.getHttpURI().getQuery()));
    return handler;
  }

  /** No more than the service can serve at a time, and of the others no more than have a chance. */
  private static QoSHandler suspending(Handler application, int limit) {
    QoSHandler handler = suspending(application);
    handler.setMaxRequestCount(limit);
    handler.setMaxSuspendedRequestCount(8 * limit);
    handler.setMaxSuspend(TUNED_SUSPEND);
    return handler;
  }
}
