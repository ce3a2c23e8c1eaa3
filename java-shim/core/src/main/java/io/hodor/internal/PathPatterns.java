package io.hodor.internal;

import java.util.ArrayList;
import java.util.List;

/** Paths with {@code *} for any characters, joined by {@code +}. Immutable. */
final class PathPatterns {
  static final PathPatterns NONE = new PathPatterns("none");

  /** Each pattern as the pieces between its stars. */
  private final List<String[]> patterns = new ArrayList<>();

  // Whether a path whose second character is this one can match: most paths end here.
  private final boolean[] seconds = new boolean[128];
  private boolean anySecond;

  /**
   * @param joined such as {@code /health*+/metrics}; {@code none}: no path matches
   */
  PathPatterns(String joined) {
    if (!joined.equals("none")) {
      for (String pattern : joined.split("\\+")) {
        String[] pieces = pattern.split("\\*", -1);
        patterns.add(pieces);
        if (pieces[0].length() > 1 && pieces[0].charAt(1) < seconds.length) {
          seconds[pieces[0].charAt(1)] = true;
        } else {
          anySecond = true;
        }
      }
    }
  }

  /** Never slower than the length of the path times that of a pattern; nothing is allocated. */
  boolean matches(String path) {
    if (!anySecond && !(path.length() > 1 && isSecond(path.charAt(1)))) {
      return false;
    }
    for (String[] pieces : patterns) {
      if (matches(pieces, path)) {
        return true;
      }
    }
    return false;
  }

  private boolean isSecond(char c) {
    return c < seconds.length && seconds[c];
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
