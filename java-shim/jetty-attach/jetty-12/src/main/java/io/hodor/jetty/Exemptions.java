package io.hodor.jetty;

import io.hodor.internal.Shim;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Request;

/** Which requests nobody rejects or counts. Any thread. */
final class Exemptions {
  private final Shim shim;
  private final Map<Connector, Boolean> connectors = new ConcurrentHashMap<>();

  Exemptions(Shim shim) {
    this.shim = shim;
  }

  boolean has(Request request) {
    return shim.isExempt(Request.getPathInContext(request))
        || connectors.computeIfAbsent(
            request.getConnectionMetaData().getConnector(), this::isExempt);
  }

  /** Throws a {@link LinkageError} now rather than in the first request. */
  void link() {
    shim.isExempt("/");
    shim.isExemptConnector("", 0);
  }

  /** The options have changed. */
  void forget() {
    connectors.clear();
  }

  private boolean isExempt(Connector connector) {
    int port =
        connector instanceof NetworkConnector ? ((NetworkConnector) connector).getLocalPort() : 0;
    return shim.isExemptConnector(connector.getName(), port);
  }
}
