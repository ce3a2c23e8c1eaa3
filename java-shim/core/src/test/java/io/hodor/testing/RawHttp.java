package io.hodor.testing;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One HTTP/1.1 connection that shows the bytes as they are. One thread. */
public final class RawHttp implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 10_000;

  private final Socket socket;
  private final InputStream in;

  public RawHttp(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** The status of the answer to one request on a connection of its own. */
  public static int statusOf(int port, String path) throws IOException {
    try (RawHttp client = new RawHttp(port)) {
      client.send(get(path));
      return Integer.parseInt(client.receiveHead().split(" ")[1]);
    }
  }

  public static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n";
  }

  public void send(String bytes) throws IOException {
    socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** The next response, headers and body, as one text. */
  public String receive() throws IOException {
    String head = receiveHead();
    int length = head.indexOf("Content-Length: ");
    if (length < 0) {
      throw new IOException("no length: " + head);
    }
    int end = head.indexOf('\r', length);
    return head + body(Integer.parseInt(head.substring(length + 16, end)));
  }

  /** The next response's status line and headers, for one that has no body. */
  public String receiveHead() throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) next());
    }
    return head.toString();
  }

  private String body(int length) throws IOException {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < length; ++i) {
      body.append((char) next());
    }
    return body.toString();
  }

  public int next() throws IOException {
    int next = in.read();
    if (next < 0) {
      throw new EOFException("the server closed the connection");
    }
    return next;
  }

  /** Goes away with a reset, as a client that crashed. */
  public void abort() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
