package shop;

import io.javalin.http.Context;
import java.util.concurrent.CompletableFuture;

/** An answer from another thread. */
final class Later {
  private Later() {}

  static CompletableFuture<?> answer(Context context) {
    return CompletableFuture.supplyAsync(() -> "later").thenAccept(context::result);
  }
}
