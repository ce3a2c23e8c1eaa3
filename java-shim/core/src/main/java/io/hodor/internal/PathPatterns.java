package io.hodor.internal;

import java.util.ArrayList;
import java.util.List;

/** Paths with {@code *} for any characters, joined by {@code +}. Immutable. */
final class PathPatterns {
  private static final int ASCII = 128;
  private static final String[][] NOTHING = {};

  static final PathPatterns NONE = new PathPatterns("none");

  /**
   * Each pattern as the pieces between its stars, by the second character of the paths that it may
   * match: most paths meet no pattern at all. The last place is for all characters beyond ASCII.
   */
  private final String[][][] bySecond = new String[ASCII + 1][][];

  // For paths of one character.
  private final String[][] all;

  /**
   * @param joined such as {@code /health*+/metrics}; {@code none}: no path matches
   */
  PathPatterns(String joined) {
    List<String[]> patterns = new ArrayList<>();
    if (!joined.equals("none")) {
      for (String pattern : joined.split("\\+")) {
        patterns.add(pattern.split("\\*", -1));
      }
    }
    all = patterns.toArray(NOTHING);
    List<String[]> some = new ArrayList<>();
    for (int second = 0; second <= ASCII; ++second) {
      some.clear();
      for (String[] pieces : all) {
        if (pieces[0].length() < 2 || placeOf(pieces[0]) == second) {
          some.add(pieces);
        }
      }
      bySecond[second] = some.toArray(NOTHING);
    }
  }

  private static int placeOf(String path) {
    return Math.min(path.charAt(1), ASCII);
  }

  /** Never slower than the length of the path times that of a pattern; nothing is allocated. */
  boolean matches(String path) {
    for (String[] pieces : path.length() < 2 ? all : bySecond[placeOf(path)]) {
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
