package io.hodor.jmx;

import io.hodor.internal.MetricsPage;
import java.util.List;

/** The page's mode and overload state, in words. Any thread. */
final class StateReader {
  private final MetricsPage page;
  private final List<String> modes;
  private final List<String> causes;
  private final int mode;
  private final int overloaded;
  private final List<String> cpuBlames;
  private final int cause;
  private final int cpuBlame;
  private final int since;
  private final MetricsPage.Text reason;

  StateReader(MetricsPage page) {
    this.page = page;
    this.modes = page.valuesOf("state.mode");
    this.causes = page.valuesOf("state.cause");
    this.cpuBlames = page.valuesOf("state.cpuBlame");
    this.mode = page.longField("state.mode");
    this.overloaded = page.longField("state.overloaded");
    this.cause = page.longField("state.cause");
    this.cpuBlame = page.longField("state.cpuBlame");
    this.since = page.longField("state.sinceEpochMillis");
    this.reason = page.textField("state.reason");
  }

  String mode() {
    return name(modes, page.longAt(mode));
  }

  boolean isOverloaded() {
    return page.longAt(overloaded) != 0;
  }

  /** The detector that fires; for {@code cpu} also who has the CPU time, if that is known. */
  String cause() {
    String name = name(causes, page.longAt(cause));
    String blame = name(cpuBlames, page.longAt(cpuBlame));
    return name.equals("cpu") && !blame.equals("unknown") ? name + "-" + blame : name;
  }

  long sinceEpochMillis() {
    return page.longAt(since);
  }

  String reason() {
    return page.textAt(reason);
  }

  /** The name of what is written as a number; of another release there may be more. */
  static String name(List<String> names, long ordinal) {
    return ordinal >= 0 && ordinal < names.size()
        ? names.get((int) ordinal)
        : "unknown(" + ordinal + ")";
  }
}
