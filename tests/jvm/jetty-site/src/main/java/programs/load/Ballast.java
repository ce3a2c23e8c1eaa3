package programs.load;

import java.util.ArrayList;
import java.util.List;

/** Memory that lives: many small objects, since it is their number that collections cost. */
final class Ballast {
  private static final int OBJECT = 240;
  private static final int HEADER_AND_REFERENCE = 24;
  private static final int OBJECTS = 4096; // in a block, which is about a megabyte
  private static final long BLOCK = (long) OBJECTS * (OBJECT + HEADER_AND_REFERENCE);
  // Given back where the heap ends earlier, as a share of the heap.
  private static final int GIVEN_BACK_PERCENT = 3;

  private final List<byte[][]> blocks = new ArrayList<>();
  private final long before;

  Ballast() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    before = runtime.totalMemory() - runtime.freeMemory();
  }

  /** Until so much of the heap lives, or no more fits. Returns the percentage. */
  long fill(long percent) {
    long heap = Runtime.getRuntime().maxMemory();
    try {
      grow(heap / 100 * percent - before);
    } catch (OutOfMemoryError e) {
      // Some collectors keep a part of the heap for themselves.
      shrink(blocks.size() * BLOCK - heap / 100 * GIVEN_BACK_PERCENT);
    }
    return (before + blocks.size() * BLOCK) * 100 / heap;
  }

  long retain(long megabytes) {
    shrink(megabytes << 20);
    grow(megabytes << 20);
    return megabytes;
  }

  private void grow(long bytes) {
    while (blocks.size() * BLOCK < bytes) {
      byte[][] block = new byte[OBJECTS][];
      for (int i = 0; i < OBJECTS; i++) {
        block[i] = new byte[OBJECT];
      }
      blocks.add(block);
    }
  }

  private void shrink(long bytes) {
    while (!blocks.isEmpty() && (blocks.size() - 1) * BLOCK >= bytes) {
      blocks.remove(blocks.size() - 1);
    }
  }
}
