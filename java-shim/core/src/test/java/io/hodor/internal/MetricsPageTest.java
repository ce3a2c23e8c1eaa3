package io.hodor.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class MetricsPageTest {
  @Test
  void readsFieldsByName() {
    FakePage fake = FakePage.empty().integers("a", "b").real("c").texts("d");
    fake.set("b", Long.MIN_VALUE);
    fake.set("c", 0.25);
    fake.set("d", "Grüße, 世界");
    MetricsPage page = new MetricsPage(fake.bytes(), fake.layout());

    assertThat(page.longAt(page.longField("a"))).isZero();
    assertThat(page.longAt(page.longField("b"))).isEqualTo(Long.MIN_VALUE);
    assertThat(page.doubleAt(page.doubleField("c"))).isEqualTo(0.25);
    assertThat(page.textAt(page.textField("d"))).isEqualTo("Grüße, 世界");
  }

  @Test
  void aMissingFieldIsNamed() {
    MetricsPage page = pageOf(FakePage.empty().integers("a"));
    assertThatThrownBy(() -> page.longField("admission.limit"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("admission.limit");
  }

  @Test
  void aFieldOfAnotherTypeIsNamedWithBothTypes() {
    MetricsPage page = pageOf(FakePage.empty().integers("a"));
    assertThatThrownBy(() -> page.textField("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("text")
        .hasMessageContaining("i64");
  }

  @Test
  void valuesThatAreNotSaidAreMissed() {
    FakePage fake = FakePage.empty().integers("a", "b").values("a", "x,y");
    assertThat(pageOf(fake).valuesOf("a")).containsExactly("x", "y");
    assertThatThrownBy(() -> pageOf(fake).valuesOf("b"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("b");
  }

  @Test
  void aLayoutThatLeavesThePageIsRefused() {
    FakePage fake = FakePage.empty();
    for (String layout :
        new String[] {
          "field a i64 65529 0",
          "field a i64 -8 0",
          "field a text 65000 1000",
          "field a text 8 2147483647",
          "field a i64",
          "field a i64 eight 0",
          "values a"
        }) {
      assertThatThrownBy(() -> new MetricsPage(fake.bytes(), layout), layout)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(layout);
    }
  }

  @Test
  void aLineOfALaterVersionIsSkipped() {
    FakePage fake = FakePage.empty().integers("a");
    MetricsPage page = new MetricsPage(fake.bytes(), "comment of some kind\n" + fake.layout());
    assertThat(page.longAt(page.longField("a"))).isZero();
  }

  @Test
  void aLengthBeyondTheCapacityReadsNoFurther() {
    FakePage fake = FakePage.empty().texts("a").integers("next");
    MetricsPage page = new MetricsPage(fake.bytes(), fake.layout());
    fake.set("a", "x".repeat(1016));
    assertThat(page.textAt(page.textField("a"))).hasSize(1000);
  }

  @Test
  void aWriterThatNeverFinishesDoesNotBlockTheReader() {
    FakePage fake = FakePage.empty().texts("a");
    fake.set("a", "before");
    fake.beginText("a");
    assertThat(pageOf(fake).textAt(pageOf(fake).textField("a"))).isEmpty();
  }

  @Test
  void textsAreWholeWhileTheyAreRewritten() throws InterruptedException {
    FakePage fake = FakePage.empty().texts("a");
    String[] versions = new String[8];
    for (int i = 0; i < versions.length; ++i) {
      versions[i] = String.valueOf((char) ('a' + i)).repeat(1 + i * 140);
    }
    fake.set("a", versions[0]);
    MetricsPage page = pageOf(fake);
    MetricsPage.Text text = page.textField("a");
    AtomicBoolean end = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              for (int i = 0; !end.get(); ++i) {
                fake.set("a", versions[i % versions.length]);
                // As long a pause as a reader needs to get in between.
                for (int spin = 0; spin < 200; ++spin) {
                  Thread.onSpinWait();
                }
              }
            });
    writer.start();
    Set<String> seen = new HashSet<>();
    try {
      for (int i = 0; i < 20_000; ++i) {
        seen.add(page.textAt(text));
      }
    } finally {
      end.set(true);
      writer.join();
    }
    // A reader that meets the writer at every attempt gives up with an empty text.
    seen.remove("");
    assertThat(seen).isNotEmpty();
    assertThat(versions).containsAll(seen);
  }

  private static MetricsPage pageOf(FakePage fake) {
    return new MetricsPage(fake.bytes(), fake.layout());
  }
}
