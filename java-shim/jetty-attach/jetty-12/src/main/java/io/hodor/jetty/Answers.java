package io.hodor.jetty;

import io.hodor.internal.Rejection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers without a body, whose headers are made once. Any thread; nothing blocks. */
final class Answers {
  // Rejections are shared objects: one for each cause and wait. More come only when settings
  // change.
  private static final int MOST_FIELDS = 64;
  private static final HttpFields UNAVAILABLE =
      HttpFields.build()
          .put(HttpHeader.RETRY_AFTER, 1)
          .put(HttpHeader.CONTENT_LENGTH, 0)
          .asImmutable();

  private final Map<Rejection, HttpFields> fields = new ConcurrentHashMap<>();

  void reject(Rejection rejection, Response response, Callback callback) {
    write(rejection.status(), fieldsOf(rejection), response, callback);
  }

  /** The server cannot take the request; Hodor had nothing against it. */
  void unavailable(Response response, Callback callback) {
    write(HttpStatus.SERVICE_UNAVAILABLE_503, UNAVAILABLE, response, callback);
  }

  private HttpFields fieldsOf(Rejection rejection) {
    HttpFields made = fields.get(rejection);
    if (made == null) {
      HttpFields.Mutable headers =
          HttpFields.build()
              .put(HttpHeader.RETRY_AFTER, rejection.retryAfter())
              .put("X-Hodor-Reason", rejection.reason())
              .put(HttpHeader.CONTENT_LENGTH, 0);
      if (rejection.closesConnection()) {
        // HTTP/2 leaves it out.
        headers.put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString());
      }
      made = headers.asImmutable();
      if (fields.size() >= MOST_FIELDS) {
        fields.clear();
      }
      fields.put(rejection, made);
    }
    return made;
  }

  private static void write(int status, HttpFields headers, Response response, Callback callback) {
    response.setStatus(status);
    response.getHeaders().add(headers);
    response.write(true, null, callback);
  }
}
