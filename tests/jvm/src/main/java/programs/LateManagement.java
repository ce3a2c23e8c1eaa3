package programs;

import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.LogManager;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

/** Uses the platform's MBean server only some time after its start, and says what it found then. */
public final class LateManagement {
  private static final long BEFORE_NANOS = 2_000_000_000L;

  private LateManagement() {}

  public static void main(String[] args) throws Exception {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < BEFORE_NANOS) {
      LockSupport.parkNanos(BEFORE_NANOS);
    }
    System.out.println("servers before: " + MBeanServerFactory.findMBeanServer(null).size());
    System.out.println("log manager: " + LogManager.getLogManager().getClass().getName());
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName hodor = new ObjectName("io.hodor:type=Hodor");
    while (!server.isRegistered(hodor)) {
      LockSupport.parkNanos(10_000_000L);
    }
    System.out.println("registered, mode " + server.getAttribute(hodor, "Mode"));
  }
}
