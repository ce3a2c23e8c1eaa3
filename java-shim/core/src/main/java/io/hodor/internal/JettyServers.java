package io.hodor.internal;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Puts the right gate in front of every Jetty server of this JVM, whichever class loader its
 * classes come from. Any thread; no method throws, and a server that cannot be attached to runs as
 * it is.
 */
final class JettyServers {
  private static final String SERVER = "org.eclipse.jetty.server.Server";

  /** Where it lacks something it gives up by itself; to look would load much of Jetty. */
  private static final String REHEARSAL = "io.hodor.attach.Rehearsal";

  private static final long START_POLL_MILLIS = 50;

  // Weak on both sides: the gates in use keep their loader, and nothing else should.
  private final Map<ClassLoader, WeakReference<AdapterLoader>> loaders = new WeakHashMap<>();

  /** A server that starts. */
  void attach(Object server) {
    attempt(
        server,
        adapter -> {
          adapter.attach(server);
          return true;
        });
  }

  /** A server that was there before us. While it is just starting, it is watched for its end. */
  void attachLate(Object server) {
    if (attempt(server, adapter -> adapter.attachLate(server))) {
      return;
    }
    WeakReference<Object> starting = new WeakReference<>(server);
    Thread thread = new Thread(() -> attachOnceStarted(starting), "hodor-late");
    thread.setDaemon(true);
    thread.start();
  }

  private void attachOnceStarted(WeakReference<Object> starting) {
    boolean done = false;
    while (!done) {
      try {
        Thread.sleep(START_POLL_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
      Object server = starting.get();
      done = server == null || attempt(server, adapter -> adapter.attachLate(server));
    }
  }

  /** False if the step says so. */
  private synchronized boolean attempt(Object server, Step step) {
    Class<?> type = server.getClass();
    while (type != null && !type.getName().equals(SERVER)) {
      type = type.getSuperclass();
    }
    if (type == null) {
      return true;
    }
    try {
      ClassLoader jetty = type.getClassLoader();
      JettyGeneration generation = JettyGeneration.of(jetty);
      return step.with(loaderFor(generation, jetty).adapter(generation.entry));
    } catch (Refusal e) {
      NativeAttach.notAttached("Jetty " + versionOf(type) + ": " + e.getMessage());
    } catch (Throwable t) {
      NativeAttach.notAttached("Jetty " + versionOf(type) + ": " + t);
    }
    return true;
  }

  private AdapterLoader loaderFor(JettyGeneration generation, ClassLoader jetty)
      throws IOException, Refusal {
    WeakReference<AdapterLoader> known = loaders.get(jetty);
    AdapterLoader loader = known == null ? null : known.get();
    if (loader == null) {
      loader = new AdapterLoader(jetty, classFilesOf(generation, jetty));
      loaders.put(jetty, new WeakReference<>(loader));
    }
    return loader;
  }

  private static Map<String, byte[]> classFilesOf(JettyGeneration generation, ClassLoader jetty)
      throws IOException, Refusal {
    byte[] packed = NativeAttach.adapterClasses(generation.adapter);
    if (packed == null) {
      throw new Refusal("this libhodor.so has no adapter " + generation.adapter);
    }
    Map<String, byte[]> classFiles = unpack(packed);
    // What a release lacks would show as an error in each request; now it costs nobody anything.
    for (Map.Entry<String, byte[]> classFile : classFiles.entrySet()) {
      if (classFile.getKey().startsWith(REHEARSAL)) {
        continue;
      }
      String missing = NativeAttach.missing(classFile.getValue(), jetty);
      if (missing != null) {
        throw new Refusal("it has no " + missing);
      }
    }
    return classFiles;
  }

  private static Map<String, byte[]> unpack(byte[] packed) throws IOException {
    Map<String, byte[]> classFiles = new HashMap<>();
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(packed));
    while (in.available() > 0) {
      byte[] name = new byte[in.readInt()];
      in.readFully(name);
      in.readByte();
      byte[] classFile = new byte[in.readInt()];
      in.readFully(classFile);
      classFiles.put(new String(name, StandardCharsets.UTF_8).replace('/', '.'), classFile);
    }
    return classFiles;
  }

  private static String versionOf(Class<?> serverType) {
    try {
      return String.valueOf(serverType.getMethod("getVersion").invoke(null));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return "of unknown version";
    }
  }

  /** What is done with the adapter of a server. */
  private interface Step {
    boolean with(ServerAdapter adapter) throws Exception;
  }

  /** Why a server is not attached to, in words for the log. */
  private static final class Refusal extends Exception {
    Refusal(String why) {
      super(why);
    }
  }
}
