package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/**
 * What Jetty serves. One JVM for all tests of a site; after each test, every request was counted
 * once and released.
 */
@ExtendWith(AttachMatrix.class)
abstract class SiteProtocols {
  /** Nothing but what a test injects is an overload, however busy the machine is. */
  private static final String CALM =
      ",strategy=percentage,cpu.bands=10000:1m,queue.bands=1m:1m,heartbeat.limit=10s";

  /** So few at once are never taken for an overload, however slow they are. */
  private static final int STREAMS = 3;

  /** More events than any test waits for. */
  private static final String ENDLESS = "/events?1000000";

  @TempDir static Path folder;
  private static JettySite site;
  private static Jmx jmx;
  private static ModernClient plain;
  private static ModernClient tls;

  @Parameter Setup setup;

  private long before;

  /** How a site is started. */
  record Setup(String site, int java, String pool, String mode) {
    @Override
    public String toString() {
      return site + ", " + pool + " threads, " + mode + " on Java " + java;
    }
  }

  @BeforeParameterizedClassInvocation
  static void start(Setup setup) {
    KeyStoreFile keys = KeyStoreFile.in(folder);
    TargetJvm.Builder java =
        TargetJvm.with(JavaRuntime.require(setup.java)).agent("mode=" + setup.mode + CALM);
    site = JettySite.launch(setup.site, java, keys, setup.pool, "fixed").awaitStarted();
    jmx = Jmx.of(site.jvm());
    plain = ModernClient.plain(site.plainPort());
    tls = ModernClient.tls(site.tlsPort(), keys.trusting());
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    if (site != null) {
      jmx.close();
      site.endWell();
      site.close();
      site = null;
    }
  }

  @BeforeEach
  void count() {
    before = jmx.admission().getAdmitted();
  }

  @AfterEach
  void everythingIsReleased() {
    SheddingTest.allReleased(jmx);
  }

  @Test
  void http1() {
    try (HttpConnection connection = site.connect()) {
      assertThat(connection.get("/hello").text()).isEqualTo("hello");
      connection.write("POST /upload HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\n12345");
      assertThat(connection.receive().text()).isEqualTo("5");
      assertThat(connection.get("/large").body()).hasSizeGreaterThan(1 << 24);
    }
    admitted(3);
  }

  @Test
  void asynchronous() {
    try (HttpConnection connection = site.connect()) {
      assertThat(connection.get("/later").text()).isEqualTo("later");
      assertThat(connection.get("/dispatched").text()).isEqualTo("again");
      assertThat(connection.get("/never?50").status()).isGreaterThanOrEqualTo(500);
    }
    admitted(3);
  }

  @Test
  void errorPages() {
    assertThat(site.get("/broken")).satisfies(isSorry(500));
    assertThat(site.get("/refusing")).satisfies(isSorry(409));
    assertThat(site.get("/no-such-path").status()).isEqualTo(404);
    admitted(3);
  }

  @Test
  void abortedClients() {
    try (HttpConnection connection = site.connect()) {
      connection.write("POST /upload HTTP/1.1\r\nHost: test\r\nContent-Length: 5000\r\n\r\n123");
      inFlight(1);
      connection.abort();
    }
    inFlight(0);
    try (HttpConnection connection = site.connect()) {
      connection.send("/large");
      connection.receiveSome();
      connection.abort();
    }
    try (HttpConnection connection = site.connect()) {
      connection.send(ENDLESS);
      connection.receiveSome();
      connection.abort();
    }
    try (HttpConnection connection = site.connect()) {
      connection.send("/never?2000");
      inFlight(1);
      connection.abort();
    }
    admitted(4);
  }

  @Test
  void serverSentEvents() {
    try (HttpConnection connection = site.connect()) {
      connection.send("/events?200");
      inFlight(1);
      assertThat(connection.receive().body()).hasSizeGreaterThan(200 * "data: 1\n\n".length());
    }
    admitted(1);
  }

  @Test
  void http2() {
    http2(plain);
  }

  @Test
  void http2OverTls() {
    http2(tls);
  }

  private void http2(ModernClient client) {
    assertThat(client.get("/hello").body()).isEqualTo("hello");
    assertThat(client.getAtOnce("/later", STREAMS))
        .extracting(HttpResponse::body)
        .containsOnly("later");
    assertThat(client.get("/large").body()).hasSizeGreaterThan(1 << 24);
    assertThat(client.get("/broken").statusCode()).isEqualTo(500);
    client.abandon(ENDLESS);
    client.abandon("/large");
    assertThat(client.get("/hello").body()).isEqualTo("hello");
    admitted(STREAMS + 6);
  }

  @Test
  void webSocket() {
    assertThat(plain.echo("/socket", "hodor")).isEqualTo("hodor");
    admitted(1);
  }

  @Test
  void management() {
    try (HttpConnection connection = new HttpConnection(site.managementPort())) {
      assertThat(connection.get("/hello").text()).isEqualTo("hello");
    }
    admitted(0);
  }

  @Test
  void rejects() {
    String mode = jmx.hodor().getMode();
    jmx.mode("enforce");
    jmx.hodor().setOption("inject", "cpu");
    try {
      SheddingTest.eventually(
          () -> {
            HttpConnection.Response response = site.get("/hello");
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.header("X-Hodor-Reason")).isEqualTo("cpu");
          });
      for (ModernClient client : List.of(plain, tls)) {
        SheddingTest.eventually(
            () -> {
              HttpResponse<String> response = client.get("/hello");
              assertThat(response.statusCode()).isEqualTo(503);
              assertThat(response.headers().firstValue("X-Hodor-Reason")).hasValue("cpu");
            });
      }
      SheddingTest.eventually(() -> assertThat(plain.handshake("/socket")).isEqualTo(503));
      try (HttpConnection probe = new HttpConnection(site.managementPort())) {
        IntStream.range(0, 50)
            .forEach(i -> assertThat(probe.get("/hello").status()).isEqualTo(200));
      }
    } finally {
      jmx.hodor().setOption("inject", "none");
      SheddingTest.eventually(() -> assertThat(jmx.hodor().isOverloaded()).isFalse());
      jmx.mode(mode);
    }
    assertThat(plain.getAtOnce("/hello", STREAMS))
        .extracting(HttpResponse::body)
        .containsOnly("hello");
  }

  private static ThrowingConsumer<HttpConnection.Response> isSorry(int status) {
    return response -> {
      assertThat(response.status()).isEqualTo(status);
      assertThat(response.text()).isEqualTo("sorry");
    };
  }

  /** What this test asked for until now. */
  private void admitted(int requests) {
    SheddingTest.eventually(
        () -> assertThat(jmx.admission().getAdmitted() - before).isEqualTo(requests));
  }

  private static void inFlight(int requests) {
    SheddingTest.eventually(() -> assertThat(jmx.admission().getInFlight()).isEqualTo(requests));
  }
}
