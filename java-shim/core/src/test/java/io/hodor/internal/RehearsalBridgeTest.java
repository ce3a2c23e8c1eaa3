package io.hodor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.hodor.Permit;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** That a rehearsal leaves no kind of answer for the first overload. */
class RehearsalBridgeTest {
  private static final int REQUESTS = 1000;

  private final Shim shim = Shim.rehearsing();

  @Test
  void everyKindOfRejectionIsGiven() {
    Set<String> reasons = new HashSet<>();
    Set<String> drawnWaits = new HashSet<>();
    Set<Boolean> closings = new HashSet<>();
    for (int i = 0; i < REQUESTS; ++i) {
      Permit permit = shim.acquire(true);
      if (!permit.isAdmitted()) {
        reasons.add(permit.reason());
        drawnWaits.add(((Rejection) permit).retryAfter());
        closings.add(((Rejection) permit).closesConnection());
      }
      permit.close();
    }
    assertThat(reasons).as("without a name, and with two").hasSize(3);
    assertThat(drawnWaits).containsExactlyInAnyOrder("1", "2", "3");
    assertThat(closings).containsExactlyInAnyOrder(true, false);
  }

  @Test
  void whatIsAdmittedIsStartedOrDropped() {
    Set<Boolean> started = new HashSet<>();
    for (int i = 0; i < REQUESTS; ++i) {
      Permit permit = shim.acquire(true);
      if (permit.isAdmitted()) {
        started.add(permit.started().isAdmitted());
      }
    }
    assertThat(started).containsExactlyInAnyOrder(true, false);
  }
}
