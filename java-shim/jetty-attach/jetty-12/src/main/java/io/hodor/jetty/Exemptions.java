package io.hodor.jetty;

import io.hodor.internal.Shim;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Request;

/** Which requests nobody rejects or counts. Any thread. */
final class Exemptions {
  private final Shim shim;

  /** The connector that was asked for last; nearly always it is the only one. */
  private volatile Answer last = new Answer(null, false);

  Exemptions(Shim shim) {
    this.shim = shim;
  }

  boolean has(Request request) {
    return isExempt(request.getConnectionMetaData().getConnector())
        || shim.isExempt(request.getHttpURI().getCanonicalPath());
  }

  /** Throws a {@link LinkageError} now rather than in the first request. */
  void link() {
    shim.isExempt("/");
    shim.isExemptConnector("", 0);
  }

  /** The options have changed. */
  void forget() {
    last = new Answer(null, false);
  }

  private boolean isExempt(Connector connector) {
    Answer known = last;
    if (known.connector != connector) {
      int port =
          connector instanceof NetworkConnector ? ((NetworkConnector) connector).getLocalPort() : 0;
      known = new Answer(connector, shim.isExemptConnector(connector.getName(), port));
      last = known;
    }
    return known.exempt;
  }

  private static final class Answer {
    final Connector connector;
    final boolean exempt;

    Answer(Connector connector, boolean exempt) {
      this.connector = connector;
      this.exempt = exempt;
    }
  }
}
