package io.hodor.jmx;

import io.hodor.internal.MetricsPage;

/** One detector's fields of the page. */
final class DetectorBean implements DetectorMXBean {
  private final MetricsPage page;
  private final int value;
  private final int firing;
  private final int band;
  private final int firings;
  private final int stale;
  private final MetricsPage.Text unit;
  private final MetricsPage.Text explanation;

  DetectorBean(MetricsPage page, String name) {
    String prefix = "detector." + name + ".";
    this.page = page;
    this.value = page.doubleField(prefix + "value");
    this.firing = page.longField(prefix + "firing");
    this.band = page.longField(prefix + "band");
    this.firings = page.longField(prefix + "firings");
    this.stale = page.longField(prefix + "stale");
    this.unit = page.textField(prefix + "unit");
    this.explanation = page.textField(prefix + "explanation");
  }

  @Override
  public double getValue() {
    return page.doubleAt(value);
  }

  @Override
  public String getUnit() {
    return page.textAt(unit);
  }

  @Override
  public boolean isFiring() {
    return page.longAt(firing) != 0;
  }

  @Override
  public int getBand() {
    return (int) page.longAt(band);
  }

  @Override
  public long getFirings() {
    return page.longAt(firings);
  }

  @Override
  public boolean isStale() {
    return page.longAt(stale) != 0;
  }

  @Override
  public String getExplanation() {
    return page.textAt(explanation);
  }
}
