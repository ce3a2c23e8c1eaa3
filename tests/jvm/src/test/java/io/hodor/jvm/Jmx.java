package io.hodor.jvm;

import static org.awaitility.Awaitility.await;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.hodor.jmx.AdmissionMXBean;
import io.hodor.jmx.DetectorMXBean;
import io.hodor.jmx.ErrorsMXBean;
import io.hodor.jmx.HodorMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.management.InstanceNotFoundException;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * JMX as an operator sees it who attaches to a process. Attaching makes the platform's MBean server
 * in the target, so the agent's MBeans come about a second later.
 */
final class Jmx implements AutoCloseable {
  static final ObjectName HODOR = name("io.hodor:type=Hodor");

  private final JMXConnector connector;
  private final MBeanServerConnection connection;

  private Jmx(JMXConnector connector) throws IOException {
    this.connector = connector;
    this.connection = connector.getMBeanServerConnection();
  }

  /** Connects and waits for the MBeans. */
  static Jmx of(TargetJvm jvm) {
    jvm.awaitReady();
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(jvm.pid()));
      String url;
      try {
        url = machine.startLocalManagementAgent();
      } finally {
        machine.detach();
      }
      Jmx jmx = new Jmx(JMXConnectorFactory.connect(new JMXServiceURL(url)));
      await("the MBeans of " + jvm.output())
          .atMost(TargetJvm.PATIENCE)
          .until(() -> jmx.connection.isRegistered(name("io.hodor:type=Errors")));
      return jmx;
    } catch (IOException e) {
      throw new UncheckedIOException(jvm.output(), e);
    } catch (AttachNotSupportedException e) {
      throw new IllegalStateException(jvm.output(), e);
    }
  }

  static ObjectName name(String name) {
    try {
      return new ObjectName(name);
    } catch (MalformedObjectNameException e) {
      throw new IllegalArgumentException(e);
    }
  }

  MBeanServerConnection connection() {
    return connection;
  }

  HodorMXBean hodor() {
    return JMX.newMXBeanProxy(connection, HODOR, HodorMXBean.class, true);
  }

  AdmissionMXBean admission() {
    return proxy("io.hodor:type=Admission", AdmissionMXBean.class);
  }

  ErrorsMXBean errors() {
    return proxy("io.hodor:type=Errors", ErrorsMXBean.class);
  }

  DetectorMXBean detector(String which) {
    return proxy("io.hodor:type=Detector,name=" + which, DetectorMXBean.class);
  }

  Set<ObjectName> names() {
    try {
      return connection.queryNames(name("io.hodor:*"), null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> threadNames() {
    ThreadMXBean threads =
        JMX.newMXBeanProxy(
            connection, name(ManagementFactory.THREAD_MXBEAN_NAME), ThreadMXBean.class);
    return Stream.of(threads.getThreadInfo(threads.getAllThreadIds()))
        .filter(Objects::nonNull)
        .map(ThreadInfo::getThreadName)
        .toList();
  }

  /** The types of the notifications that come from now on, in the order in which they come. */
  List<String> listen() {
    List<String> types = java.util.Collections.synchronizedList(new ArrayList<>());
    try {
      connection.addNotificationListener(
          HODOR, (notification, handback) -> types.add(notification.getType()), null, null);
    } catch (IOException | InstanceNotFoundException e) {
      throw new IllegalStateException(e);
    }
    return types;
  }

  /** Sets the mode and waits until it is in force. */
  void mode(String mode) {
    hodor().setMode(mode);
    await("mode " + mode)
        .atMost(TargetJvm.PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> hodor().getMode().equals(mode));
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException e) {
      // The target has ended already.
    }
  }

  private <T> T proxy(String name, Class<T> type) {
    return JMX.newMXBeanProxy(connection, name(name), type);
  }
}
