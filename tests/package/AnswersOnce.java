import java.net.HttpURLConnection;
import java.net.URI;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** A Jetty server that is asked once and stops; prints the status of its answer. */
class AnswersOnce {
  public static void main(String[] args) throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) {
            Content.Sink.write(response, true, "hello\n", callback);
            return true;
          }
        });
    server.start();
    URI address = URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/");
    HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
    System.out.println("status " + connection.getResponseCode());
    server.stop();
  }
}
