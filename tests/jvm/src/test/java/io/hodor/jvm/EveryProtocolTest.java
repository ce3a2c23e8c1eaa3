package io.hodor.jvm;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Every generation of Jetty and of servlets, in both modes, and every kind of thread. */
@Tag("slow")
@ParameterizedClass(name = "{0}")
@MethodSource("sites")
@Isolated
class EveryProtocolTest extends SiteProtocols {
  private static final List<String> SITES =
      List.of("ee11", "ee10", "ee9", "ee8", "jetty-12.0", "jetty-11", "jetty-10", "jetty-9.4");

  static Stream<Setup> sites() {
    Stream<Setup> generations =
        SITES.stream()
            .flatMap(
                site ->
                    Stream.of(
                        new Setup(site, leastJava(site), "platform", "monitor"),
                        new Setup(site, 25, "platform", "enforce")));
    Stream<Setup> virtualThreads =
        Stream.of(
            new Setup("ee10", 21, "virtual", "enforce"),
            new Setup("ee10", 25, "virtual", "monitor"),
            new Setup("ee10", 21, "mixed", "enforce"),
            new Setup("jetty-12.0", 25, "mixed", "enforce"),
            new Setup("jetty-11", 21, "mixed", "enforce"));
    return Stream.concat(generations, virtualThreads);
  }

  private static int leastJava(String site) {
    return site.startsWith("ee") || site.equals("jetty-12.0") ? 17 : 11;
  }
}
