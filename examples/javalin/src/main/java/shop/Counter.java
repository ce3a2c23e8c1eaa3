package shop;

import static io.javalin.apibuilder.ApiBuilder.get;

import io.javalin.apibuilder.EndpointGroup;

/** What the shop answers. */
final class Counter implements EndpointGroup {
  @Override
  public void addEndpoints() {
    get("/hello", context -> context.result("hello"));
    get("/work", context -> context.result(Work.once()));
    get("/later", context -> context.future(() -> Later.answer(context)));
    get(
        "/broken",
        context -> {
          throw new IllegalStateException("broken");
        });
    get("/health", context -> context.result("healthy"));
  }
}
