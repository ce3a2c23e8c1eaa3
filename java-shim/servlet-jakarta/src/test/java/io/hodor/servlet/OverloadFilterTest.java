package io.hodor.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hodor.internal.Shim;
import io.hodor.testing.RawHttp;
import jakarta.servlet.DispatcherType;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What the filter answers, whom it lets pass, and what it says of itself. */
class OverloadFilterTest {
  private static final String REJECTED =
      "HTTP/1.1 503 Service Unavailable\r\n"
          + "Retry-After: 2\r\n"
          + "X-Hodor-Reason: cpu\r\n"
          + "Content-Length: 0\r\n\r\n";

  @Test
  void aRejectionIsTheseBytesAndKeepsTheConnection() throws Exception {
    try (TestServer server = new TestServer((request, response) -> response.setStatus(204));
        RawHttp client = server.connect()) {
      server.agent.page.set("settings.retryAfterSeconds", 2);
      server.agent.reject(2);
      for (int i = 0; i < 3; ++i) {
        client.send(RawHttp.get("/"));
        assertThat(client.receive()).isEqualTo(REJECTED);
      }
      assertThat(server.served).hasValue(0);
      assertThat(server.agent.releases).isEmpty();

      server.agent.answer = 1;
      client.send(RawHttp.get("/"));
      assertThat(client.receiveHead()).startsWith("HTTP/1.1 204 ");
    }
  }

  @Test
  void aRejectedPostIsAnsweredToo() throws Exception {
    try (TestServer server = new TestServer((request, response) -> {});
        RawHttp client = server.connect()) {
      server.agent.reject(2);
      client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nhello");
      assertThat(client.receive()).startsWith("HTTP/1.1 503 ").contains("X-Hodor-Reason: cpu");
    }
  }

  @Test
  void whereRejectionsAreTooDearOneClosesItsConnection() throws Exception {
    try (TestServer server = new TestServer((request, response) -> {});
        RawHttp client = server.connect()) {
      server.agent.reject(2);
      server.agent.page.set("connections.closing", 1.0);
      client.send(RawHttp.get("/"));
      assertThat(client.receive()).startsWith("HTTP/1.1 503 ").contains("Connection: close\r\n");
    }
  }

  @Test
  void theStatusIsTheOneThatIsSet() throws Exception {
    try (TestServer server = new TestServer((request, response) -> {})) {
      server.agent.page.set("settings.rejectStatus", 429);
      server.agent.reject(4);
      assertThat(server.get("/")).isEqualTo(429);
    }
  }

  @Test
  void aRequestWithAPermitPasses() throws Exception {
    // The second filter finds the permit of the first.
    try (TestServer server = new TestServer((request, response) -> {}, "/*", "/*")) {
      assertThat(server.get("/")).isEqualTo(200);
      awaitReleases(server, "1:0");
      assertThat(server.agent.acquires).hasValue(1);
    }
  }

  @Test
  void forwardsIncludesAndErrorsAskForNothing() throws Exception {
    try (TestServer server =
        new TestServer(
            (request, response) -> {
              if (request.getDispatcherType() != DispatcherType.REQUEST) {
                request.removeAttribute(Shim.PERMIT_ATTRIBUTE);
                return;
              }
              switch (request.getRequestURI()) {
                case "/forward" -> request.getRequestDispatcher("/x").forward(request, response);
                case "/include" -> request.getRequestDispatcher("/x").include(request, response);
                default -> response.sendError(500);
              }
            })) {
      assertThat(server.get("/forward")).isEqualTo(200);
      assertThat(server.get("/include")).isEqualTo(200);
      assertThat(server.get("/error")).isEqualTo(500);
      awaitReleases(server, "1:0", "2:0", "3:0");
      assertThat(server.agent.acquires).hasValue(3);
    }
  }

  @Test
  void thePermitIsHeldWhileTheApplicationWorks() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    try (TestServer server =
            new TestServer(
                (request, response) -> {
                  entered.countDown();
                  leave.await();
                });
        RawHttp client = server.connect()) {
      client.send(RawHttp.get("/"));
      entered.await();
      assertThat(server.agent.acquires).hasValue(1);
      assertThat(server.agent.releases).isEmpty();
      leave.countDown();
      client.receive();
      awaitReleases(server, "1:0");
    }
  }

  @Test
  void whenTheAgentFailsTheApplicationIsServed() throws Exception {
    try (TestServer server = new TestServer((request, response) -> {})) {
      server.agent.broken = new OutOfMemoryError("ours");
      assertThat(server.get("/")).isEqualTo(200);
      server.agent.broken = new UnsatisfiedLinkError("ours");
      assertThat(server.get("/")).isEqualTo(200);
      assertThat(server.served).hasValue(2);
    }
  }

  @Test
  void itSaysWhereItIsAndWatchesThePoolUntilItGoes() throws Exception {
    TestServer server = new TestServer((request, response) -> {});
    assertThat(server.agent.attached)
        .singleElement()
        .asString()
        .startsWith("jetty/12.1")
        .contains("servlet filter, pool qtp");
    assertThat(server.agent.pools.values()).singleElement().asString().startsWith("qtp");
    server.stop();
    assertThat(server.agent.attached).isEmpty();
    assertThat(server.agent.pools).isEmpty();
  }

  static void awaitReleases(TestServer server, String... releases) {
    await().untilAsserted(() -> assertThat(server.agent.releases).containsExactly(releases));
  }
}
