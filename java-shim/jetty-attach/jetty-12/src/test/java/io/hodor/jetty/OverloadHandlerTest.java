package io.hodor.jetty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hodor.internal.FakeBridge;
import io.hodor.testing.RawHttp;
import java.io.EOFException;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.DefaultHandler;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/**
 * What the root handler answers, on which thread the application runs, and what it says of itself.
 */
class OverloadHandlerTest {
  private static final String REJECTED =
      "HTTP/1.1 503 Service Unavailable\r\n"
          + "Retry-After: 2\r\n"
          + "X-Hodor-Reason: cpu\r\n"
          + "Content-Length: 0\r\n\r\n";

  @Test
  void aRejectionIsTheseBytesAndKeepsTheConnection() throws Exception {
    try (TestServer server = new TestServer(OverloadHandlerTest::answer);
        RawHttp client = server.connect()) {
      rejectForCpu(server);
      for (int i = 0; i < 3; ++i) {
        client.send(RawHttp.get("/"));
        assertThat(client.receive()).isEqualTo(REJECTED);
      }
      assertThat(server.calls).isEmpty();
      assertThat(server.agent.releases).isEmpty();

      server.agent.answer = 1;
      client.send(RawHttp.get("/"));
      assertThat(client.receive()).startsWith("HTTP/1.1 200 ").endsWith("served");
    }
  }

