package io.hodor.internal;

import java.nio.ByteBuffer;

/**
 * What the agent does for Java, as an object, so that tests can play the agent. Each method means
 * what the one of that name in {@link NativeBridge} means. Any of them may throw {@link
 * UnsatisfiedLinkError}: there is no agent.
 */
public interface Bridge {
  int abi();

  long acquire(boolean queued);

  boolean start(long permit);

  void release(long permit, int outcome);

  boolean passExempt();

  boolean hasLeft(Object channel);

  void probedBy(Object channel);

  void limitPort(int port, boolean may);

  ByteBuffer page();

  String layout();

  String options();

  String setOption(String key, String value);

  void resetCounters();

  int watchPool(String name);

  void unwatchPool(int id);

  long probeSubmitted(int id, boolean further);

  void probeStarted(int id, long stamp);

  void nobodyWaits(int id);

  void stalled(long nanos);

  void stallsUnreadable(String why);

  void attached(String what);

  void detached(String what);

  void failure(String what);
}
