package io.hodor.internal;

/**
 * Whether there is more than one gate in this JVM, of any copy of this library: then a request may
 * come to a second one, and has to carry what the first one decided. Any thread.
 */
final class GateCount {
  /** Where nobody counts. */
  static final GateCount UNKNOWN = new GateCount(null, -1);

  private final MetricsPage page;
  private final int field;

  private GateCount(MetricsPage page, int field) {
    this.page = page;
    this.field = field;
  }

  /**
   * @throws IllegalStateException if the page has no such field
   */
  static GateCount of(MetricsPage page) {
    return new GateCount(page, page.longField("hodor.gates"));
  }

  boolean isMoreThanOne() {
    return page == null || page.longAt(field) > 1;
  }
}
