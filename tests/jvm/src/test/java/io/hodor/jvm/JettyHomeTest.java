package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What jetty-home can do beyond other frameworks: fork a JVM, deploy while it runs. */
@Tag("slow")
@Isolated
class JettyHomeTest {
  private static final Framework JETTY_HOME = Framework.of("jetty-home");

  /** The launcher's own JVM does not mind the agent. */
  @ParameterizedTest
  @ValueSource(strings = {"--exec", "--jpms"})
  void theFlagReachesAForkedJvmByTheEnvironment(String fork) {
    String flag = "-agentpath:" + NeedsLibrary.library() + "=" + FrameworksTest.REJECTING;
    TargetJvm.Builder java = FrameworksTest.java().environment("JAVA_TOOL_OPTIONS", flag);
    try (FrameworkApp app = FrameworkApp.start(JETTY_HOME, java, fork)) {
      FrameworksTest.awaitRejection(app, "/hello");
      assertThat(app.get("/health").status()).isEqualTo(200);
    }
  }

  @Test
  void guardsAWarThatIsDeployedWhileItRuns(@TempDir Path folder) throws IOException {
    Path webapps = Files.createDirectory(folder.resolve("webapps"));
    String options = "mode=enforce,strategy=percentage";
    try (FrameworkApp app =
        FrameworkApp.start(
            JETTY_HOME,
            FrameworksTest.withAgent(JETTY_HOME, options),
            "jetty.deploy.webappsDir=" + webapps)) {
      assertThat(app.get("/late/hello").status()).isEqualTo(404);
      Path war = folder.resolve("late.war");
      Files.copy(Framework.FOLDER.resolve("jetty-home/target/base/webapps/root.war"), war);
      Files.move(war, webapps.resolve("late.war")); // so that the scanner sees it whole
      SheddingTest.eventually(() -> assertThat(app.get("/late/hello").text()).isEqualTo("hello"));
      try (Jmx jmx = Jmx.of(app.jvm())) {
        jmx.hodor().setOption("inject", "cpu");
        FrameworksTest.awaitRejection(app, "/late/hello");
      }
    }
  }
}
