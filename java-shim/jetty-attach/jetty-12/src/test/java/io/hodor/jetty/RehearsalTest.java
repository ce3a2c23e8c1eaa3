package io.hodor.jetty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hodor.attach.Rehearsal;
import io.hodor.internal.FakeBridge;
import io.hodor.internal.Shim;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/** When the rehearsal of rejections makes room for the requests. */
class RehearsalTest {
  private static final int BEFORE = 1000;

  private final FakeBridge agent = new FakeBridge();
  private final Shim shim = agent.shim();
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void endsWhenAnOverloadBegins() {
    Rehearsal.begin(shim, new Stopping());
    await().until(() -> asked.get() >= BEFORE);
    await().until(() -> !isGoingOn());
    assertThat(asked).as("of 16,000").hasValueLessThan(2 * BEFORE);
    assertThat(agent.failures).isEmpty();
  }

  @Test
  void doesNotBeginInAnOverload() {
    agent.changeOverload(shim, true);
    Rehearsal.begin(shim, new Stopping());
    await().until(() -> !isGoingOn());
    assertThat(asked).hasValue(0);
    assertThat(agent.failures).isEmpty();
  }

  private static boolean isGoingOn() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("hodor-rehearsal"));
  }

  /** Answers at once, and after some requests an overload begins. */
  private final class Stopping extends Handler.Abstract.NonBlocking {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      if (asked.incrementAndGet() == BEFORE) {
        agent.changeOverload(shim, true);
      }
      response.write(true, null, callback);
      return true;
    }
  }
}
