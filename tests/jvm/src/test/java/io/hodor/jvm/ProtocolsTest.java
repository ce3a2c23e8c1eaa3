package io.hodor.jvm;

import java.util.List;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The oldest servlets, for every run. */
@ParameterizedClass(name = "{0}")
@MethodSource("sites")
class ProtocolsTest extends SiteProtocols {
  static List<Setup> sites() {
    return List.of(new Setup("ee8", 17, "platform", "enforce"));
  }
}
