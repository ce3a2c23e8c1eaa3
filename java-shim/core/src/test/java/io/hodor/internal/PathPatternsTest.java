package io.hodor.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathPatternsTest {
  @ParameterizedTest
  @CsvSource({
    "/health,       /health,            true",
    "/health,       /healthy,           false",
    "/health,       /a/health,          false",
    "/health*,      /health,            true",
    "/health*,      /health/db,         true",
    "/health*,      /heal,              false",
    "*/health,      /a/b/health,        true",
    "*/health,      /a/health/b,        false",
    "/a/*/c,        /a/b/c,             true",
    "/a/*/c,        /a/b/b/c,           true",
    "/a/*/c,        /a/c,               false",
    "/a*a,          /a,                 false",
    "/a*a,          /aa,                true",
    "/a*b*c,        /a-b-c,             true",
    "/a*b*c,        /a-c-b,             false",
    "*,             /anything,          true",
    "/a+/b,         /b,                 true",
    "/a+/b,         /c,                 false",
    "none,          none,               false",
    "/,             /,                  true",
    "/*,            /,                  true",
    "/health,       /,                  false",
    "/h\u00e9*,      /h\u00e9llo,           true",
    "/\u00e9*,       /\u00e9t\u00e9,            true",
    "/a,            /\u00e9,                 false",
    "/a.c,          /abc,               false"
  })
  void matches(String patterns, String path, boolean expected) {
    assertThat(new PathPatterns(patterns).matches(path)).isEqualTo(expected);
  }

  @Test
  void manyStarsOverALongPathEndSoon() {
    String path = "/" + "a".repeat(100_000);
    assertThat(new PathPatterns("/" + "*a".repeat(100) + "*b").matches(path)).isFalse();
  }
}
