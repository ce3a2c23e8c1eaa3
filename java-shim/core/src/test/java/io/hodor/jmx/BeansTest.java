package io.hodor.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hodor.internal.FakeBridge;
import io.hodor.internal.MetricsPage;
import java.util.ArrayList;
import java.util.List;
import javax.management.Attribute;
import javax.management.MBeanServer;
import javax.management.Notification;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BeansTest {
  private static final String HODOR = "io.hodor:type=Hodor";

  private final FakeBridge bridge = new FakeBridge();
  private final MBeanServer server = bridge.server;
  private final List<String> failures = new ArrayList<>();
  private Beans beans;

  @BeforeEach
  void register() {
    bridge.page.set("state.mode", 1);
    beans = new Beans(bridge, new MetricsPage(bridge.page.bytes(), bridge.page.layout()));
    beans.register(server, (name, cause) -> failures.add(name));
  }

  @Test
  void theNamesAreThoseOfTheContract() throws Exception {
    assertThat(server.queryNames(new ObjectName("io.hodor:*"), null))
        .extracting(ObjectName::toString)
        .containsExactlyInAnyOrder(
            HODOR,
            "io.hodor:type=Detector,name=cpu",
            "io.hodor:type=Detector,name=heartbeat",
            "io.hodor:type=Detector,name=gc",
            "io.hodor:type=Detector,name=queue",
            "io.hodor:type=Admission",
            "io.hodor:type=Law",
            "io.hodor:type=Errors");
  }

  @Test
  void theLawSaysWhatItDidAndWhatItKnows() throws Exception {
    bridge.page.set("law.step", 5);
    bridge.page.set("law.learned", 1);
    bridge.page.set("law.capacity", 440.5);
    bridge.page.set("law.excessMillis", 620.0);
    String law = "io.hodor:type=Law";
    assertThat(get(law, "Step")).isEqualTo("cut-run-queue");
    assertThat(get(law, "Learned")).isEqualTo(true);
    assertThat(get(law, "CapacityRate")).isEqualTo(440.5);
    assertThat(get(law, "ExcessMillis")).isEqualTo(620.0);
    bridge.page.set("law.step", 99);
    assertThat(get(law, "Step")).isEqualTo("unknown(99)");
  }

  @Test
  void everyAttributeIsOfAnOpenTypeAndReadable() throws Exception {
    for (ObjectName name : server.queryNames(new ObjectName("io.hodor:*"), null)) {
      var info = server.getMBeanInfo(name);
      assertThat(info.getDescriptor().getFieldValue("mxbean")).as("%s", name).isEqualTo("true");
      for (var attribute : info.getAttributes()) {
        assertThat(attribute.getDescriptor().getFieldValue("openType"))
            .as("%s %s", name, attribute.getName())
            .isNotNull();
        assertThat(server.getAttribute(name, attribute.getName())).isNotNull();
      }
    }
  }

  @Test
  void theStateIsReadInWords() throws Exception {
    bridge.page.set("state.mode", 2);
    bridge.page.set("state.overloaded", 1);
    bridge.page.set("state.cause", 3);
    bridge.page.set("state.sinceEpochMillis", 1_764_478_800_123L);
    bridge.page.set("state.reason", "61 % of the time went to garbage collection");
    bridge.page.set("hodor.version", "0.1.0");
    bridge.page.set("hodor.attached", "Jetty root handler\nservlet filter");

    assertThat(get(HODOR, "Version")).isEqualTo("0.1.0");
    assertThat(get(HODOR, "Mode")).isEqualTo("enforce");
    assertThat(get(HODOR, "Overloaded")).isEqualTo(true);
    assertThat(get(HODOR, "Cause")).isEqualTo("gc");
    assertThat(get(HODOR, "Since")).isEqualTo("2025-11-30T05:00:00.123Z");
    assertThat((String) get(HODOR, "Reason")).startsWith("61 %");
    assertThat((String[]) get(HODOR, "Attached"))
        .containsExactly("Jetty root handler", "servlet filter");
  }

  @Test
  void anOverloadOfTheCpuNamesWhoHasTheCpu() throws Exception {
    bridge.page.set("state.cause", 2);
    assertThat(get(HODOR, "Cause")).isEqualTo("cpu");
    bridge.page.set("state.cpuBlame", 1);
    assertThat(get(HODOR, "Cause")).isEqualTo("cpu-self");
    bridge.page.set("state.cpuBlame", 3);
    assertThat(get(HODOR, "Cause")).isEqualTo("cpu-quota");
    bridge.page.set("state.cause", 3);
    assertThat(get(HODOR, "Cause")).isEqualTo("gc");
  }

  @Test
  void withoutAnOverloadThereIsNoTimeAndNothingAttachedIsAnEmptyList() throws Exception {
    assertThat(get(HODOR, "Since")).isEqualTo("");
    assertThat((String[]) get(HODOR, "Attached")).isEmpty();
  }

  @Test
  void aValueOfALaterVersionIsShownAsItIs() throws Exception {
    bridge.page.set("state.cause", 9);
    assertThat(get(HODOR, "Cause")).isEqualTo("unknown(9)");
  }

  @Test
  void optionsAreATableAndAValueMayContainTheSign() throws Exception {
    TabularData options = (TabularData) get(HODOR, "Options");
    assertThat(options.size()).isEqualTo(2);
    CompositeData row = options.get(new Object[] {"exempt"});
    assertThat(row.get("value")).isEqualTo("/health*+/a=b");
  }

  @Test
  void aWrongOptionIsRefusedWithTheAgentsSentence() throws Exception {
    bridge.complaint = "mode=enforced: accepted are off, monitor, enforce; did you mean enforce?";
    ObjectName name = new ObjectName(HODOR);
    assertThatThrownBy(() -> server.setAttribute(name, new Attribute("Mode", "enforced")))
        .isInstanceOf(RuntimeMBeanException.class)
        .hasRootCauseInstanceOf(IllegalArgumentException.class)
        .hasRootCauseMessage(bridge.complaint);
    assertThatThrownBy(() -> setOption("mode", "enforced")).hasRootCauseMessage(bridge.complaint);
    assertThatThrownBy(() -> setOption(null, null))
        .hasRootCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRightOptionAndAResetReachTheAgent() throws Exception {
    setOption("mode", "enforce");
    server.invoke(new ObjectName(HODOR), "resetCounters", null, null);
    assertThat(bridge.resets).hasValue(1);
  }

  @Test
  void detectorsAdmissionAndErrorsShowTheirFields() throws Exception {
    bridge.page.set("detector.cpu.value", 12.5);
    bridge.page.set("detector.cpu.band", 2);
    bridge.page.set("detector.cpu.firing", 1);
    bridge.page.set("detector.cpu.unit", "threads per CPU");
    bridge.page.set("detector.gc.stale", 1);
    bridge.page.set("admission.rejected", 7);
    bridge.page.set("admission.latencyFastMillis", 3.5);
    bridge.page.set("errors.sourceFailures", 4);
    bridge.page.set("errors.last", "no schedstat");

    String cpu = "io.hodor:type=Detector,name=cpu";
    assertThat(get(cpu, "Value")).isEqualTo(12.5);
    assertThat(get(cpu, "Band")).isEqualTo(2);
    assertThat(get(cpu, "Firing")).isEqualTo(true);
    assertThat(get(cpu, "Unit")).isEqualTo("threads per CPU");
    assertThat(get("io.hodor:type=Detector,name=gc", "Stale")).isEqualTo(true);
    assertThat(get("io.hodor:type=Detector,name=queue", "Stale")).isEqualTo(false);
    assertThat(get("io.hodor:type=Admission", "Rejected")).isEqualTo(7L);
    assertThat(get("io.hodor:type=Admission", "Limit")).isEqualTo(-1L);
    assertThat(get("io.hodor:type=Admission", "LatencyFastMillis")).isEqualTo(3.5);
    assertThat(get("io.hodor:type=Errors", "SourceFailures")).isEqualTo(4L);
    assertThat(get("io.hodor:type=Errors", "LastError")).isEqualTo("no schedstat");
  }

  @Test
  void eachChangeIsNotifiedOnce() throws Exception {
    List<Notification> received = new ArrayList<>();
    server.addNotificationListener(
        new ObjectName(HODOR), (notification, handback) -> received.add(notification), null, null);
    beans.notifyListeners();
    assertThat(received).isEmpty();

    bridge.page.set("state.overloaded", 1);
    bridge.page.set("state.cause", 2);
    bridge.page.set("state.cpuBlame", 2);
    bridge.page.set("state.reason", "30 threads wait for each CPU");
    beans.notifyListeners();
    beans.notifyListeners();
    bridge.page.set("state.mode", 2);
    beans.notifyListeners();
    bridge.page.set("state.overloaded", 0);
    beans.notifyListeners();

    assertThat(received)
        .extracting(Notification::getType)
        .containsExactly(
            "io.hodor.overload.started", "io.hodor.mode.changed", "io.hodor.overload.ended");
    assertThat(received).extracting(Notification::getSequenceNumber).containsExactly(1L, 2L, 3L);
    assertThat(received.get(0).getMessage()).isEqualTo("30 threads wait for each CPU");
    assertThat(received.get(0).getUserData()).isEqualTo("cpu-neighbour");
    assertThat(received.get(0).getSource()).isEqualTo(new ObjectName(HODOR));
  }

  @Test
  void theNotificationsAreAnnounced() throws Exception {
    assertThat(server.getMBeanInfo(new ObjectName(HODOR)).getNotifications()[0].getNotifTypes())
        .containsExactly(
            "io.hodor.overload.started", "io.hodor.overload.ended", "io.hodor.mode.changed");
  }

  @Test
  void registeringAgainDoesNothing() {
    beans.register(server, (name, cause) -> failures.add(name));
    assertThat(failures).isEmpty();
  }

  @Test
  void aNameThatIsTakenStaysTheirsAndTheRestIsRegistered() throws Exception {
    Beans second = new Beans(bridge, new MetricsPage(bridge.page.bytes(), bridge.page.layout()));
    server.unregisterMBean(new ObjectName("io.hodor:type=Errors"));
    second.register(server, (name, cause) -> failures.add(name));
    assertThat(failures).hasSize(7).doesNotContain("io.hodor:type=Errors");
    assertThat(server.isRegistered(new ObjectName("io.hodor:type=Errors"))).isTrue();
  }

  private Object get(String name, String attribute) throws Exception {
    return server.getAttribute(new ObjectName(name), attribute);
  }

  private void setOption(String key, String value) throws Exception {
    server.invoke(
        new ObjectName(HODOR),
        "setOption",
        new Object[] {key, value},
        new String[] {String.class.getName(), String.class.getName()});
  }
}
