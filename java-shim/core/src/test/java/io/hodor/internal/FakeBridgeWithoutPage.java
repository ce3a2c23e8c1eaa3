package io.hodor.internal;

import java.lang.reflect.Proxy;

/** An agent whose layout is not understood. */
final class FakeBridgeWithoutPage {
  private final FakeBridge agent;

  FakeBridgeWithoutPage(FakeBridge agent) {
    this.agent = agent;
  }

  Shim shim() {
    Bridge bridge =
        (Bridge)
            Proxy.newProxyInstance(
                Bridge.class.getClassLoader(),
                new Class<?>[] {Bridge.class},
                (proxy, method, args) ->
                    method.getName().equals("layout") ? "" : method.invoke(agent, args));
    return new Shim(bridge, agent.nanos::get, agent::log, () -> agent.server);
  }
}
