package programs;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Uses up all file descriptors for a while, with threads that come and go meanwhile. */
public final class OutOfDescriptors {
  private static final long WHILE_NANOS = 4_000_000_000L;
  private static final long THREAD_NANOS = 50_000_000L;

  private OutOfDescriptors() {}

  public static void main(String[] args) throws Exception {
    Thread last = busyFor(THREAD_NANOS);
    last.join();
    List<Closeable> open = new ArrayList<>();
    try {
      for (; ; ) {
        open.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException e) {
      // That was the last one.
    }
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < WHILE_NANOS) {
      busyFor(THREAD_NANOS).join();
    }
    for (Closeable file : open) {
      file.close();
    }
    System.out.println("started");
    while (System.in.read() >= 0) {
      // Goes on until the input ends.
    }
    System.out.println("ends");
  }

  private static Thread busyFor(long nanos) {
    Thread thread =
        new Thread(
            () -> {
              long begin = System.nanoTime();
              while (System.nanoTime() - begin < nanos) {
                Thread.onSpinWait();
              }
              LockSupport.parkNanos(1);
            });
    thread.start();
    return thread;
  }
}
