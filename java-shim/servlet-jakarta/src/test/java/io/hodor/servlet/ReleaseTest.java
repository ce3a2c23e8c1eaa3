package io.hodor.servlet;

import static io.hodor.servlet.OverloadFilterTest.awaitReleases;
import static org.assertj.core.api.Assertions.assertThat;

import io.hodor.testing.RawHttp;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** However a request ends, its permit comes back once. Outcome 0: completed, 1: failed. */
class ReleaseTest {
  private static final long SHORT_MILLIS = 50;

  @Test
  void returning() throws Exception {
    endsOnce((request, response) -> response.setStatus(201), 201, "1:0");
  }

  @Test
  void throwingAnException() throws Exception {
    endsOnce(throwing(new IOException("asked for")), 500, "1:1");
  }

  @Test
  void throwingAStackOverflow() throws Exception {
    endsOnce((request, response) -> response.setStatus(deeper(0)), 500, "1:1");
  }

  @Test
  void throwingOutOfMemory() throws Exception {
    endsOnce(throwing(new OutOfMemoryError("asked for")), 500, "1:1");
  }

  @Test
  void completingLater() throws Exception {
    endsOnce(
        (request, response) -> {
          AsyncContext async = request.startAsync();
          async.start(async::complete);
        },
        200,
        "1:0");
  }

  @Test
  void completingBeforeItReturns() throws Exception {
    endsOnce((request, response) -> request.startAsync().complete(), 200, "1:0");
  }

  @Test
  void timingOut() throws Exception {
    endsOnce((request, response) -> request.startAsync().setTimeout(SHORT_MILLIS), 500, "1:1");
  }

  @Test
  void failingWhileItTimesOut() throws Exception {
    endsOnce(
        (request, response) -> {
          AsyncContext async = request.startAsync();
          async.setTimeout(SHORT_MILLIS);
          async.addListener(new ThrowingListener());
        },
        500,
        "1:1");
  }

  @Test
  void throwingAfterItWentAsynchronous() throws Exception {
    endsOnce(
        (request, response) -> {
          request.startAsync();
          throw new IllegalStateException("asked for");
        },
        500,
        "1:1");
  }

  @Test
  void dispatchingBack() throws Exception {
    endsOnce(
        (request, response) -> {
          if (request.getDispatcherType() == DispatcherType.REQUEST) {
            AsyncContext async = request.startAsync();
            async.start(async::dispatch);
          } else {
            response.setStatus(201);
          }
        },
        201,
        "1:0");
  }

  @Test
  void dispatchingBackAndThrowing() throws Exception {
    endsOnce(
        (request, response) -> {
          if (request.getDispatcherType() == DispatcherType.REQUEST) {
            request.startAsync().dispatch();
          } else if (request.getDispatcherType() == DispatcherType.ASYNC) {
            throw new OutOfMemoryError("asked for");
          }
        },
        500,
        // Jetty tells listeners that it is over, not that it threw.
        "1:0");
  }

  @Test
  void goingAsynchronousTwice() throws Exception {
    try (TestServer server =
        new TestServer(
            (request, response) -> {
              AsyncContext async = request.startAsync();
              if (request.getDispatcherType() == DispatcherType.REQUEST) {
                async.dispatch();
              } else {
                async.setTimeout(SHORT_MILLIS);
              }
            })) {
      assertThat(server.get("/")).isEqualTo(500);
      awaitReleases(server, "1:1");
      assertThat(server.agent.acquires).hasValue(1);
    }
  }

  @Test
  void aClientThatGoesAwayAmidTheAnswer() throws Exception {
    try (TestServer server = new TestServer((request, response) -> writeForEver(response));
        RawHttp client = server.connect()) {
      client.send(RawHttp.get("/"));
      client.receiveHead();
      client.abort();
      awaitReleases(server, "1:1");
    }
  }

  @Test
  void aClientThatGoesAwayAmidAnAsynchronousAnswer() throws Exception {
    try (TestServer server =
            new TestServer(
                (request, response) -> {
                  AsyncContext async = request.startAsync();
                  async.setTimeout(0);
                  async.start(() -> writeThenComplete(async, response));
                });
        RawHttp client = server.connect()) {
      client.send(RawHttp.get("/"));
      client.receiveHead();
      client.abort();
      awaitOneRelease(server);
    }
  }

  @Test
  void aClientThatGoesAwayWhileNobodyAnswers() throws Exception {
    try (TestServer server =
            new TestServer(
                (request, response) -> {
                  request.startAsync().setTimeout(SHORT_MILLIS);
                  response.flushBuffer();
                });
        RawHttp client = server.connect()) {
      client.send(RawHttp.get("/"));
      client.receiveHead();
      client.abort();
      awaitReleases(server, "1:1");
    }
  }

  private static void awaitOneRelease(TestServer server) {
    org.awaitility.Awaitility.await()
        .untilAsserted(() -> assertThat(server.agent.releases).hasSize(1));
  }

  private static void endsOnce(TestServer.Application application, int status, String release)
      throws Exception {
    try (TestServer server = new TestServer(application)) {
      assertThat(server.get("/")).isEqualTo(status);
      awaitReleases(server, release);
      // Nothing comes after: the server is stopped, and it ends what is left.
      server.stop();
      assertThat(server.agent.releases).containsExactly(release);
      assertThat(server.agent.acquires).hasValue(1);
    }
  }

  private static TestServer.Application throwing(Throwable failure) {
    return (request, response) -> {
      if (failure instanceof Error) {
        throw (Error) failure;
      }
      throw (Exception) failure;
    };
  }

  private static int deeper(int depth) {
    return deeper(depth + 1) + 1;
  }

  private static void writeForEver(HttpServletResponse response) throws IOException {
    ServletOutputStream out = response.getOutputStream();
    byte[] piece = new byte[64 * 1024];
    while (true) {
      out.write(piece);
      out.flush();
    }
  }

  private static void writeThenComplete(AsyncContext async, HttpServletResponse response) {
    try {
      writeForEver(response);
    } catch (IOException e) {
      async.complete();
    }
  }

  private static final class ThrowingListener implements AsyncListener {
    @Override
    public void onTimeout(AsyncEvent event) {
      throw new IllegalStateException("asked for");
    }

    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
  }
}
