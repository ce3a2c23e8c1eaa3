package io.hodor.jetty;

import io.hodor.attach.ExemptConnectors;
import io.hodor.internal.Shim;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;

/** Which requests nobody rejects or counts. Any thread. */
final class Exemptions {
  private final Shim shim;
  private final ExemptConnectors connectors;

  Exemptions(Shim shim) {
    this.shim = shim;
    this.connectors = new ExemptConnectors(shim);
  }

  boolean has(Request request) {
    if (shim.isExempt(request.getHttpURI().getCanonicalPath())) {
      shim.probedBy(OverloadHandler.channelOf(request));
      return true;
    }
    return connectors.any() && connectors.has(request.getConnectionMetaData().getConnector());
  }

  /** Throws a {@link LinkageError} now rather than in the first request. */
  void link() {
    shim.isExempt("/");
    shim.isExemptConnector("", 0);
    shim.probedBy(null);
  }

  /** See {@link ExemptConnectors#lookUp}. */
  void lookUp(Server server) {
    connectors.lookUp(server);
  }

  /** See {@link ExemptConnectors#forget}. */
  void forget(Server server) {
    connectors.forget(server);
  }
}
