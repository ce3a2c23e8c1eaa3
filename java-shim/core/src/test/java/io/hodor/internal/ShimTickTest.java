package io.hodor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class ShimTickTest {
  private final FakeBridge bridge = new FakeBridge();
  private final Shim shim = bridge.shim();

  @Test
  void mbeansAppearOnlyWhenToldSo() throws Exception {
    shim.tick(Shim.TICK_STATE | Shim.TICK_PROBE);
    assertThat(bridge.server.queryNames(new ObjectName("io.hodor:*"), null)).isEmpty();
    shim.tick(Shim.TICK_REGISTER);
    shim.tick(Shim.TICK_REGISTER);
    assertThat(bridge.server.queryNames(new ObjectName("io.hodor:*"), null)).hasSize(8);
    assertThat(bridge.logged).isEmpty();
  }

  @Test
  void aChangedStateIsSentToListeners() throws Exception {
    shim.tick(Shim.TICK_REGISTER);
    List<String> types = new ArrayList<>();
    bridge.server.addNotificationListener(
        new ObjectName("io.hodor:type=Hodor"),
        (notification, handback) -> types.add(notification.getType()),
        null,
        null);
    bridge.page.set("state.overloaded", 1);
    shim.tick(Shim.TICK_PROBE);
    assertThat(types).isEmpty();
    shim.tick(Shim.TICK_STATE);
    assertThat(types).containsExactly("io.hodor.overload.started");
  }

  /** These tests run on Java 17 and later, which has streams. */
  @Test
  void stallsAreReadOnlyWhenToldSo() {
    shim.tick(Shim.TICK_STATE | Shim.TICK_PROBE);
    assertThat(bridge.stalls).isEmpty();
    shim.tick(Shim.TICK_STALLS);
    assertThat(bridge.stalls).as("%s", bridge.unreadableStalls).containsExactly(0L);
  }

  @Test
  void aTakenNameIsSaidOnce() {
    shim.tick(Shim.TICK_REGISTER);
    Shim second = bridge.shim();
    second.tick(Shim.TICK_REGISTER);
    second.tick(Shim.TICK_REGISTER);
    assertThat(bridge.logged).hasSize(1).first().asString().contains("io.hodor:type=");
  }

  @Test
  void theTickIsTheMethodTheAgentCalls() throws Exception {
    var tick = NativeBridge.class.getDeclaredMethod("tick", int.class);
    assertThat(tick.getReturnType()).isEqualTo(void.class);
    assertThat(java.lang.reflect.Modifier.isStatic(tick.getModifiers())).isTrue();
  }
}
