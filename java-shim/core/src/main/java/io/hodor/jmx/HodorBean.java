package io.hodor.jmx;

import io.hodor.internal.Bridge;
import io.hodor.internal.MetricsPage;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.management.MBeanNotificationInfo;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;

/** The page's state, the options, and the notifications of their changes. */
final class HodorBean extends NotificationBroadcasterSupport implements HodorMXBean {
  static final String OVERLOAD_STARTED = "io.hodor.overload.started";
  static final String OVERLOAD_ENDED = "io.hodor.overload.ended";
  static final String MODE_CHANGED = "io.hodor.mode.changed";

  private final Bridge bridge;
  private final StateReader state;
  private final MetricsPage page;
  private final MetricsPage.Text version;
  private final MetricsPage.Text attached;

  // Of the one thread that calls notifyListeners.
  private String lastMode;
  private boolean lastOverloaded;
  private long sequence;

  HodorBean(Bridge bridge, MetricsPage page) {
    super(
        new MBeanNotificationInfo(
            new String[] {OVERLOAD_STARTED, OVERLOAD_ENDED, MODE_CHANGED},
            Notification.class.getName(),
            "The state changed: the message is the reason, the user data the cause"));
    this.bridge = bridge;
    this.page = page;
    this.state = new StateReader(page);
    this.version = page.textField("hodor.version");
    this.attached = page.textField("hodor.attached");
    // Whatever happened before this bean was there had no listener to miss it.
    this.lastMode = state.mode();
    this.lastOverloaded = state.isOverloaded();
  }

  /** Compares with the last call and tells what changed. Called by one thread. */
  void notifyListeners(Object source) {
    String mode = state.mode();
    if (!mode.equals(lastMode)) {
      lastMode = mode;
      send(MODE_CHANGED, source, "mode=" + mode);
    }
    boolean overloaded = state.isOverloaded();
    if (overloaded != lastOverloaded) {
      lastOverloaded = overloaded;
      send(overloaded ? OVERLOAD_STARTED : OVERLOAD_ENDED, source, state.reason());
    }
  }

  private void send(String type, Object source, String message) {
    Notification notification = new Notification(type, source, ++sequence, message);
    notification.setUserData(state.cause());
    sendNotification(notification);
  }

  @Override
  public String getVersion() {
    return page.textAt(version);
  }

  @Override
  public String getMode() {
    return state.mode();
  }

  @Override
  public void setMode(String mode) {
    setOption("mode", mode);
  }

  @Override
  public boolean isOverloaded() {
    return state.isOverloaded();
  }

  @Override
  public String getCause() {
    return state.cause();
  }

  @Override
  public String getSince() {
    long since = state.sinceEpochMillis();
    return since == 0 ? "" : Instant.ofEpochMilli(since).toString();
  }

  @Override
  public String getReason() {
    return state.reason();
  }

  @Override
  public String[] getAttached() {
    String all = page.textAt(attached);
    return all.isEmpty() ? new String[0] : all.split("\n");
  }

  @Override
  public Map<String, String> getOptions() {
    Map<String, String> options = new LinkedHashMap<>();
    for (String line : bridge.options().split("\n")) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        options.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return options;
  }

  @Override
  public void setOption(String name, String value) {
    if (name == null || value == null) {
      throw new IllegalArgumentException("An option needs a name and a value; neither may be null");
    }
    String wrong = bridge.setOption(name, value);
    if (wrong != null) {
      throw new IllegalArgumentException(wrong);
    }
  }

  @Override
  public void resetCounters() {
    bridge.resetCounters();
  }
}
