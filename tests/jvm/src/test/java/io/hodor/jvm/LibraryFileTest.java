package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import programs.Ends;

/** The library is one file that needs nothing beside it. */
class LibraryFileTest {
  private static final Set<String> MAY_NEED =
      Set.of("libc.so.6", "libm.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2");

  /** The method that is added to Jetty's Server. */
  private static final String SERVER_HOOK = "Java_org_eclipse_jetty_server_Server_hodor_";

  @Test
  void needsOnlyTheCLibrary() throws Exception {
    assertThat(run("readelf", "-d"))
        .filteredOn(line -> line.contains("(NEEDED)"))
        .isNotEmpty()
        .extracting(line -> line.replaceAll(".*\\[(.*)].*", "$1"))
        .isSubsetOf(MAY_NEED);
  }

  @Test
  void showsOnlyItsEntryPoints() throws Exception {
    assertThat(run("nm", "-D", "--defined-only"))
        .isNotEmpty()
        .extracting(line -> line.replaceAll(".* ", ""))
        .allMatch(symbol -> symbol.matches("(Agent_On|Java_io_hodor_|" + SERVER_HOOK + ").*"));
  }

  @Test
  void worksFromAFolderWithNothingElse(@TempDir Path folder) throws IOException {
    Path copy = Files.copy(NeedsLibrary.library(), folder.resolve("libhodor.so"));
    try (TargetJvm jvm =
            TargetJvm.with(JavaRuntime.own()).agent(copy, "mode=enforce").run(Ends.class, "waits");
        Jmx jmx = Jmx.of(jvm)) {
      assertThat(jmx.hodor().getMode()).isEqualTo("enforce");
      assertThat(jmx.errors().getFailOpen()).isZero();
      jvm.endInput();
      assertThat(jvm.awaitExit()).as(jvm.output()).isZero();
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(copy);
    }
  }

  private static List<String> run(String... command) throws IOException, InterruptedException {
    String[] all =
        Stream.concat(Stream.of(command), Stream.of(NeedsLibrary.library().toString()))
            .toArray(String[]::new);
    Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }
}
