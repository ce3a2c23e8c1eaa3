import com.sun.tools.attach.VirtualMachine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.StringJoiner;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.Notification;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Prints what the agent's MBeans in another JVM say, as JSON lines: one {@code sample} every so
 * many milliseconds, and one {@code notification} for each that comes. Times are milliseconds since
 * 1970. A line on the standard input, such as {@code Mode=off}, sets that attribute of the bean
 * {@code io.hodor:type=Hodor}.
 *
 * <p>Run as a single source file: {@code java WatchHodor.java PID MILLIS}.
 */
public final class WatchHodor {
  private static final String[] DETECTORS = {"cpu", "heartbeat", "gc", "queue"};
  private static final int SECONDS_TO_WAIT_FOR_BEANS = 15;

  private WatchHodor() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 2) {
      System.err.println("usage: java WatchHodor.java PID MILLIS");
      System.exit(2);
    }
    String url;
    VirtualMachine machine = VirtualMachine.attach(arguments[0]);
    try {
      url = machine.startLocalManagementAgent();
    } finally {
      machine.detach();
    }
    long everyMillis = Long.parseLong(arguments[1]);
    try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(url))) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      ObjectName hodor = new ObjectName("io.hodor:type=Hodor");
      waitFor(server, hodor);
      new Thread(() -> obey(server, hodor), "obey").start();
      server.addNotificationListener(hodor, (told, ignored) -> print(told), null, null);
      while (true) {
        long begin = System.currentTimeMillis();
        print(sample(server, hodor, begin));
        Thread.sleep(Math.max(1, begin + everyMillis - System.currentTimeMillis()));
      }
    }
  }

  private static void waitFor(MBeanServerConnection server, ObjectName bean) throws Exception {
    long deadline = System.nanoTime() + SECONDS_TO_WAIT_FOR_BEANS * 1_000_000_000L;
    while (!server.isRegistered(bean)) {
      if (System.nanoTime() > deadline) {
        System.err.println("no " + bean + " in that JVM: is the agent in it?");
        System.exit(1);
      }
      Thread.sleep(50);
    }
  }

  private static void obey(MBeanServerConnection server, ObjectName hodor) {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try {
      for (String line = orders.readLine(); line != null; line = orders.readLine()) {
        String[] order = line.split("=", 2);
        server.setAttribute(hodor, new Attribute(order[0], order[1]));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String sample(MBeanServerConnection server, ObjectName hodor, long now)
      throws Exception {
    StringJoiner json = new StringJoiner(",", "{", "}");
    json.add("\"type\":\"sample\"").add("\"epoch_ms\":" + now);
    AttributeList state =
        server.getAttributes(
            hodor,
            new String[] {"Mode", "Overloaded", "Cause", "Since", "Reason", "Attached", "Version"});
    for (Attribute attribute : state.asList()) {
      if (attribute.getName().equals("Since")) {
        json.add("\"since_ms\":" + epochMillis((String) attribute.getValue()));
      } else {
        json.add(field(attribute));
      }
    }
    AttributeList admission =
        server.getAttributes(
            new ObjectName("io.hodor:type=Admission"),
            new String[] {
              "InFlight", "Limit", "Admitted", "Rejected", "WouldReject", "Dropped",
              "LatencyFastMillis", "LatencySlowMillis"
            });
    for (Attribute attribute : admission.asList()) {
      json.add(field(attribute));
    }
    StringJoiner detectors = new StringJoiner(",", "\"detectors\":{", "}");
    for (String name : DETECTORS) {
      AttributeList detector =
          server.getAttributes(
              new ObjectName("io.hodor:type=Detector,name=" + name),
              new String[] {"Value", "Unit", "Band", "Firing", "Firings", "Stale"});
      StringJoiner fields = new StringJoiner(",", quoted(name) + ":{", "}");
      for (Attribute attribute : detector.asList()) {
        fields.add(field(attribute));
      }
      detectors.add(fields.toString());
    }
    return json.add(detectors.toString()).toString();
  }

  private static void print(Notification told) {
    print(
        "{\"type\":\"notification\",\"epoch_ms\":"
            + told.getTimeStamp()
            + ",\"event\":"
            + quoted(told.getType())
            + ",\"message\":"
            + quoted(told.getMessage())
            + "}");
  }

  /** Samples and notifications come from different threads; a line must stay whole. */
  private static synchronized void print(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private static long epochMillis(String since) {
    return since == null || since.isEmpty() ? 0 : Instant.parse(since).toEpochMilli();
  }

  /** {@code InFlight=3} becomes {@code "in_flight":3}. */
  private static String field(Attribute attribute) {
    String name = attribute.getName().replaceAll("(?<=[a-z])(?=[A-Z])", "_");
    return quoted(name.toLowerCase(Locale.ROOT)) + ":" + json(attribute.getValue());
  }

  private static String json(Object value) {
    if (value instanceof Double) {
      double number = (Double) value;
      return Double.isNaN(number) || Double.isInfinite(number) ? "null" : value.toString();
    }
    if (value instanceof Number || value instanceof Boolean) {
      return value.toString();
    }
    if (value instanceof String[]) {
      StringJoiner list = new StringJoiner(",", "[", "]");
      for (String text : (String[]) value) {
        list.add(quoted(text));
      }
      return list.toString();
    }
    return value == null ? "null" : quoted(value.toString());
  }

  private static String quoted(String text) {
    if (text == null) {
      return "null";
    }
    StringBuilder json = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }
}
