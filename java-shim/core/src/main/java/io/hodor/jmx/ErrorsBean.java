package io.hodor.jmx;

import io.hodor.internal.MetricsPage;

/** The page's counters of failures. */
final class ErrorsBean implements ErrorsMXBean {
  private final MetricsPage page;
  private final int failOpen;
  private final int sourceFailures;
  private final MetricsPage.Text last;

  ErrorsBean(MetricsPage page) {
    this.page = page;
    this.failOpen = page.longField("errors.failOpen");
    this.sourceFailures = page.longField("errors.sourceFailures");
    this.last = page.textField("errors.last");
  }

  @Override
  public long getFailOpen() {
    return page.longAt(failOpen);
  }

  @Override
  public long getSourceFailures() {
    return page.longAt(sourceFailures);
  }

  @Override
  public String getLastError() {
    return page.textAt(last);
  }
}
