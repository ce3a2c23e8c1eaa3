package io.hodor.jvm;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A real control group for CPUs, of either version. Gone with {@link #close()}. */
final class ControlGroup implements AutoCloseable {
  private static final Path ROOT = Path.of("/sys/fs/cgroup");

  private final Path folder;
  private final boolean unified;

  private ControlGroup(Path folder, boolean unified) {
    this.folder = folder;
    this.unified = unified;
  }

  /** Skips the test where none can be made. */
  static ControlGroup make() {
    boolean unified = !Files.isDirectory(ROOT.resolve("cpu"));
    Path folder =
        (unified ? ROOT : ROOT.resolve("cpu"))
            .resolve("hodor-test-" + ProcessHandle.current().pid());
    String why = "";
    try {
      Files.createDirectory(folder);
    } catch (IOException e) {
      why = e.toString();
    }
    ControlGroup group = new ControlGroup(folder, unified);
    if (why.isEmpty() && !Files.exists(group.file("cpu.max", "cpu.cfs_quota_us"))) {
      group.close();
      why = "the cpu controller is not switched on";
    }
    assumeTrue(why.isEmpty(), "no control group can be made: " + why);
    return group;
  }

  /** In percent of one CPU. */
  ControlGroup quota(int percent) {
    String micros = Integer.toString(percent * 1000);
    write(file("cpu.max", "cpu.cfs_quota_us"), unified ? micros + " 100000" : micros);
    return this;
  }

  /** Whatever else runs on this machine, it hardly gets a CPU that this group wants. */
  ControlGroup beforeAllOthers() {
    write(file("cpu.weight", "cpu.shares"), unified ? "10000" : "262144");
    return this;
  }

  void add(TargetJvm jvm) {
    write(folder.resolve("cgroup.procs"), Long.toString(jvm.pid()));
  }

  @Override
  public void close() {
    // The kernel lets go of the dead a little later.
    for (int i = 0; i < 500; i++) {
      try {
        Files.deleteIfExists(folder);
        return;
      } catch (IOException e) {
        try {
          TimeUnit.MILLISECONDS.sleep(10);
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  private Path file(String v2, String v1) {
    return folder.resolve(unified ? v2 : v1);
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
