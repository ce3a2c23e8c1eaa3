package programs;

import java.io.IOException;

/** A program that knows nothing of Hodor, and the ways in which such programs end. */
public final class Ends {
  private Ends() {}

  /**
   * @param args how to end: {@code normally}, {@code exit}, {@code halt}, {@code throw}, or {@code
   *     waits} to go on until its standard input ends or somebody kills it
   */
  public static void main(String[] args) throws IOException {
    System.out.println("started");
    switch (args[0]) {
      case "normally":
        return;
      case "exit":
        System.exit(3);
        return;
      case "halt":
        Runtime.getRuntime().halt(4);
        return;
      case "throw":
        throw new IllegalStateException("thrown on purpose");
      case "waits":
        while (System.in.read() >= 0) {
          // Whatever comes is only a sign of life.
        }
        System.out.println("ends");
        return;
      default:
        throw new IllegalArgumentException(args[0]);
    }
  }
}
