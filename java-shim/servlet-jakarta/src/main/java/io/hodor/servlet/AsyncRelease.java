package io.hodor.servlet;

import io.hodor.Permit;
import io.hodor.internal.Shim;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.util.function.Consumer;

/** Releases a permit when an asynchronous request is over. */
public final class AsyncRelease implements AsyncListener {
  private final Permit permit;

  private AsyncRelease(Permit permit) {
    this.permit = permit;
  }

  /**
   * Releases a permit when its asynchronous request is over.
   *
   * @param shim told of a failure
   * @param register hands a listener to the request
   * @return false: nobody will say when it ends, most likely as it has already
   */
  public static boolean whenOver(Permit permit, Shim shim, Consumer<AsyncListener> register) {
    try {
      register.accept(new AsyncRelease(permit));
      return true;
    } catch (IllegalStateException e) {
      return false;
    } catch (Throwable t) {
      shim.failed("listening for the end of a request", t);
      return false;
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    permit.close();
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    permit.fail();
  }

  @Override
  public void onError(AsyncEvent event) {
    permit.fail();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // A second round: listeners do not come along by themselves.
    event.getAsyncContext().addListener(this);
  }
}
