package programs.load;

import java.util.concurrent.TimeUnit;

/** What can be brought upon the running server, each by a line of a word and a number. */
final class Troubles {
  private final Downstream downstream;
  private final Downstream lock;
  private final Ballast ballast;
  private final Crowd crowd;

  Troubles(Downstream downstream, Downstream lock, Ballast ballast, Crowd crowd) {
    this.downstream = downstream;
    this.lock = lock;
    this.ballast = ballast;
    this.crowd = crowd;
  }

  /**
   * Brings it, and returns a figure of it.
   *
   * <ul>
   *   <li>{@code downstream MILLIS}: what calls to it take from now on
   *   <li>{@code stick SECONDS}: handlers of {@code /lock} block so long; 0: for good
   *   <li>{@code fill PERCENT}: fills the heap with what lives; the figure is the percentage
   *   <li>{@code retain MEGABYTES}: holds so much
   *   <li>{@code collect 0}: a full collection
   *   <li>{@code crowd THREADS}: that many threads, idle, and busy for a moment now and then
   *   <li>{@code storm THREADS}: starts that many threads each second that live for milliseconds
   * </ul>
   */
  long bring(String line) {
    String[] words = line.split(" ");
    long number = Long.parseLong(words[1]);
    switch (words[0]) {
      case "downstream":
        downstream.hold(number);
        return number;
      case "stick":
        lock.hold(number == 0 ? Long.MAX_VALUE : TimeUnit.SECONDS.toMillis(number));
        return number;
      case "fill":
        return ballast.fill(number);
      case "retain":
        return ballast.retain(number);
      case "collect":
        System.gc();
        return number;
      case "crowd":
        return crowd.gather(number);
      case "storm":
        return crowd.storm(number);
      default:
        throw new IllegalArgumentException(line);
    }
  }
}
