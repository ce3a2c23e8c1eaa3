package io.hodor.jetty;

import java.util.List;
import org.eclipse.jetty.server.Handler;

/**
 * An {@link OverloadHandler} before a collection of handlers that stands for it: applications look
 * for their collection where they have put it, in the server, and cast what they find (Apache CXF).
 */
final class CollectionHandler extends OverloadHandler implements Handler.Collection {
  private final Handler.Collection application;

  CollectionHandler(Handler.Collection application) {
    super(application);
    this.application = application;
  }

  @Override
  public void addHandler(Handler handler) {
    // Who adds all of a collection to what is not that collection means another than this one.
    if (!getDescendants().contains(handler)) {
      application.addHandler(handler);
    }
  }

  @Override
  public boolean removeHandler(Handler handler) {
    return application.removeHandler(handler);
  }

  @Override
  public void setHandlers(List<Handler> handlers) {
    application.setHandlers(handlers);
  }
}
