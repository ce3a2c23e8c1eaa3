package programs;

import io.hodor.Hodor;
import io.hodor.Permit;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Serves requests that allocate, some of it kept for a while, out of a heap of which a share is in
 * use for good. Each of these letters on standard input is a command, so that reading one needs no
 * memory; the end of it ends the program.
 *
 * <ul>
 *   <li>{@link #LEAK}: keeps more and more until the heap is full, and then stays at the edge: the
 *       collector's death spiral. Says {@code full} when 95 % of the heap are kept, or an
 *       allocation has failed.
 *   <li>{@link #DROP}: lets go of all but the share that was kept at first. Says {@code dropped}.
 *   <li>{@link #COLLECT}: one {@code System.gc()}. Says {@code collected}.
 * </ul>
 */
public final class FillsHeap {
  public static final char LEAK = 'l';
  public static final char DROP = 'd';
  public static final char COLLECT = 'c';

  private static final int BLOCK = 16 * 1024;
  private static final int BLOCKS_A_REQUEST = 64;
  private static final int MOST_KEPT_A_REQUEST = 16;
  // The leak fills a quarter of a heap of 256 MB in about half a second.
  private static final int BLOCKS_A_LEAK = 256;
  private static final long LEAK_EVERY_NANOS = 30_000_000L;
  private static final double FULL = 0.95;
  private static final double LET_GO = 0.02;

  private final long blocksOfHeap = Runtime.getRuntime().maxMemory() / BLOCK;
  private final ArrayDeque<byte[]> kept = new ArrayDeque<>((int) blocksOfHeap);
  private final long workNanos;
  private final long pauseNanos;
  private final double share;
  private volatile boolean leaking;

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
    for (int command = System.in.read(); command >= 0; command = System.in.read()) {
      switch (command) {
        case LEAK:
          leaking = true;
          break;
        case DROP:
          leaking = false;
          break;
        case COLLECT:
          System.gc();
          System.out.println("collected");
          break;
        default:
          throw new IllegalArgumentException("no command: " + (char) command);
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
    // What is still to be said; saying it may fail as any allocation may.
    boolean full = false;
    boolean saidFull = false;
    boolean leaked = false;
    for (; ; ) {
      try {
        if (leaking) {
          leaked = true;
          for (int i = 0; i < BLOCKS_A_LEAK; i++) {
            kept.add(new byte[BLOCK]);
          }
        } else if (leaked) {
          letGo(share);
          System.out.println("dropped");
          leaked = false;
        }
        if (!saidFull && (full || kept.size() > FULL * blocksOfHeap)) {
          System.out.println("full");
          saidFull = true;
        }
        LockSupport.parkNanos(LEAK_EVERY_NANOS);
      } catch (OutOfMemoryError e) {
        full = true;
        letGo((double) kept.size() / blocksOfHeap - LET_GO);
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
