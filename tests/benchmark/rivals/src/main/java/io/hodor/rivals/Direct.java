package io.hodor.rivals;

/** Requests that nobody limits, so that the capacity of the same JVM can be measured. */
final class Direct {
  /** The whole query string. */
  private static final String QUERY = "direct";

  private Direct() {}

  /**
   * @param query null: there is none
   */
  static boolean is(String query) {
    return QUERY.equals(query);
  }
}