  @Test
  void whereRejectionsAreTooDearOneClosesItsConnection() throws Exception {
    try (TestServer server = new TestServer(OverloadHandlerTest::answer);
        RawHttp client = server.connect()) {
      rejectForCpu(server);
      server.agent.page.set("connections.closing", 1.0);
      client.send(RawHttp.get("/"));
      assertThat(client.receive())
          .startsWith("HTTP/1.1 503 ")
          .contains("X-Hodor-Reason: cpu\r\n", "Connection: close\r\n");
      assertThatThrownBy(client::next).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void whoAsksForAnExemptPathIsNamed() throws Exception {
    try (TestServer server = new TestServer(OverloadHandlerTest::answer);
        RawHttp client = server.connect()) {
      rejectForCpu(server);
      client.send(RawHttp.get("/pay"));
      assertThat(client.receive()).isEqualTo(REJECTED);
      assertThat(server.agent.probeChannels).isEmpty();
      client.send(RawHttp.get("/health"));
      assertThat(client.receive()).startsWith("HTTP/1.1 200 ");
      assertThat(server.agent.probeChannels).singleElement().isInstanceOf(SocketChannel.class);
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws Exception {
    try (TestServer server = new TestServer(OverloadHandlerTest::answer);
        RawHttp client = server.connect()) {
      client.send(RawHttp.get("/").repeat(3));
      for (int i = 0; i < 3; ++i) {
        assertThat(client.receive()).endsWith("served");
      }
      rejectForCpu(server);
      client.send(RawHttp.get("/").repeat(20));
      for (int i = 0; i < 20; ++i) {
        assertThat(client.receive()).isEqualTo(REJECTED);
      }
      awaitReleases(server, "1:0", "2:0", "3:0");
    }
  }

  @Test
  void aRejectedHeadHasTheSameHeaders() throws Exception {
    try (TestServer server = new TestServer(OverloadHandlerTest::answer);
        RawHttp client = server.connect()) {
      rejectForCpu(server);
      for (int i = 0; i < 2; ++i) {
        client.send("HEAD / HTTP/1.1\r\nHost: test\r\n\r\n");
        assertThat(client.receiveHead()).isEqualTo(REJECTED);
      }
    }
  }

  @Test
  void aRejectedUploadIsAnsweredWhileItIsOnItsWay() throws Exception {
    try (TestServer server = new TestServer(OverloadHandlerTest::answer);
        RawHttp client = server.connect()) {
      rejectForCpu(server);
      client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 102400\r\n\r\n");
      client.send("x".repeat(1000));
      assertThat(client.receiveHead()).startsWith("HTTP/1.1 503 ").contains("X-Hodor-Reason: cpu");
    }
  }

  @Test
  void anAdmittedUploadIsRead() throws Exception {
    try (TestServer server =
            new TestServer(
                (request, response, callback) -> {
                  String body = Content.Source.asString(request);
                  Content.Sink.write(response, true, "read " + body.length(), callback);
                  return true;
                });
        RawHttp client = server.connect()) {
      String body = "x".repeat(100 * 1024);
      client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 102400\r\n\r\n" + body);
      assertThat(client.receive()).endsWith("read 102400");
      awaitReleases(server, "1:0");
    }
  }

  /** The attribute costs something, and only another gate looks at it. */
  @Test
  void aRequestIsMarkedWhereItMayMeetAnotherGate() throws Exception {
    List<Object> marks = new CopyOnWriteArrayList<>();
    try (TestServer server =
            new TestServer(
                (request, response, callback) -> {
                  marks.add(request.getAttribute(OverloadHandler.PERMIT_ATTRIBUTE) != null);
                  return answer(request, response, callback);
                });
        RawHttp client = server.connect()) {
      for (long gates : new long[] {1, 2, 1}) {
        server.agent.page.set("hodor.gates", gates);
        client.send(RawHttp.get("/"));
        assertThat(client.receive()).endsWith("served");
      }
      assertThat(marks).containsExactly(false, true, false);
    }
  }

  @Test
  void anErrorThatIsHandledAgainAsksForNothing() throws Exception {
    try (TestServer server =
            new TestServer(
                (request, response, callback) -> {
                  if (request.getHttpURI().getPath().equals("/page")) {
                    return answer(request, response, callback);
                  }
                  Response.writeError(request, response, callback, 404);
                  return true;
                });
        RawHttp client = server.connect()) {
      server.agent.page.set("hodor.gates", 1);
      server.handleErrorsAt("/page");
      client.send(RawHttp.get("/missing"));
      assertThat(client.receive()).endsWith("served");
      assertThat(server.calls).hasSize(2);
      assertThat(server.agent.acquires).hasValue(1);
      awaitReleases(server, "1:0");
    }
  }

  @Test
  void rejectingNeedsNoThreadOfThePool() throws Exception {
    CountDownLatch busy = new CountDownLatch(TestServer.WORKERS);
    CountDownLatch leave = new CountDownLatch(1);
    try (TestServer server =
            new TestServer(
                (request, response, callback) -> {
                  busy.countDown();
                  leave.await();
                  return answer(request, response, callback);
                });
        RawHttp rejected = server.connect(1).get(0)) {
      List<RawHttp> clients = server.connect(TestServer.WORKERS);
      for (RawHttp client : clients) {
        client.send(RawHttp.get("/"));
      }
      busy.await();
      rejectForCpu(server);
      for (int i = 0; i < 10; ++i) {
        rejected.send(RawHttp.get("/"));
        assertThat(rejected.receive()).isEqualTo(REJECTED);
      }
      assertThat(server.agent.releases).isEmpty();
      leave.countDown();
      for (RawHttp client : clients) {
        assertThat(client.receive()).endsWith("served");
        client.close();
      }
    }
  }

  @Test
  void inMonitorNothingIsDoneThatJettyWouldNotDo() throws Exception {
    try (TestServer server = new TestServer(OverloadHandlerTest::answer, "monitor")) {
      assertThat(server.get("/")).isEqualTo(200);
      assertThat(handedOver(server)).containsExactly(false);
      awaitReleases(server, "1:0");
      assertThat(server.agent.started).isEmpty();
    }
  }

  @Test
  void anApplicationThatThrowsInMonitorIsNoSuccess() throws Exception {
    try (TestServer server =
        new TestServer(
            (request, response, callback) -> {
              throw new StackOverflowError("the application's");
            },
            "monitor")) {
      assertThat(server.get("/")).isEqualTo(500);
      awaitReleases(server, "1:1");
    }
  }

  @Test
  void afterASwitchBackNobodyBlocksTheSelectorForAWhile() throws Exception {
    try (TestServer server = new TestServer(OverloadHandlerTest::answer, "monitor")) {
      server.agent.changeMode(server.shim, "enforce");
      assertThat(server.get("/")).isEqualTo(200);
      server.agent.changeMode(server.shim, "monitor");
      // Jetty may have asked before the switch.
      assertThat(server.get("/")).isEqualTo(200);
      assertThat(handedOver(server)).containsExactly(true, true);
      await()
          .untilAsserted(
              () -> {
                assertThat(server.get("/")).isEqualTo(200);
                assertThat(handedOver(server)).endsWith(false);
              });
    }
  }

  @Test
  void aServerThatMayDeployLaterMayDoSoUntilItIsOverloaded() throws Exception {
    Handler.Sequence handlers = new Handler.Sequence(true, List.of());
    try (TestServer server =
        new TestServer(
            OverloadHandlerTest::answer,
            application -> {
              handlers.addHandler(application);
              return handlers;
            })) {
      assertThat(server.get("/")).isEqualTo(200);
      handlers.addHandler(new DefaultHandler());
      server.agent.changeOverload(server.shim, true);
      assertThat(server.get("/")).isEqualTo(200);
      assertThat(handedOver(server)).containsExactly(false, true);
    }
  }

  @Test
  void behindAnotherGateItAsksForNothing() throws Exception {
    FakeBridge outer = new FakeBridge();
    try (TestServer server =
        new TestServer(
            (request, response, callback) -> answer(request, response, callback), "monitor")) {
      outer.page.set("hodor.gates", 2);
      server.agent.page.set("hodor.gates", 2);
      server.stop();
      server.wrap(new OverloadHandler(null, outer.shim()));
      assertThat(server.get("/")).isEqualTo(200);
      await().untilAsserted(() -> assertThat(outer.releases).hasSize(1));
      assertThat(server.agent.acquires).hasValue(0);
    }
  }

  private static List<Boolean> handedOver(TestServer server) {
    return server.calls.stream()
        .map(
            call ->
                Arrays.stream(call)
                    .anyMatch(frame -> frame.toString().contains("OverloadHandler$Serving.run(")))
        .toList();
  }

  @Test
  void theApplicationNeverRunsOnASelector() throws Exception {
    try (TestServer server = new TestServer(OverloadHandlerTest::answer);
        RawHttp client = server.connect()) {
      for (long answer : new long[] {1, 0}) {
        server.agent.answer = answer;
        for (int i = 0; i < 20; ++i) {
          client.send(RawHttp.get("/"));
          client.receive();
        }
      }
      server.agent.broken = new UnsatisfiedLinkError("no agent");
      client.send(RawHttp.get("/"));
      client.receive();

      assertThat(server.calls).hasSize(41);
      for (StackTraceElement[] call : server.calls) {
        assertThat(call)
            .extracting(StackTraceElement::getClassName)
            .noneMatch(name -> name.startsWith("org.eclipse.jetty.io."))
            .anyMatch(name -> name.endsWith("OverloadHandler$Serving"));
      }
    }
  }

  @Test
  void theWaitForTheThreadIsTold() throws Exception {
    try (TestServer server = new TestServer(OverloadHandlerTest::answer)) {
      assertThat(server.get("/")).isEqualTo(200);
      assertThat(server.agent.started).containsExactly(1L);
    }
  }

  @Test
  void aRequestWhoseThreadCameTooLateIsDropped() throws Exception {
    try (TestServer server = new TestServer(OverloadHandlerTest::answer);
        RawHttp client = server.connect()) {
      server.agent.starts = false;
      server.agent.page.set("state.cause", 4);
      for (int i = 0; i < 2; ++i) {
        client.send(RawHttp.get("/"));
        assertThat(client.receive())
            .startsWith("HTTP/1.1 503 ")
            .contains("X-Hodor-Reason: queue\r\n")
            .contains("Retry-After: ");
      }
      assertThat(server.calls).isEmpty();
      awaitReleases(server, "1:2", "2:2");
    }
  }

  @Test
  void aFullPoolIsAnsweredAndTheServerGoesOn() throws Exception {
    CountDownLatch busy = new CountDownLatch(TestServer.WORKERS);
    CountDownLatch leave = new CountDownLatch(1);
    ArrayBlockingQueue<Runnable> eight = new ArrayBlockingQueue<>(8);
    try (TestServer server =
        new TestServer(
            (request, response, callback) -> {
              busy.countDown();
              leave.await();
              return answer(request, response, callback);
            },
            eight,
            "enforce")) {
      // As many as there are workers, then as many as the queue holds, and one more.
      List<RawHttp> clients = server.connect(TestServer.WORKERS + 8 + 1);
      for (int i = 0; i < clients.size(); ++i) {
        if (i == TestServer.WORKERS) {
          busy.await();
        }
        clients.get(i).send(RawHttp.get("/"));
        int asked = i + 1;
        await().until(() -> server.agent.acquires.get() == asked);
      }
      RawHttp last = clients.remove(clients.size() - 1);
      assertThat(last.receive())
          .isEqualTo(
              "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n");
      awaitReleases(server, "13:3");
      last.close();
      leave.countDown();
      for (RawHttp client : clients) {
        assertThat(client.receive()).endsWith("served");
        client.close();
      }
    }
  }

  @Test
  void whenTheAgentFailsTheApplicationIsServed() throws Exception {
    try (TestServer server = new TestServer(OverloadHandlerTest::answer)) {
      assertThat(server.get("/")).isEqualTo(200);
      for (Throwable failure :
          new Throwable[] {
            new OutOfMemoryError("ours"),
            new NoClassDefFoundError("ours"),
            new IllegalStateException("ours")
          }) {
        server.agent.broken = failure;
        assertThat(server.get("/")).isEqualTo(200);
      }
      assertThat(server.agent.logged).hasSize(1);
    }
  }

  @Test
  void itSaysWhereItIsAndWatchesThePoolUntilItGoes() throws Exception {
    TestServer server = new TestServer(OverloadHandlerTest::answer);
    String name = server.pool.getName();
    assertThat(server.agent.attached).singleElement().asString().startsWith("Jetty 12.1");
    assertThat(server.agent.attached.get(0)).endsWith(", pool " + name);
    assertThat(server.agent.pools.values())
        .singleElement()
        .asString()
        .startsWith(name + " of Jetty 12.1");
    server.close();
    assertThat(server.agent.attached).isEmpty();
    assertThat(server.agent.pools).isEmpty();
  }

  static boolean answer(Request request, Response response, Callback callback) {
    Content.Sink.write(response, true, "served", callback);
    return true;
  }

  static void awaitReleases(TestServer server, String... releases) {
    await().untilAsserted(() -> assertThat(server.agent.releases).containsExactly(releases));
  }

  private static void rejectForCpu(TestServer server) {
    server.agent.page.set("settings.retryAfterSeconds", 2);
    server.agent.reject(2);
  }
}
