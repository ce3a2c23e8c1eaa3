package programs;

import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Starts a server of each Jetty release that it is given, each in a class loader of its own that
 * shares nothing with the others, and serves a file. By reflection, as the releases differ.
 */
public final class AnyJetty {
  private static final String HANDLERS = "org.eclipse.jetty.server.handler.";

  private AnyJetty() {}

  /**
   * Prints {@code LISTENING <port>} for each server once all of them have started. A line {@code
   * restart} on standard input restarts them, {@code another} starts one more of the first release;
   * the end of the input stops them.
   *
   * @param args the folder that is served, and one with jars for each release
   */
  public static void main(String[] args) throws Exception {
    List<Object> servers = new ArrayList<>();
    List<URLClassLoader> loaders = new ArrayList<>();
    for (int i = 1; i < args.length; ++i) {
      loaders.add(loaderOf(Path.of(args[i])));
      servers.add(start(loaders.get(i - 1), args[0]));
    }
    for (Object server : servers) {
      System.out.println("LISTENING " + portOf(server));
    }
    StringBuilder line = new StringBuilder();
    for (int c = System.in.read(); c >= 0; c = System.in.read()) {
      if (c != '\n') {
        line.append((char) c);
        continue;
      }
      if (line.toString().equals("restart")) {
        for (Object server : servers) {
          call(server, "stop");
          call(server, "start");
          System.out.println("RESTARTED " + portOf(server));
        }
      } else if (line.toString().equals("another")) {
        servers.add(start(loaders.get(0), args[0]));
        System.out.println("ANOTHER " + portOf(servers.get(servers.size() - 1)));
      }
      line.setLength(0);
    }
    for (Object server : servers) {
      call(server, "stop");
    }
    System.out.println("stopped");
    System.exit(0);
  }

  private static URLClassLoader loaderOf(Path folder) throws Exception {
    try (Stream<Path> jars = Files.list(folder)) {
      List<URL> urls = new ArrayList<>();
      for (Path jar : jars.sorted().collect(Collectors.toList())) {
        urls.add(jar.toUri().toURL());
      }
      return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }
  }

  private static Object start(ClassLoader loader, String folder) throws Exception {
    Thread.currentThread().setContextClassLoader(loader);
    Class<?> serverClass = loader.loadClass("org.eclipse.jetty.server.Server");
    Object server = serverClass.getConstructor(int.class).newInstance(0);
    Object files = loader.loadClass(HANDLERS + "ResourceHandler").getConstructor().newInstance();
    try {
      files.getClass().getMethod("setBaseResourceAsString", String.class).invoke(files, folder);
    } catch (NoSuchMethodException e) {
      files.getClass().getMethod("setResourceBase", String.class).invoke(files, folder);
    }
    serverClass
        .getMethod("setHandler", loader.loadClass("org.eclipse.jetty.server.Handler"))
        .invoke(server, files);
    call(server, "start");
    return server;
  }

  private static int portOf(Object server) throws Exception {
    return ((URI) call(server, "getURI")).getPort();
  }

  private static Object call(Object target, String method) throws Exception {
    return target.getClass().getMethod(method).invoke(target);
  }
}
