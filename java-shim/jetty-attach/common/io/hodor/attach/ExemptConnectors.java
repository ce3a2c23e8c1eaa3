package io.hodor.attach;

import io.hodor.internal.Shim;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.NetworkConnector;

/** Which connectors nobody rejects or counts the requests of. Any thread. */
public final class ExemptConnectors {
  private final Shim shim;

  /** The connector that was asked for last; nearly always it is the only one. */
  private volatile Answer last = new Answer(null, false);

  public ExemptConnectors(Shim shim) {
    this.shim = shim;
  }

  public boolean has(Connector connector) {
    Answer known = last;
    if (known.connector != connector) {
      int port =
          connector instanceof NetworkConnector ? ((NetworkConnector) connector).getLocalPort() : 0;
      known = new Answer(connector, shim.isExemptConnector(connector.getName(), port));
      last = known;
    }
    return known.exempt;
  }

  /** The options have changed. */
  public void forget() {
    last = new Answer(null, false);
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
