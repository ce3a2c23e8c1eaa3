package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** How many classes a JVM took from an archive that was made before. */
final class ClassArchives {
  private final Path log;

  ClassArchives(Path folder) {
    this.log = folder.resolve("loaded-classes");
  }

  TargetJvm.Builder logged(TargetJvm.Builder java) {
    return java.options("-Xlog:class+load:file=" + log);
  }

  /** Of Jetty's. To be asked when the JVM has ended. */
  long shared() {
    try (Stream<String> lines = Files.lines(log)) {
      long shared =
          lines
              .filter(line -> line.contains(" org.eclipse.jetty."))
              .filter(line -> line.contains("source: shared objects file"))
              .count();
      assertThat(shared).as("classes of Jetty from the archive").isPositive();
      return shared;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
