package io.hodor.jetty;

import io.hodor.attach.ExemptConnectors;
import io.hodor.internal.Shim;
import org.eclipse.jetty.server.Request;

/** Which requests nobody rejects or counts. Any thread. */
final class Exemptions {
  private final Shim shim;
  private final ExemptConnectors connectors;

  Exemptions(Shim shim) {
    this.shim = shim;
    this.connectors = new ExemptConnectors(shim);
  }

  boolean has(Request request) {
    return connectors.has(request.getConnectionMetaData().getConnector())
        || shim.isExempt(request.getHttpURI().getCanonicalPath());
  }

  /** Throws a {@link LinkageError} now rather than in the first request. */
  void link() {
    shim.isExempt("/");
    shim.isExemptConnector("", 0);
  }

  /** The options have changed. */
  void forget() {
    connectors.forget();
  }
}
