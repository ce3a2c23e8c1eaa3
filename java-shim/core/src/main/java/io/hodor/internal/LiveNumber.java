package io.hodor.internal;

/**
 * A number that the agent keeps up to date, or what stands for it where there is no agent whose
 * page can be read. Any thread; reading it costs as much as reading a field.
 */
final class LiveNumber {
  private final MetricsPage page;
  private final int field;
  private final long otherwise;

  private LiveNumber(MetricsPage page, int field, long otherwise) {
    this.page = page;
    this.field = field;
    this.otherwise = otherwise;
  }

  static LiveNumber fixed(long value) {
    return new LiveNumber(null, -1, value);
  }

  /**
   * @throws IllegalStateException if the page has no whole number of this name
   */
  static LiveNumber of(MetricsPage page, String name) {
    return new LiveNumber(page, page.longField(name), 0);
  }

  long get() {
    return page == null ? otherwise : page.longAt(field);
  }
}
