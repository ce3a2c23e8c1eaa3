package io.hodor.internal;

import java.util.ArrayList;
import java.util.List;

/** Paths with {@code *} for any characters, joined by {@code +}. Immutable. */
final class PathPatterns {
  static final PathPatterns NONE = new PathPatterns("none");

  /** Each pattern as the pieces between its stars. */
  private final List<String[]> patterns = new ArrayList<>();

  /**
   * @param joined such as {@code /health*+/metrics}; {@code none}: no path matches
   */
  PathPatterns(String joined) {
    if (!joined.equals("none")) {
      for (String pattern : joined.split("\\+")) {
        patterns.add(pattern.split("\\*", -1));
      }
    }
  }

  /** Never slower than the length of the path times that of a pattern; nothing is allocated. */
  boolean matches(String path) {
    for (String[] pieces : patterns) {
      if (matches(pieces, path)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matches(String[] pieces, String path) {
    String first = pieces[0];
    if (!path.startsWith(first)) {
      return false;
    }
    int at = first.length();
    int last = pieces.length - 1;
    if (last == 0) {
      return at == path.length();
    }
    for (int i = 1; i < last; ++i) {
      int found = path.indexOf(pieces[i], at);
      if (found < 0) {
        return false;
      }
      at = found + pieces[i].length();
    }
    return path.length() - at >= pieces[last].length() && path.endsWith(pieces[last]);
  }
}
