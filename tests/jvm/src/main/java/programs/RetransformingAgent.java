package programs;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.concurrent.CountDownLatch;

/**
 * An agent of somebody else, which transforms Jetty's Server when it is loaded, and once more when
 * it is. Prints {@code RETRANSFORMED} then.
 */
public final class RetransformingAgent implements ClassFileTransformer {
  private static final String SERVER = "org.eclipse.jetty.server.Server";

  private final CountDownLatch loading = new CountDownLatch(1);

  private RetransformingAgent() {}

  public static void premain(String options, Instrumentation instrumentation) {
    RetransformingAgent agent = new RetransformingAgent();
    instrumentation.addTransformer(agent, true);
    Thread thread = new Thread(() -> agent.retransform(instrumentation), "retransformer");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
    if (!SERVER.equals(name == null ? null : name.replace('/', '.'))) {
      return null;
    }
    loading.countDown();
    return bytes.clone(); // another array is another class to the JVM
  }

  private void retransform(Instrumentation instrumentation) {
    try {
      loading.await();
      for (Class<?> server = null; server == null; Thread.sleep(1)) {
        server = find(instrumentation);
        if (server != null) {
          instrumentation.retransformClasses(server);
        }
      }
      System.out.println("RETRANSFORMED");
    } catch (InterruptedException | UnmodifiableClassException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Class<?> find(Instrumentation instrumentation) {
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (type.getName().equals(SERVER)) {
        return type;
      }
    }
    return null;
  }
}
