package shop;

import io.javalin.Javalin;

/** An application like any other: it knows nothing of Hodor. */
public final class Shop {
  private Shop() {}

  public static void main(String[] args) {
    Javalin.create(config -> config.routes.apiBuilder(new Counter()))
        .start("127.0.0.1", args.length > 0 ? Integer.parseInt(args[0]) : 8080);
  }
}
