package io.hodor.internal;

/** What attaching to servers needs of the agent. Any thread; none throws, save for linkage. */
final class NativeAttach {
  private NativeAttach() {}

  /**
   * The class files of one adapter, carried by the library.
   *
   * @param adapter such as {@code jetty-12}
   * @return repeated: u32 length of the name, the name with slashes, a zero byte, u32 length of the
   *     class file, its bytes; null if there is no such adapter
   */
  static native byte[] adapterClasses(String adapter);

  /**
   * Looks up every field and method of others that a class uses.
   *
   * @param classFile of a class that is not defined yet
   * @param loader from which its classes would be found; null: the boot loader
   * @return the first one that does not exist, in words; null: they all do
   */
  static native String missing(byte[] classFile, ClassLoader loader);

  /**
   * Sets a field of an object that Java's access checks hide.
   *
   * @param declaring the class that declares it
   * @param descriptor of its type, such as {@code Ljava/lang/Object;}
   * @return false: there is no such field
   */
  static native boolean setField(
      Object target, Class<?> declaring, String name, String descriptor, Object value);

  /** Says in the agent's log, once for each text, that a server is not watched and why. */
  static native void notAttached(String why);
}
