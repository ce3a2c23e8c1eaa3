package io.hodor.internal;

import java.lang.reflect.Method;

/** The generations of Jetty that differ in what a root handler looks like, told by its classes. */
enum JettyGeneration {
  /** 9.4 and 10: handlers on javax.servlet. */
  JETTY_9("jetty-9", "io.hodor.jetty9.Jetty9Servers"),
  /** 11: the same on jakarta.servlet. */
  JETTY_11("jetty-11", "io.hodor.jetty9.Jetty9Servers"),
  /** 12.0 and 12.1: handlers that know no servlets. */
  JETTY_12("jetty-12", "io.hodor.jetty.Jetty12Servers");

  /** The name of its adapter in the library. */
  final String adapter;

  /** The adapter's {@link ServerAdapter}. */
  final String entry;

  JettyGeneration(String adapter, String entry) {
    this.adapter = adapter;
    this.entry = entry;
  }

  /** Throws if the classes look like no generation that is known. */
  static JettyGeneration of(ClassLoader jetty) throws ReflectiveOperationException {
    if (find("org.eclipse.jetty.server.Handler$Wrapper", jetty) != null) {
      return JETTY_12;
    }
    Class<?> wrapper = find("org.eclipse.jetty.server.handler.HandlerWrapper", jetty);
    if (wrapper == null) {
      throw new ClassNotFoundException("org.eclipse.jetty.server.handler.HandlerWrapper");
    }
    for (Method method : wrapper.getMethods()) {
      Class<?>[] parameters = method.getParameterTypes();
      if (method.getName().equals("handle") && parameters.length == 4) {
        return parameters[2].getName().startsWith("jakarta.") ? JETTY_11 : JETTY_9;
      }
    }
    throw new NoSuchMethodException(wrapper.getName() + ".handle");
  }

  private static Class<?> find(String name, ClassLoader loader) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }
}
