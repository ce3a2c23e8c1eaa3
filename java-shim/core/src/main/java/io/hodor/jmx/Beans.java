package io.hodor.jmx;

import io.hodor.internal.Bridge;
import io.hodor.internal.MetricsPage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The MBeans over one page. Registered and told of changes by one thread, read by any. */
public final class Beans {
  private static final String DOMAIN = "io.hodor";
  private static final String HODOR = DOMAIN + ":type=Hodor";
  private static final List<String> DETECTORS = List.of("cpu", "heartbeat", "gc", "queue");

  private final HodorBean hodor;
  // Only what is not registered yet.
  private final Map<String, Object> waiting = new LinkedHashMap<>();
  private ObjectName source;

  /**
   * @throws IllegalStateException if the page lacks a field
   */
  public Beans(Bridge bridge, MetricsPage page) {
    hodor = new HodorBean(bridge, page);
    waiting.put(HODOR, hodor);
    for (String detector : DETECTORS) {
      waiting.put(DOMAIN + ":type=Detector,name=" + detector, new DetectorBean(page, detector));
    }
    waiting.put(DOMAIN + ":type=Admission", new AdmissionBean(page));
    waiting.put(DOMAIN + ":type=Law", new LawBean(page));
    waiting.put(DOMAIN + ":type=Errors", new ErrorsBean(page));
  }

  /**
   * Registers each MBean that is not registered yet. A name that somebody else has stays theirs.
   *
   * @param onFailure is told the name and why
   */
  public void register(MBeanServer server, BiConsumer<String, Throwable> onFailure) {
    waiting
        .entrySet()
        .removeIf(
            entry -> {
              try {
                server.registerMBean(entry.getValue(), new ObjectName(entry.getKey()));
                return true;
              } catch (JMException | RuntimeException e) {
                onFailure.accept(entry.getKey(), e);
                return false;
              }
            });
  }

  /** Sends a notification for each change since the last call. */
  public void notifyListeners() throws JMException {
    if (source == null) {
      source = new ObjectName(HODOR);
    }
    hodor.notifyListeners(source);
  }
}
