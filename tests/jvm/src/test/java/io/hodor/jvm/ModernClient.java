package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;

/** HTTP/2 and WebSocket, as Java's own client speaks them, to one port. */
final class ModernClient {
  private final HttpClient http;
  private final String authority;
  private final boolean secure;

  private ModernClient(HttpClient http, int port, boolean secure) {
    this.http = http;
    this.authority = "localhost:" + port;
    this.secure = secure;
  }

  /** HTTP/2 after an upgrade from HTTP/1.1, and WebSocket. */
  static ModernClient plain(int port) {
    return new ModernClient(builder().build(), port, false);
  }

  /** HTTP/2 as TLS negotiates it. */
  static ModernClient tls(int port, SSLContext trust) {
    return new ModernClient(builder().sslContext(trust).build(), port, true);
  }

  private static HttpClient.Builder builder() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_2);
  }

  HttpResponse<String> get(String path) {
    HttpResponse<String> response = joined(send(path));
    assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
    return response;
  }

  /** As many streams at once, on the connection that there is. */
  List<HttpResponse<String>> getAtOnce(String path, int count) {
    List<CompletableFuture<HttpResponse<String>>> all =
        IntStream.range(0, count).mapToObj(i -> send(path)).toList();
    return all.stream().map(ModernClient::joined).toList();
  }

  /** Resets the stream once the answer has begun. */
  void abandon(String path) {
    HttpResponse<InputStream> response =
        joined(http.sendAsync(request(path), BodyHandlers.ofInputStream()));
    try (InputStream body = response.body()) {
      assertThat(body.read()).isNotNegative();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What an endpoint that says again what it hears says to this text. */
  String echo(String path, String text) {
    CompletableFuture<String> heard = new CompletableFuture<>();
    WebSocket.Listener listener =
        new WebSocket.Listener() {
          @Override
          public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            heard.complete(data.toString());
            return null;
          }
        };
    WebSocket socket = joined(open(path, listener));
    joined(socket.sendText(text, true));
    String answer = joined(heard);
    joined(socket.sendClose(WebSocket.NORMAL_CLOSURE, ""));
    return answer;
  }

  /** The status of the answer to a WebSocket's handshake: 101, or what else the server said. */
  int handshake(String path) {
    try {
      joined(open(path, new WebSocket.Listener() {})).abort();
      return 101;
    } catch (CompletionException e) {
      if (e.getCause() instanceof WebSocketHandshakeException refused) {
        return refused.getResponse().statusCode();
      }
      throw e;
    }
  }

  private CompletableFuture<HttpResponse<String>> send(String path) {
    return http.sendAsync(request(path), BodyHandlers.ofString());
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(uri(secure ? "https" : "http", path)).build();
  }

  private CompletableFuture<WebSocket> open(String path, WebSocket.Listener listener) {
    return http.newWebSocketBuilder().buildAsync(uri("ws", path), listener);
  }

  private URI uri(String scheme, String path) {
    return URI.create(scheme + "://" + authority + path);
  }

  private static <T> T joined(CompletableFuture<T> future) {
    return future.orTimeout(TargetJvm.PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }
}
