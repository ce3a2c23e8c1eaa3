package io.hodor.jvm;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The Jetty releases that the test set-up has fetched, each a folder of jars. */
final class JettyReleases {
  private JettyReleases() {}

  /** Skips the test if the release is not there. */
  static Path require(String release) {
    String releases = System.getProperty("hodor.jetty", "");
    assumeTrue(!releases.isEmpty(), "Jetty " + release + ": no -Dhodor.jetty=<folder> was given");
    Path folder = Path.of(releases, release);
    assumeTrue(Files.isDirectory(folder), "Jetty " + release + ": no folder " + folder);
    return folder;
  }

  /** All of them, sorted by name. */
  static List<String> all() {
    String releases = System.getProperty("hodor.jetty", "");
    if (releases.isEmpty() || !Files.isDirectory(Path.of(releases))) {
      return List.of("none");
    }
    try (Stream<Path> folders = Files.list(Path.of(releases))) {
      return folders
          .map(folder -> folder.getFileName().toString())
          .filter(name -> !name.startsWith("."))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The Java version that a release needs at least. */
  static int leastJava(String release) {
    return release.startsWith("12.") ? 17 : 11;
  }
}
