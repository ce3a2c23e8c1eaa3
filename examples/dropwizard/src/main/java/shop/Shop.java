package shop;

import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.setup.Environment;

/** An application like any other: it knows nothing of Hodor. */
public final class Shop extends Application<Configuration> {
  public static void main(String[] args) throws Exception {
    new Shop().run(args);
  }

  @Override
  public void run(Configuration configuration, Environment environment) {
    environment.jersey().register(new Counter());
  }
}
