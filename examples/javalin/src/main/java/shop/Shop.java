package shop;

import io.javalin.Javalin;

/** An application like any other: it knows nothing of Hodor. */
public final class Shop {
  private Shop() {}

  public static void main(String[] args) {
    Javalin.create()
        .get("/hello", context -> context.result("hello"))
        .get("/work", context -> context.result(Work.once()))
        .get("/later", context -> context.future(() -> Later.answer(context)))
        .get(
            "/broken",
            context -> {
              throw new IllegalStateException("broken");
            })
        .get("/health", context -> context.result("healthy"))
        .start("127.0.0.1", args.length > 0 ? Integer.parseInt(args[0]) : 8080);
  }
}
