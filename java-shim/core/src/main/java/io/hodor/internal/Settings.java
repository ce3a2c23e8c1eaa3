package io.hodor.internal;

import java.util.List;

/** Options in force that the Java side looks at for each request. Immutable; made anew. */
final class Settings {
  /** Where the options cannot be read: as without an agent. */
  static final Settings DEFAULT = new Settings("");

  private static final String EXEMPT = "exempt=";
  private static final String EXEMPT_CONNECTORS = "exempt.connectors=";

  final boolean enforces;
  final PathPatterns exempt;
  private List<String> exemptConnectors = List.of();

  /**
   * @param options lines {@code key=value}, as the agent writes them
   */
  Settings(String options) {
    PathPatterns patterns = PathPatterns.NONE;
    boolean enforce = false;
    for (String line : options.split("\n")) {
      if (line.startsWith(EXEMPT)) {
        patterns = new PathPatterns(line.substring(EXEMPT.length()));
      } else if (line.startsWith(EXEMPT_CONNECTORS)) {
        exemptConnectors = List.of(line.substring(EXEMPT_CONNECTORS.length()).split("\\+"));
      }
      enforce |= line.equals("mode=enforce");
    }
    exempt = patterns;
    enforces = enforce;
  }

  /**
   * @param name null: it has none
   * @param port 0 or less: it has none
   */
  boolean exemptsConnector(String name, int port) {
    return (name != null && exemptConnectors.contains(name))
        || (port > 0 && exemptConnectors.contains(Integer.toString(port)));
  }
}
