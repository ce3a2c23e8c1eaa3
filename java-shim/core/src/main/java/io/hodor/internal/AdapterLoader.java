package io.hodor.internal;

import java.util.Map;

/**
 * Defines an adapter's classes where they see both sides: Jetty's classes, from the loader that has
 * them, and this copy of the shim. Nothing of ours becomes visible to the application.
 */
final class AdapterLoader extends ClassLoader {
  private static final String OURS = "io.hodor.";

  private final Map<String, byte[]> classFiles;
  private ServerAdapter adapter;

  /**
   * @param jetty null: the boot loader
   * @param classFiles by name, with dots
   */
  AdapterLoader(ClassLoader jetty, Map<String, byte[]> classFiles) {
    super("hodor", jetty);
    this.classFiles = classFiles;
  }

  /**
   * The adapter, made at the first call. It lives as long as this loader, and so as any gate whose
   * class it defined.
   */
  synchronized ServerAdapter adapter(String className) throws ReflectiveOperationException {
    if (adapter == null) {
      adapter = (ServerAdapter) loadClass(className).getDeclaredConstructor().newInstance();
    }
    return adapter;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    // The application may have a copy of the shim, too; it is not ours.
    byte[] classFile = classFiles.get(name);
    if (classFile == null) {
      return Class.forName(name, false, Shim.class.getClassLoader());
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : defineClass(name, classFile, 0, classFile.length);
    }
  }
}
