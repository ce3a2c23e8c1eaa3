package io.hodor.attach;

import io.hodor.internal.Shim;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Server;

/**
 * Which connectors nobody rejects or counts the requests of. Any thread.
 *
 * <p>They are looked up ahead of the requests: nearly every server has none, and a request should
 * not pay for asking for its connector.
 */
public final class ExemptConnectors {
  private static final Connector[] NONE = {};

  private final Shim shim;
  private volatile Connector[] exempt = NONE;

  public ExemptConnectors(Shim shim) {
    this.shim = shim;
  }

  /**
   * To be called at the start, and whenever an option or the state may have changed. Names the
   * ports of the others to the agent.
   */
  public void lookUp(Server server) {
    List<Connector> found = new ArrayList<>();
    for (Connector connector : server.getConnectors()) {
      int port = portOf(connector);
      boolean isExempt = shim.isExemptConnector(connector.getName(), port);
      if (isExempt) {
        found.add(connector);
      }
      if (port > 0) {
        shim.limitPort(port, !isExempt);
      }
    }
    exempt = found.toArray(NONE);
  }

  /** The server stops. */
  public void forget(Server server) {
    for (Connector connector : server.getConnectors()) {
      int port = portOf(connector);
      if (port > 0) {
        shim.limitPort(port, false);
      }
    }
  }

  /** If false there is no need to ask for the connector of a request. */
  public boolean any() {
    return exempt.length > 0;
  }

  public boolean has(Connector connector) {
    for (Connector one : exempt) {
      if (one == connector) {
        return true;
      }
    }
    return false;
  }

  /** The one that it has, or will have; 0 or less: neither. */
  private static int portOf(Connector connector) {
    if (!(connector instanceof NetworkConnector)) {
      return 0;
    }
    NetworkConnector network = (NetworkConnector) connector;
    return network.getLocalPort() > 0 ? network.getLocalPort() : network.getPort();
  }
}
