import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Build step: packs the class files below some folders into one file for libhodor.so.
 *
 * <p>Usage: {@code PackClasses <output> <folder>…}
 *
 * <p>Format, repeated: u32 length of the name, the name with slashes, a zero byte, u32 length of the
 * class file, its bytes. Numbers are big-endian. Where the folders need nothing but the JDK, a class
 * comes after its superclass and interfaces, so that each can be defined when it is read; otherwise
 * they are sorted by name.
 */
final class PackClasses {
  public static void main(String[] args) throws Exception {
    Map<String, Path> files = new TreeMap<>();
    List<URL> folders = new ArrayList<>();
    for (String folder : Arrays.asList(args).subList(1, args.length)) {
      Path root = Path.of(folder);
      folders.add(root.toUri().toURL());
      try (Stream<Path> walk = Files.walk(root)) {
        walk.filter(path -> path.toString().endsWith(".class"))
            .filter(path -> !path.endsWith("module-info.class"))
            .forEach(path -> files.put(nameOf(root.relativize(path)), path));
      }
    }
    try (DataOutputStream out =
        new DataOutputStream(Files.newOutputStream(Path.of(args[0])))) {
      for (String name : ordered(files.keySet(), folders)) {
        write(name, files.get(name), out);
      }
    }
  }

  private static String nameOf(Path file) {
    String path = file.toString().replace('\\', '/');
    return path.substring(0, path.length() - ".class".length()).replace('/', '.');
  }

  private static Collection<String> ordered(Set<String> names, List<URL> folders)
      throws Exception {
    try (URLClassLoader loader =
        new URLClassLoader(folders.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
      Set<Class<?>> ordered = new LinkedHashSet<>();
      for (String name : names) {
        addAfterParents(Class.forName(name, false, loader), loader, ordered);
      }
      return ordered.stream().map(Class::getName).collect(Collectors.toList());
    } catch (NoClassDefFoundError e) {
      return names; // they need a library, and their loader defines them as they are asked for
    }
  }

  private static void addAfterParents(Class<?> type, ClassLoader loader, Set<Class<?>> ordered) {
    if (type == null || type.getClassLoader() != loader || ordered.contains(type)) {
      return;
    }
    addAfterParents(type.getSuperclass(), loader, ordered);
    for (Class<?> parent : type.getInterfaces()) {
      addAfterParents(parent, loader, ordered);
    }
    ordered.add(type);
  }

  private static void write(String type, Path file, DataOutputStream out) throws IOException {
    byte[] name = type.replace('.', '/').getBytes(StandardCharsets.UTF_8);
    byte[] bytes = Files.readAllBytes(file);
    out.writeInt(name.length);
    out.write(name);
    out.writeByte(0);
    out.writeInt(bytes.length);
    out.write(bytes);
  }
}
