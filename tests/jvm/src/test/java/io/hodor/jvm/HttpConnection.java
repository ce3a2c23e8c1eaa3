package io.hodor.jvm;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** One kept-open HTTP/1.1 connection, plain enough to show what stands on the wire. One thread. */
final class HttpConnection implements AutoCloseable {
  private static final int PATIENCE_MILLIS = (int) TargetJvm.PATIENCE.toMillis();

  private final Socket socket = new Socket();
  private final InputStream in;

  HttpConnection(int port) {
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  record Response(int status, Map<String, String> headers, byte[] body) {
    String header(String name) {
      return headers.get(name);
    }

    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  Response get(String path) {
    send(path);
    return receive();
  }

  void send(String path) {
    write("GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n");
  }

  /** Sends this as it is. */
  void write(String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Response receive() {
    try {
      int status = Integer.parseInt(line().split(" ")[1]);
      Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      for (String line = line(); !line.isEmpty(); line = line()) {
        int colon = line.indexOf(':');
        headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
      }
      return new Response(status, headers, body(headers));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the first bytes of whatever comes. */
  void receiveSome() {
    try {
      if (in.read() < 0) {
        throw new EOFException();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Goes away with a reset, as a client that crashed. */
  void abort() {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    close();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Closed is closed.
    }
  }

  private byte[] body(Map<String, String> headers) throws IOException {
    String length = headers.get("Content-Length");
    if (length != null) {
      return exactly(Integer.parseInt(length));
    }
    if ("chunked".equalsIgnoreCase(headers.get("Transfer-Encoding"))) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      for (int chunk = chunkSize(); chunk > 0; chunk = chunkSize()) {
        all.write(exactly(chunk));
        line();
      }
      line();
      return all.toByteArray();
    }
    return in.readAllBytes();
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  private byte[] exactly(int size) throws IOException {
    byte[] bytes = in.readNBytes(size);
    if (bytes.length < size) {
      throw new EOFException("the body ends after " + bytes.length + " of " + size);
    }
    return bytes;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the connection ends after: " + line);
      }
      line.append((char) next);
    }
    return line.toString().strip();
  }
}
