package consumer;

import io.hodor.Hodor;
import io.hodor.Permit;
import io.hodor.servlet.OverloadFilter;

/** Touches the filter and the API, so that every class they need must be there. */
public final class UsesFilter {
  private UsesFilter() {}

  public static void main(String[] args) {
    System.out.println("filter " + new OverloadFilter().getClass().getSimpleName());
    try (Permit permit = Hodor.tryAcquire()) {
      System.out.println("admitted " + permit.isAdmitted());
    }
    System.out.println("agent " + Hodor.isAvailable());
  }
}
