package io.hodor.jvm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Notes how each test ended, as a cell of the table that {@code ./dev test --slow} prints: {@code
 * target/attach-matrix}, a line for each cell: table, row, column, outcome.
 *
 * <p>Where a class has parameters they name the row, and the tests are the columns; otherwise the
 * test and its parameters are the row, and {@code … on Java N} in its name is the column.
 */
public final class AttachMatrix implements TestWatcher {
  private static final Path FILE = Path.of("target", "attach-matrix");
  private static final Pattern ON_JAVA = Pattern.compile("(.*?)(?:, | )?on (Java \\d+)");

  @Override
  public void testSuccessful(ExtensionContext test) {
    note(test, test.getTags().contains("fails-open") ? "fails open" : "works");
  }

  @Override
  public void testFailed(ExtensionContext test, Throwable cause) {
    note(test, "FAILED");
  }

  @Override
  public void testAborted(ExtensionContext test, Throwable cause) {
    note(test, "skipped");
  }

  @Override
  public void testDisabled(ExtensionContext test, Optional<String> reason) {
    note(test, "skipped");
  }

  private static void note(ExtensionContext test, String outcome) {
    String table = words(test.getRequiredTestClass().getSimpleName().replaceFirst("Test$", ""));
    String method = words(test.getRequiredTestMethod().getName());
    String name = test.getDisplayName();
    String setup = test.getParent().map(ExtensionContext::getDisplayName).orElse("");
    Matcher onJava = ON_JAVA.matcher(name);
    String row = method;
    String column = "Java " + Runtime.version().feature();
    if (ON_JAVA.matcher(setup).matches()) {
      row = setup;
      column = method;
    } else if (onJava.matches()) {
      row = onJava.group(1).isEmpty() ? method : method + ": " + onJava.group(1);
      column = onJava.group(2);
    } else if (!name.endsWith("()")) {
      row = method + ": " + name;
    }
    append(String.join("\t", table, row, column, outcome));
  }

  /** {@code besideTheDebugger} as {@code beside the debugger}. */
  private static String words(String name) {
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ")
        .toLowerCase(Locale.ROOT);
  }

  private static synchronized void append(String line) {
    try {
      Files.writeString(FILE, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
