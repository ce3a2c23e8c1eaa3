package programs;

import io.hodor.Hodor;
import io.hodor.Permit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Serves requests that allocate, some of it kept for a while, out of a heap of which a share is in
 * use for good. Each line on standard input is a command; the end of it ends the program.
 *
 * <ul>
 *   <li>{@code leak}: keeps more and more until the heap is full, and then stays at the edge: the
 *       collector's death spiral. Says {@code full} when 95 % of the heap are kept, or an
 *       allocation has failed.
 *   <li>{@code drop}: lets go of all but half of the heap.
 *   <li>{@code collect}: one {@code System.gc()}. Says {@code collected}.
 * </ul>
 */
public final class FillsHeap {
  private static final int BLOCK = 16 * 1024;
  private static final int BLOCKS_A_REQUEST = 64;
  private static final int MOST_KEPT_A_REQUEST = 16;
  // The leak fills a quarter of a heap of 256 MB in about half a second.
  private static final int BLOCKS_A_LEAK = 256;
  private static final long LEAK_EVERY_NANOS = 30_000_000L;
  private static final double FULL = 0.95;
  private static final double LET_GO = 0.02;

  private final long blocksOfHeap = Runtime.getRuntime().maxMemory() / BLOCK;
  private final ArrayDeque<byte[]> kept = new ArrayDeque<>();
  private final long workNanos;
  private final long pauseNanos;
  private volatile boolean leaking;
  private volatile double share;

  private FillsHeap(double share, long workMicros, long pauseMicros) {
    this.share = share;
    this.workNanos = workMicros * 1_000L;
    this.pauseNanos = pauseMicros * 1_000L;
  }

  /**
   * @param args the share of the heap that is kept, such as {@code 0.5}; how many threads serve;
   *     microseconds of work in each request beside allocating; microseconds between its requests
   */
  public static void main(String[] args) throws IOException {
    FillsHeap program =
        new FillsHeap(
            Double.parseDouble(args[0]), Long.parseLong(args[2]), Long.parseLong(args[3]));
    program.keep();
    daemon(program::leak);
    for (int i = 0; i < Integer.parseInt(args[1]); i++) {
      daemon(program::serve);
    }
    System.out.println("started");
    program.obey();
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  }

  private void obey() throws IOException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String command = commands.readLine(); command != null; command = commands.readLine()) {
      switch (command) {
        case "leak":
          leaking = true;
          break;
        case "drop":
          leaking = false;
          share = 0.5;
          break;
        case "collect":
          System.gc();
          System.out.println("collected");
          break;
        default:
          throw new IllegalArgumentException(command);
      }
    }
  }

  private void keep() {
    while (kept.size() < share * blocksOfHeap) {
      kept.add(new byte[BLOCK]);
    }
  }

  private void letGo(double down) {
    while (kept.size() > down * blocksOfHeap) {
      kept.remove();
    }
  }

  private void leak() {
    boolean said = false;
    for (; ; ) {
      try {
        if (leaking) {
          for (int i = 0; i < BLOCKS_A_LEAK; i++) {
            kept.add(new byte[BLOCK]);
          }
          if (!said && kept.size() > FULL * blocksOfHeap) {
            said = true;
            System.out.println("full");
          }
        } else {
          letGo(share);
        }
        LockSupport.parkNanos(LEAK_EVERY_NANOS);
      } catch (OutOfMemoryError e) {
        letGo((double) kept.size() / blocksOfHeap - LET_GO);
        if (!said) {
          said = true;
          System.out.println("full");
        }
      }
    }
  }

  private void serve() {
    byte[][] young = new byte[MOST_KEPT_A_REQUEST * 8][];
    for (; ; ) {
      try (Permit permit = Hodor.tryAcquire()) {
        if (permit.isAdmitted()) {
          for (int i = 0; i < BLOCKS_A_REQUEST; i++) {
            byte[] block = new byte[BLOCK];
            block[i] = 1;
            if (i < MOST_KEPT_A_REQUEST) {
              young[ThreadLocalRandom.current().nextInt(young.length)] = block;
            }
          }
          long end = System.nanoTime() + workNanos;
          while (System.nanoTime() < end) {
            Thread.onSpinWait();
          }
        }
      } catch (OutOfMemoryError e) {
        // This request has failed; the next may not.
      }
      LockSupport.parkNanos(pauseNanos);
    }
  }
}
