package io.hodor.jmx;

import io.hodor.internal.MetricsPage;
import java.util.List;

/** The page's state of the law. */
final class LawBean implements LawMXBean {
  private final MetricsPage page;
  private final List<String> steps;
  private final int step;
  private final int learned;
  private final int healthyLatencyMillis;
  private final int healthyInFlight;
  private final int throughput;
  private final int bestThroughput;
  private final int capacity;
  private final int sojournMillis;
  private final int excessMillis;
  private final int spare;

  LawBean(MetricsPage page) {
    this.page = page;
    this.steps = page.valuesOf("law.step");
    this.step = page.longField("law.step");
    this.learned = page.longField("law.learned");
    this.healthyLatencyMillis = page.doubleField("law.healthyLatencyMillis");
    this.healthyInFlight = page.doubleField("law.healthyInFlight");
    this.throughput = page.doubleField("law.throughput");
    this.bestThroughput = page.doubleField("law.bestThroughput");
    this.capacity = page.doubleField("law.capacity");
    this.sojournMillis = page.doubleField("law.sojournMillis");
    this.excessMillis = page.doubleField("law.excessMillis");
    this.spare = page.doubleField("law.spare");
  }

  @Override
  public String getStep() {
    return StateReader.name(steps, page.longAt(step));
  }

  @Override
  public boolean isLearned() {
    return page.longAt(learned) != 0;
  }

  @Override
  public double getHealthyLatencyMillis() {
    return page.doubleAt(healthyLatencyMillis);
  }

  @Override
  public double getHealthyInFlight() {
    return page.doubleAt(healthyInFlight);
  }

  @Override
  public double getThroughputRate() {
    return page.doubleAt(throughput);
  }

  @Override
  public double getBestThroughputRate() {
    return page.doubleAt(bestThroughput);
  }

  @Override
  public double getCapacityRate() {
    return page.doubleAt(capacity);
  }

  @Override
  public double getSojournMillis() {
    return page.doubleAt(sojournMillis);
  }

  @Override
  public double getExcessMillis() {
    return page.doubleAt(excessMillis);
  }

  @Override
  public double getSpare() {
    return page.doubleAt(spare);
  }
}
