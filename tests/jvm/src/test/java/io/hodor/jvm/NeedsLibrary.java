package io.hodor.jvm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips everything, loudly, when no library was given; fails when the one given is not there. */
public final class NeedsLibrary implements ExecutionCondition {
  private static final AtomicBoolean SAID = new AtomicBoolean();

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    String given = System.getProperty("hodor.library", "");
    if (given.isEmpty()) {
      String reason = "no -Dhodor.library=<absolute path of libhodor.so> was given";
      if (SAID.compareAndSet(false, true)) {
        System.err.println("##### ALL TESTS WITH REAL JVMS ARE SKIPPED: " + reason + " #####");
      }
      return ConditionEvaluationResult.disabled(reason);
    }
    library();
    return ConditionEvaluationResult.enabled("with " + given);
  }

  static Path library() {
    Path library = Path.of(System.getProperty("hodor.library"));
    if (!library.isAbsolute() || !Files.isRegularFile(library)) {
      throw new IllegalStateException("-Dhodor.library=" + library + ": no such file");
    }
    return library;
  }
}
