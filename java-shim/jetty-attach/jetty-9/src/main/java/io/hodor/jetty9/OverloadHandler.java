package io.hodor.jetty9;

import io.hodor.Permit;
import io.hodor.attach.ExemptConnectors;
import io.hodor.attach.Rehearsal;
import io.hodor.internal.Attachment;
import io.hodor.internal.Rejection;
import io.hodor.internal.Shim;
import io.hodor.servlet.AsyncRelease;
import io.hodor.servlet.ServletAnswers;
import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.HttpChannelState;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.eclipse.jetty.server.handler.HandlerWrapper;

/**
 * The root handler for Jetty 9.4 to 11, which call handlers on threads of the pool only: it decides
 * behind the pool's queue.
 */
final class OverloadHandler extends HandlerWrapper {
  private final Shim shim;
  private final ExemptConnectors exemptConnectors;
  private final Runnable optionListener = this::followOptions;
  private boolean rehearsed;
  private Attachment attachment;

  OverloadHandler() {
    this(Shim.get(), false);
  }

  /**
   * @param rehearsed whether rejections need no rehearsal before they are enforced
   */
  private OverloadHandler(Shim shim, boolean rehearsed) {
    this.shim = shim;
    this.exemptConnectors = new ExemptConnectors(shim);
    this.rehearsed = rehearsed;
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    attachment =
        Attachment.begin(shim, "Jetty " + Server.getVersion(), getServer().getThreadPool());
    shim.addOptionListener(optionListener);
    followOptions();
  }

  /** Gets ready for rejections when they become possible. */
  private synchronized void followOptions() {
    exemptConnectors.lookUp(getServer());
    if (shim.enforces() && !rehearsed) {
      rehearsed = true;
      Rehearsal.begin(shim, rehearsing());
    }
  }

  /** A gate that rehearses, before an application that answers at once. */
  private static OverloadHandler rehearsing() {
    OverloadHandler gate = new OverloadHandler(Shim.rehearsing(), true);
    gate.setHandler(
        new AbstractHandler() {
          @Override
          public void handle(
              String target,
              Request base,
              HttpServletRequest request,
              HttpServletResponse response) {
            base.setHandled(true);
          }
        });
    return gate;
  }

  @Override
  protected void doStop() throws Exception {
    shim.removeOptionListener(optionListener);
    exemptConnectors.forget(getServer());
    Attachment last = attachment;
    attachment = null;
    if (last != null) {
      last.end();
    }
    super.doStop();
  }

  @Override
  public void handle(
      String target, Request base, HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    // Asynchronous requests come again, and so do errors.
    if (!base.getHttpChannelState().isInitial()
        || request.getAttribute(Shim.PERMIT_ATTRIBUTE) != null) {
      super.handle(target, base, request, response);
      return;
    }
    Permit permit = isExempt(target, base) ? Shim.EXEMPT : shim.acquire();
    if (shim.isOverloaded()) {
      permit = shim.dropIfAbandoned(permit, channelOf(base));
    }
    if (permit.isAdmitted()) {
      serve(permit, target, base, request, response);
    } else {
      ServletAnswers.reject((Rejection) permit, response);
      base.setHandled(true);
    }
  }

  /** Null: it has none, or none that can be found. */
  private static Object channelOf(Request request) {
    try {
      return request.getHttpChannel().getEndPoint().getTransport();
    } catch (RuntimeException | LinkageError e) {
      return null;
    }
  }

  private boolean isExempt(String target, Request base) {
    if (shim.isExempt(target)) {
      shim.probedBy(channelOf(base));
      return true;
    }
    return exemptConnectors.any() && exemptConnectors.has(base.getHttpChannel().getConnector());
  }

  private void serve(
      Permit permit,
      String target,
      Request base,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException, ServletException {
    boolean returned = false;
    try {
      request.setAttribute(Shim.PERMIT_ATTRIBUTE, permit);
      super.handle(target, base, request, response);
      returned = true;
    } finally {
      // Whatever was thrown, Errors too.
      HttpChannelState state = base.getHttpChannelState();
      if (!state.isSuspended() || !AsyncRelease.whenOver(permit, shim, state::addListener)) {
        if (returned) {
          permit.close();
        } else {
          permit.fail();
        }
      }
    }
  }
}
