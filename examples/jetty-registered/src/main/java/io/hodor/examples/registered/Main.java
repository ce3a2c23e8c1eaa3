package io.hodor.examples.registered;

import io.hodor.jetty.OverloadHandler;
import io.hodor.servlet.OverloadFilter;
import jakarta.servlet.DispatcherType;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;

/** The demo application, which registers Hodor's gates itself. */
public final class Main {
  private static final Set<String> GATES = Set.of("handler", "filter", "both", "none");

  private Main() {}

  /**
   * @param args {@code --gate} and one of the gates, then the flags of the demo application
   */
  public static void main(String[] args) throws Exception {
    if (args.length < 2 || !args[0].equals("--gate") || !GATES.contains(args[1])) {
      System.err.println("usage: --gate handler|filter|both|none [flags of jetty-demo]");
      System.exit(2);
    }
    boolean handler = !args[1].equals("filter") && !args[1].equals("none");
    boolean filter = !args[1].equals("handler") && !args[1].equals("none");
    io.hodor.examples.jetty.Main.run(
        Arrays.copyOfRange(args, 2, args.length),
        application -> handler ? new OverloadHandler(application) : application,
        context -> {
          if (filter) {
            register(context);
          }
        });
  }

  private static void register(ServletContextHandler context) {
    context
        .addFilter(OverloadFilter.class, "/*", EnumSet.of(DispatcherType.REQUEST))
        .setAsyncSupported(true);
  }
}
