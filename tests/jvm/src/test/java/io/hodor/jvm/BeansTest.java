package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.MBeanAttributeInfo;
import javax.management.ObjectName;
import javax.management.openmbean.OpenType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import programs.Ends;
import programs.LateManagement;
import programs.OwnLogManager;

/** What JMX shows, to a client that has none of our classes. */
class BeansTest {
  static final List<Integer> VERSIONS = JavaRuntime.VERSIONS;

  private static final List<String> DETECTOR =
      List.of("Value", "Unit", "Firing", "Band", "Firings", "Stale", "Explanation");
  private static final Map<String, List<String>> CONTRACT =
      new TreeMap<>(
          Map.of(
              "io.hodor:type=Hodor",
              List.of(
                  "Version",
                  "Mode",
                  "Overloaded",
                  "Cause",
                  "Since",
                  "Reason",
                  "Attached",
                  "Options"),
              "io.hodor:type=Detector,name=cpu",
              DETECTOR,
              "io.hodor:type=Detector,name=heartbeat",
              DETECTOR,
              "io.hodor:type=Detector,name=gc",
              DETECTOR,
              "io.hodor:type=Detector,name=queue",
              DETECTOR,
              "io.hodor:type=Admission",
              List.of(
                  "InFlight",
                  "Limit",
                  "Admitted",
                  "Rejected",
                  "WouldReject",
                  "AdmittedRate",
                  "RejectedRate",
                  "LatencyFastMillis",
                  "LatencySlowMillis"),
              "io.hodor:type=Law",
              List.of("Step", "Learned", "HealthyLatencyMillis", "CapacityRate", "ExcessMillis"),
              "io.hodor:type=Errors",
              List.of("FailOpen", "SourceFailures", "LastError")));
  private static final List<String> OPTIONS =
      List.of(
          "mode",
          "strategy",
          "cpu.bands",
          "heartbeat.interval",
          "heartbeat.limit",
          "heartbeat.violations",
          "gc.bands",
          "queue.bands",
          "inject",
          "reject.status",
          "reject.retry-after",
          "log.level",
          "log.file");

  @ParameterizedTest(name = "Java {0}")
  @FieldSource("VERSIONS")
  void everyAttributeIsReadableAndOfAnOpenType(int version) throws Exception {
    try (TargetJvm jvm =
            TargetJvm.with(JavaRuntime.require(version)).agent("").run(Ends.class, "waits");
        Jmx jmx = Jmx.of(jvm)) {
      for (Map.Entry<String, List<String>> bean : CONTRACT.entrySet()) {
        ObjectName name = Jmx.name(bean.getKey());
        MBeanAttributeInfo[] attributes = jmx.connection().getMBeanInfo(name).getAttributes();
        assertThat(attributes)
            .as(bean.getKey())
            .extracting(MBeanAttributeInfo::getName)
            .containsAll(bean.getValue());
        for (MBeanAttributeInfo attribute : attributes) {
          assertThat(attribute.getDescriptor().getFieldValue("openType"))
              .as("%s %s", name, attribute.getName())
              .isInstanceOf(OpenType.class);
          assertThat(jmx.connection().getAttribute(name, attribute.getName()))
              .as("%s %s", name, attribute.getName())
              .isNotNull();
        }
      }
      assertThat(jmx.hodor().getOptions()).containsKeys(OPTIONS.toArray(String[]::new));
      assertThat(jmx.hodor().getVersion()).isNotEmpty();
      optionsCanBeChanged(jmx);
    }
  }

  private static void optionsCanBeChanged(Jmx jmx) {
    jmx.hodor().setOption("reject.status", "429");
    await()
        .atMost(TargetJvm.PATIENCE)
        .untilAsserted(
            () -> assertThat(jmx.hodor().getOptions()).containsEntry("reject.status", "429"));
    assertThatThrownBy(() -> jmx.hodor().setOption("reject.sttaus", "429"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("reject.status");
    assertThatThrownBy(() -> jmx.hodor().setOption("reject.status", "200"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("400 to 599");
    assertThatThrownBy(() -> jmx.hodor().setMode("on"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("enforce");
    jmx.hodor().resetCounters();
    assertThat(jmx.hodor().getOptions()).containsEntry("reject.status", "429");
  }

  /** Servers with their own log manager break if JMX is started before they are ready. */
  @ParameterizedTest(name = "Java {0}")
  @FieldSource("VERSIONS")
  void theMBeanServerIsNotMadeBeforeTheApplicationDoes(int version) {
    try (TargetJvm jvm =
        TargetJvm.with(JavaRuntime.require(version))
            .agent("")
            .options("-Djava.util.logging.manager=" + OwnLogManager.class.getName())
            .run(LateManagement.class)) {
      assertThat(jvm.awaitExit()).as(jvm.output()).isZero();
      assertThat(jvm.lines())
          .contains(
              "servers before: 0",
              "log manager: " + OwnLogManager.class.getName(),
              "registered, mode monitor");
      assertThat(jvm.output()).doesNotContain("[hodor]");
    }
  }
}
