package io.hodor.servlet;

import io.hodor.Permit;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Releases a permit when an asynchronous request is over. */
public final class AsyncRelease implements AsyncListener {
  private final Permit permit;

  public AsyncRelease(Permit permit) {
    this.permit = permit;
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
