package programs;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * Runs {@link Visitors} with one copy of the Java side, or with two that know nothing of each other
 * and of the agent's own, as two applications in a server whose loaders look at home first.
 */
public final class Copies {
  private Copies() {}

  /**
   * @param args the jar of the Java side, and {@code one} or {@code two}
   */
  public static void main(String[] args) throws Exception {
    if (args[1].equals("two")) {
      for (int i = 0; i < 2; i++) {
        ClassLoader home = new AtHomeFirst(Path.of(args[0]).toUri().toURL());
        start((Runnable) home.loadClass("programs.Visitors").getConstructor().newInstance());
      }
    } else {
      start(new Visitors());
    }
    System.out.println("started");
    while (System.in.read() >= 0) {
      // Goes on until the input ends.
    }
    System.out.println("ends");
    System.exit(0);
  }

  private static void start(Runnable visitors) {
    Thread thread = new Thread(visitors);
    thread.setDaemon(true);
    thread.start();
  }

  private static final class AtHomeFirst extends URLClassLoader {
    AtHomeFirst(URL jar) {
      super(new URL[] {jar}, ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> found = findLoadedClass(name);
        if (found == null && name.startsWith("io.hodor.")) {
          found = findClass(name);
        } else if (found == null && name.startsWith("programs.")) {
          found = own(name);
        }
        return found == null ? super.loadClass(name, resolve) : found;
      }
    }

    private Class<?> own(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = ClassLoader.getSystemResourceAsStream(file)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
