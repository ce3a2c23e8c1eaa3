import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Build step: packs the class files below a folder into one file for libhodor.so.
 *
 * <p>Format, repeated: u32 length of the name, the name with slashes, a zero byte, u32 length of the
 * class file, its bytes. Numbers are big-endian. A class comes after its superclass and interfaces,
 * so that each can be defined when it is read.
 */
final class PackClasses {
  public static void main(String[] args) throws Exception {
    Path root = Path.of(args[0]);
    List<Path> files;
    try (Stream<Path> walk = Files.walk(root)) {
      files =
          walk.filter(path -> path.toString().endsWith(".class"))
              .filter(path -> !path.endsWith("module-info.class"))
              .sorted()
              .collect(Collectors.toList());
    }
    try (URLClassLoader loader =
            new URLClassLoader(
                new URL[] {root.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
        DataOutputStream out =
            new DataOutputStream(Files.newOutputStream(Path.of(args[1])))) {
      Set<Class<?>> ordered = new LinkedHashSet<>();
      for (Path file : files) {
        String name = root.relativize(file).toString().replace('/', '.');
        addAfterParents(
            Class.forName(name.substring(0, name.length() - ".class".length()), false, loader),
            loader,
            ordered);
      }
      for (Class<?> type : ordered) {
        write(root, type, out);
      }
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

  private static void write(Path root, Class<?> type, DataOutputStream out) throws IOException {
    byte[] name = type.getName().replace('.', '/').getBytes(StandardCharsets.UTF_8);
    byte[] bytes =
        Files.readAllBytes(root.resolve(type.getName().replace('.', '/') + ".class"));
    out.writeInt(name.length);
    out.write(name);
    out.writeByte(0);
    out.writeInt(bytes.length);
    out.write(bytes);
  }
}
