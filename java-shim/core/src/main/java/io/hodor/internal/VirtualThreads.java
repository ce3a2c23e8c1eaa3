package io.hodor.internal;

import java.lang.reflect.Method;

/** What this needs to know of virtual threads, on a JVM that may have none. Any thread. */
final class VirtualThreads {
  // Java 21 and later; null: there are none.
  private static final Method IS_VIRTUAL = find();

  private VirtualThreads() {}

  /** Whether the calling thread is one. */
  static boolean isCurrent() {
    try {
      return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invoke(Thread.currentThread());
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  private static Method find() {
    try {
      return Thread.class.getMethod("isVirtual");
    } catch (NoSuchMethodException e) {
      return null;
    }
  }
}
