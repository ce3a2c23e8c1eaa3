package io.hodor.jetty;

import static io.hodor.jetty.OverloadHandlerTest.answer;
import static io.hodor.jetty.OverloadHandlerTest.awaitReleases;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hodor.testing.RawHttp;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.junit.jupiter.api.Test;

/**
 * However an exchange ends, its permit comes back once. Outcome 0: completed, 1: failed, 3: never
 * started.
 */
class ReleaseTest {
  @Test
  void answering() throws Exception {
    endsOnce(OverloadHandlerTest::answer, 200, "1:0");
  }

  @Test
  void answeringLaterFromAnotherThread() throws Exception {
    endsOnce(
        (request, response, callback) -> {
          new Thread(() -> answer(request, response, callback)).start();
          return true;
        },
        200,
        "1:0");
  }

  @Test
  void notHandling() throws Exception {
    endsOnce((request, response, callback) -> false, 404, "1:0");
  }

  @Test
  void throwingAnException() throws Exception {
    endsOnce(throwing(new IOException("asked for")), 500, "1:1");
  }

  @Test
  void throwingAStackOverflow() throws Exception {
    endsOnce((request, response, callback) -> deeper(0) > 0, 500, "1:1");
  }

  @Test
  void throwingOutOfMemory() throws Exception {
    endsOnce(throwing(new OutOfMemoryError("asked for")), 500, "1:1");
  }

  @Test
  void failingItsCallback() throws Exception {
    endsOnce(
        (request, response, callback) -> {
          callback.failed(new IOException("asked for"));
          return true;
        },
        500,
        "1:1");
  }

  @Test
  void throwingAfterItHasAnswered() throws Exception {
    try (TestServer server =
        new TestServer(
            (request, response, callback) -> {
              answer(request, response, callback);
              throw new IllegalStateException("asked for");
            })) {
      assertThat(server.get("/")).isEqualTo(200);
      awaitOneRelease(server);
    }
  }

  @Test
  void aClientThatGoesAwayAmidTheAnswer() throws Exception {
    try (TestServer server =
            new TestServer(
                (request, response, callback) -> {
                  writeForEver(response);
                  return true;
                });
        RawHttp client = server.connect()) {
      client.send(RawHttp.get("/"));
      client.receiveHead();
      client.abort();
      awaitReleases(server, "1:1");
    }
  }

  @Test
  void clientsThatGoAwayInTheQueue() throws Exception {
    CountDownLatch busy = new CountDownLatch(TestServer.WORKERS);
    CountDownLatch leave = new CountDownLatch(1);
    try (TestServer server = new TestServer(blocking(busy, leave))) {
      int requests = 3 * TestServer.WORKERS;
      List<RawHttp> clients = server.connect(requests);
      for (RawHttp client : clients) {
        client.send(RawHttp.get("/"));
      }
      busy.await();
      await().until(() -> server.agent.acquires.get() == requests);
      for (RawHttp client : clients) {
        client.abort();
      }
      leave.countDown();
      await().untilAsserted(() -> assertThat(permits(server)).hasSize(requests));
      assertThat(permits(server)).doesNotHaveDuplicates();
    }
  }

  @Test
  void aServerThatStopsWithRequestsInItsQueue() throws Exception {
    CountDownLatch busy = new CountDownLatch(TestServer.WORKERS);
    CountDownLatch leave = new CountDownLatch(1);
    TestServer server = new TestServer(blocking(busy, leave));
    server.pool.setStopTimeout(0);
    int requests = 2 * TestServer.WORKERS;
    List<RawHttp> clients = server.connect(requests);
    for (RawHttp client : clients) {
      client.send(RawHttp.get("/"));
    }
    busy.await();
    await().until(() -> server.agent.acquires.get() == requests);
    server.stop();
    leave.countDown();
    await().untilAsserted(() -> assertThat(permits(server)).hasSize(requests));
    assertThat(permits(server)).doesNotHaveDuplicates();
    for (RawHttp client : clients) {
      client.close();
    }
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

  private static void awaitOneRelease(TestServer server) {
    await().untilAsserted(() -> assertThat(server.agent.releases).hasSize(1));
  }

  private static List<String> permits(TestServer server) {
    return server.agent.releases.stream().map(release -> release.split(":")[0]).toList();
  }

  private static TestServer.Application blocking(CountDownLatch busy, CountDownLatch leave) {
    return (request, response, callback) -> {
      busy.countDown();
      leave.await();
      return answer(request, response, callback);
    };
  }

  private static TestServer.Application throwing(Throwable failure) {
    return (request, response, callback) -> {
      if (failure instanceof Error) {
        throw (Error) failure;
      }
      throw (Exception) failure;
    };
  }

  private static int deeper(int depth) {
    return deeper(depth + 1) + 1;
  }

  private static void writeForEver(Response response) throws IOException {
    byte[] piece = new byte[64 * 1024];
    try (OutputStream out = Content.Sink.asOutputStream(response)) {
      while (true) {
        out.write(piece);
        out.flush();
      }
    }
  }
}
