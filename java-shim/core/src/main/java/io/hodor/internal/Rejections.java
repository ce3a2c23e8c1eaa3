package io.hodor.internal;

import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * What a rejected request is told, made once for each cause and wait. Any thread.
 *
 * <p>The wait is drawn at random when it is not set, so that the clients that were turned away
 * together do not come back together.
 */
final class Rejections {
  private static final int DEFAULT_STATUS = 503;
  // 1 to 3 seconds.
  private static final int AUTO_WAITS = 3;
  // The share of those that close their connections is drawn from so many.
  private static final int DRAWS = 1024;
  private static final String OTHER_CAUSE = "overload";

  // A linear congruential generator (Numerical Recipes), and threads that meet repeat a number.
  // ThreadLocalRandom would have the first rejection of each thread throw away compiled code.
  private static int drawn = (int) System.nanoTime();

  private final IntUnaryOperator random;
  private final List<String> causes;
  private final MetricsPage page;
  private final int statusField;
  private final int waitField;
  private final int causeField;
  private final int closingField;
  // Replaced as a whole when a setting changes; a race makes the same table twice.
  private volatile Table table;

  /** For an agent whose page cannot be read: defaults, and a cause without a name. */
  Rejections() {
    this.random = Rejections::below;
    this.causes = List.of();
    this.page = null;
    this.statusField = this.waitField = this.causeField = this.closingField = -1;
    this.table = new Table(DEFAULT_STATUS, 0, causes);
  }

  /**
   * @param random a number from 0 to below its argument
   */
  Rejections(MetricsPage page, IntUnaryOperator random) {
    this.random = random;
    this.page = page;
    this.causes = page.valuesOf("state.cause");
    this.statusField = page.longField("settings.rejectStatus");
    this.waitField = page.longField("settings.retryAfterSeconds");
    this.causeField = page.longField("state.cause");
    this.closingField = page.doubleField("connections.closing");
    this.table = new Table(DEFAULT_STATUS, 0, causes);
  }

  static int below(int bound) {
    int next = drawn * 1_664_525 + 1_013_904_223;
    drawn = next;
    // The low bits of such a generator hardly change.
    return (next >>> 16) % bound;
  }

  /** The answer to a request that was rejected for the cause of this ordinal. */
  Rejection of(long causeOrdinal) {
    Table current = table;
    if (page != null) {
      int status = validStatus(page.longAt(statusField));
      int wait = (int) Math.max(0, Math.min(page.longAt(waitField), Integer.MAX_VALUE));
      if (current.status != status || current.wait != wait) {
        current = new Table(status, wait, causes);
        table = current;
      }
    }
    return current.of(causeOrdinal, closes(), random);
  }

  private boolean closes() {
    double share = page == null ? 0 : page.doubleAt(closingField);
    return share > 0 && random.applyAsInt(DRAWS) < share * DRAWS;
  }

  /** The answer to a request that waited too long, for what causes the overload right now. */
  Rejection ofCurrentCause() {
    return of(page == null ? -1 : page.longAt(causeField));
  }

  private static int validStatus(long status) {
    return status >= 400 && status <= 599 ? (int) status : DEFAULT_STATUS;
  }

  private static final class Table {
    private final int status;
    private final int wait;
    private final Rejection[][] keeping;
    private final Rejection[][] closing;

    Table(int status, int wait, List<String> causes) {
      this.status = status;
      this.wait = wait;
      this.keeping = answers(causes, false);
      this.closing = answers(causes, true);
    }

    private Rejection[][] answers(List<String> causes, boolean closes) {
      // Row 0 is for a cause without a name: "none" and every ordinal that is unknown.
      Rejection[][] answers = new Rejection[Math.max(1, causes.size())][];
      for (int cause = 0; cause < answers.length; ++cause) {
        String name = cause == 0 ? OTHER_CAUSE : causes.get(cause);
        answers[cause] = new Rejection[wait > 0 ? 1 : AUTO_WAITS];
        for (int i = 0; i < answers[cause].length; ++i) {
          answers[cause][i] = new Rejection(status, name, wait > 0 ? wait : i + 1, closes);
        }
      }
      return answers;
    }

    Rejection of(long cause, boolean closes, IntUnaryOperator random) {
      Rejection[][] answers = closes ? closing : keeping;
      Rejection[] waits = answers[cause > 0 && cause < answers.length ? (int) cause : 0];
      return waits[waits.length == 1 ? 0 : random.applyAsInt(waits.length)];
    }
  }
}
