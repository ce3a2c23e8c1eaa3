package shop;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.MediaType;
import java.util.concurrent.CompletableFuture;

/** What the shop answers. */
@Path("/")
@Produces(MediaType.TEXT_PLAIN)
public final class Counter {
  @GET
  @Path("hello")
  public String hello() {
    return "hello";
  }

  @GET
  @Path("work")
  public String work() {
    return Work.once();
  }

  @GET
  @Path("later")
  public void later(@Suspended AsyncResponse response) {
    CompletableFuture.runAsync(() -> response.resume("later"));
  }

  @GET
  @Path("broken")
  public String broken() {
    throw new IllegalStateException("broken");
  }
}
