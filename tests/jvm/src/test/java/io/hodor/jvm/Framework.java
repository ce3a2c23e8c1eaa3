package io.hodor.jvm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** An application in `examples/`, as `applications.properties` there describes it. */
record Framework(
    String name,
    List<String> java,
    String options,
    String ready,
    List<String> answers,
    List<String> probes) {

  /** Where the examples are. */
  static final Path FOLDER = Path.of("..", "..", "examples").toAbsolutePath().normalize();

  private static final String NAME = ".name";

  /** All of them, by name. */
  static List<Framework> all() {
    Properties properties = read();
    return keys(properties).map(key -> of(properties, key)).toList();
  }

  /** The one with this key. */
  static Framework of(String key) {
    return of(read(), key);
  }

  /** The file that its command line starts, which the build makes. */
  Path jar() {
    return Path.of(inFolder(java.get(java.indexOf("-jar") + 1)));
  }

  /** What stands behind `java`. */
  List<String> java(int port, int adminPort, Path data) {
    return java.stream()
        .map(
            word ->
                inFolder(word)
                    .replace("{port}", Integer.toString(port))
                    .replace("{admin}", Integer.toString(adminPort))
                    .replace("{data}", data.toString()))
        .toList();
  }

  /** These options of the agent, and those that it needs for the application. */
  String agentOptions(String more) {
    String own = inFolder(options);
    return own.isEmpty() || more.isEmpty() ? own + more : own + "," + more;
  }

  @Override
  public String toString() {
    return name;
  }

  private static Framework of(Properties properties, String key) {
    return new Framework(
        properties.getProperty(key + NAME),
        words(properties, key + ".java"),
        properties.getProperty(key + ".options", ""),
        properties.getProperty(key + ".ready"),
        words(properties, key + ".answers"),
        words(properties, key + ".probes"));
  }

  private static String inFolder(String text) {
    return text.replace("{examples}", FOLDER.toString());
  }

  private static List<String> words(Properties properties, String key) {
    return List.of(properties.getProperty(key).split(" "));
  }

  private static Stream<String> keys(Properties properties) {
    return properties.stringPropertyNames().stream()
        .filter(key -> key.endsWith(NAME))
        .map(key -> key.substring(0, key.length() - NAME.length()))
        .sorted();
  }

  private static Properties read() {
    Path file = FOLDER.resolve("applications.properties");
    Properties properties = new Properties();
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties;
  }
}
