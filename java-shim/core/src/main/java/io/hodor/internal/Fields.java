package io.hodor.internal;

import java.lang.invoke.MethodType;

/** Fields of Jetty that no method sets. */
public final class Fields {
  private Fields() {}

  /**
   * Sets a field whatever the access checks say; false if there is no such field, or no agent.
   *
   * @param declaring the class that declares it
   * @param type its type
   */
  public static boolean set(
      Object target, Class<?> declaring, String name, Class<?> type, Object value) {
    try {
      String descriptor = MethodType.methodType(type).toMethodDescriptorString().substring(2);
      return NativeAttach.setField(target, declaring, name, descriptor, value);
    } catch (LinkageError e) {
      return false;
    }
  }
}
