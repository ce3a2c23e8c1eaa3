package io.hodor.internal;

/**
 * Calls the agent as no caller should. In the bridge's own package, so it must be loaded by the
 * loader that has the agent's classes, the boot loader ({@code -Xbootclasspath/a}).
 */
public final class AbsurdArguments {
  private static final String HUGE = "x\u00e9".repeat(512 * 1024);

  private AbsurdArguments() {}

  public static void main(String[] args) throws InterruptedException {
    System.out.println("started");
    releases();
    pools();
    texts();
    for (int i = 0; i < 10; i++) {
      long permit = NativeBridge.acquire(false);
      System.out.println(permit > 0 ? "admitted" : "answer " + permit);
      NativeBridge.start(permit);
      NativeBridge.release(permit, NativeBridge.OUTCOME_COMPLETED);
    }
    System.out.println("survived");
    if (args.length > 0) {
      awaitInvalid();
      Thread.currentThread().join();
    }
  }

  /** Reads the page until it counts something, which it does with the next tick. */
  private static void awaitInvalid() {
    MetricsPage page = new MetricsPage(NativeBridge.page(), NativeBridge.layout());
    int field = page.longField("admission.invalid");
    while (page.longAt(field) == 0) {
      Thread.onSpinWait();
    }
    System.out.println("invalid: " + page.longAt(field));
  }

  private static void releases() {
    long[] never = {-1, Long.MAX_VALUE, Long.MIN_VALUE, 1, System.nanoTime() + 1_000_000_000_000L};
    for (long permit : never) {
      NativeBridge.start(permit);
      NativeBridge.release(permit, NativeBridge.OUTCOME_COMPLETED);
    }
    for (int outcome : new int[] {-7, 4, 99, Integer.MIN_VALUE, Integer.MAX_VALUE, 256}) {
      NativeBridge.release(NativeBridge.acquire(false), outcome);
    }
    long twice = NativeBridge.acquire(false);
    NativeBridge.release(twice, NativeBridge.OUTCOME_DROPPED);
    NativeBridge.release(twice, NativeBridge.OUTCOME_DROPPED);
  }

  private static void pools() {
    NativeBridge.watchPool(null);
    NativeBridge.watchPool("");
    int watched = 0;
    for (int i = 0; i < 100; i++) {
      watched += NativeBridge.watchPool(HUGE) >= 0 ? 1 : 0;
    }
    System.out.println("pools watched: " + watched);
    for (int id : new int[] {-5, 16, 99_999, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      NativeBridge.probeStarted(id, 1);
      NativeBridge.probeSubmitted(id, true);
      NativeBridge.nobodyWaits(id);
      NativeBridge.unwatchPool(id);
    }
    for (long stamp : new long[] {-1, 0, 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      NativeBridge.probeStarted(0, stamp);
    }
    NativeBridge.release(NativeBridge.acquire(true), NativeBridge.OUTCOME_NEVER_STARTED);
    for (int id = 0; id < 16; id++) {
      NativeBridge.unwatchPool(id);
      NativeBridge.unwatchPool(id);
    }
  }

  private static void texts() {
    for (String text : new String[] {null, "", HUGE, "\u0000\ud800", "%s%n{}{0}"}) {
      NativeBridge.failure(text);
      NativeBridge.attached(text);
      NativeBridge.detached(text);
      System.out.println("refused: " + (NativeBridge.setOption(text, text) != null));
      System.out.println("refused: " + (NativeBridge.setOption("mode", text) != null));
    }
    System.out.println("refused: " + (NativeBridge.setOption(null, "monitor") != null));
  }
}
