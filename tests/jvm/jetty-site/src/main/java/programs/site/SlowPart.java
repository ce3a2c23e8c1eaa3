package programs.site;

import java.util.Scanner;
import org.eclipse.jetty.util.component.AbstractLifeCycle;

/** A part of a server that starts once it is told so. */
final class SlowPart extends AbstractLifeCycle {
  private final Scanner input;

  SlowPart(Scanner input) {
    this.input = input;
  }

  @Override
  protected void doStart() {
    System.out.println("STARTING");
    input.nextLine();
  }
}
