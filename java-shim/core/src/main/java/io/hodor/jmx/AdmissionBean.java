package io.hodor.jmx;

import io.hodor.internal.MetricsPage;

/** The page's counters of requests. */
final class AdmissionBean implements AdmissionMXBean {
  private final MetricsPage page;
  private final int inFlight;
  private final int limit;
  private final int admitted;
  private final int rejected;
  private final int wouldReject;
  private final int dropped;
  private final int released;
  private final int exempt;
  private final int exemptBeyondLimit;
  private final int abandoned;
  private final int connectionsAccepted;
  private final int connectionsDropped;
  private final int connectionsWouldDrop;
  private final int connectionsPassing;
  private final int connectionsClosing;
  private final int admittedRate;
  private final int rejectedRate;
  private final int latencyFastMillis;
  private final int latencySlowMillis;

  AdmissionBean(MetricsPage page) {
    this.page = page;
    this.inFlight = page.longField("admission.inFlight");
    this.limit = page.longField("admission.limit");
    this.admitted = page.longField("admission.admitted");
    this.rejected = page.longField("admission.rejected");
    this.wouldReject = page.longField("admission.wouldReject");
    this.dropped = page.longField("admission.dropped");
    this.released = page.longField("admission.released");
    this.exempt = page.longField("admission.exempt");
    this.exemptBeyondLimit = page.longField("admission.exemptBeyondLimit");
    this.abandoned = page.longField("admission.abandoned");
    this.connectionsAccepted = page.longField("connections.accepted");
    this.connectionsDropped = page.longField("connections.dropped");
    this.connectionsWouldDrop = page.longField("connections.wouldDrop");
    this.connectionsPassing = page.doubleField("connections.passing");
    this.connectionsClosing = page.doubleField("connections.closing");
    this.admittedRate = page.doubleField("admission.admittedRate");
    this.rejectedRate = page.doubleField("admission.rejectedRate");
    this.latencyFastMillis = page.doubleField("admission.latencyFastMillis");
    this.latencySlowMillis = page.doubleField("admission.latencySlowMillis");
  }

  @Override
  public long getInFlight() {
    return page.longAt(inFlight);
  }

  @Override
  public long getLimit() {
    return page.longAt(limit);
  }

  @Override
  public long getAdmitted() {
    return page.longAt(admitted);
  }

  @Override
  public long getRejected() {
    return page.longAt(rejected);
  }

  @Override
  public long getWouldReject() {
    return page.longAt(wouldReject);
  }

  @Override
  public long getDropped() {
    return page.longAt(dropped);
  }

  @Override
  public long getReleased() {
    return page.longAt(released);
  }

  @Override
  public long getExempt() {
    return page.longAt(exempt);
  }

  @Override
  public long getExemptBeyondLimit() {
    return page.longAt(exemptBeyondLimit);
  }

  @Override
  public long getAbandoned() {
    return page.longAt(abandoned);
  }

  @Override
  public long getConnectionsAccepted() {
    return page.longAt(connectionsAccepted);
  }

  @Override
  public long getConnectionsDropped() {
    return page.longAt(connectionsDropped);
  }

  @Override
  public long getConnectionsWouldDrop() {
    return page.longAt(connectionsWouldDrop);
  }

  @Override
  public double getConnectionsPassing() {
    return page.doubleAt(connectionsPassing);
  }

  @Override
  public double getConnectionsClosing() {
    return page.doubleAt(connectionsClosing);
  }

  @Override
  public double getAdmittedRate() {
    return page.doubleAt(admittedRate);
  }

  @Override
  public double getRejectedRate() {
    return page.doubleAt(rejectedRate);
  }

  @Override
  public double getLatencyFastMillis() {
    return page.doubleAt(latencyFastMillis);
  }

  @Override
  public double getLatencySlowMillis() {
    return page.doubleAt(latencySlowMillis);
  }
}
