package programs.site;

import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;

/** Says again what it hears. */
@ServerEndpoint("/socket")
public final class EchoSocket {
  @OnMessage
  public String echo(String text) {
    return text;
  }
}
