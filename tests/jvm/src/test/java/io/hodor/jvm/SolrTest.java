package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A data system whose queries may be rejected, and whose data must not suffer. */
@Tag("slow")
@Isolated
class SolrTest {
  private static final Framework SOLR = Framework.of("solr");
  private static final String QUERY = "/solr/shop/select?q=id:late&rows=0&omitHeader=true";

  @Test
  void aFollowerReplicatesFromALeaderThatRejectsQueries() throws Exception {
    try (FrameworkApp leader = FrameworkApp.start(SOLR, FrameworksTest.rejecting(SOLR));
        FrameworkApp follower = FrameworkApp.start(SOLR, fetchingFrom(leader))) {
      assertThat(follower.get(QUERY).text()).contains("\"numFound\":0,");
      FrameworksTest.awaitRejection(leader, QUERY);

      assertThat(add(leader, "{'id': 'late', 'price': 1}")).isEqualTo(200);
      HttpConnection.Response fetch =
          follower.get(
              "/solr/shop/replication?command=fetchindex&wait=true&leaderUrl=" + url(leader));
      assertThat(fetch.text()).contains("\"status\":\"OK\"");

      SheddingTest.eventually(
          () -> assertThat(follower.get(QUERY).text()).contains("\"numFound\":1,"));
    }
  }

  private static TargetJvm.Builder fetchingFrom(FrameworkApp leader) {
    return FrameworksTest.java().options("-Dsolr.allowUrls=" + url(leader));
  }

  private static String url(FrameworkApp app) {
    return "http://127.0.0.1:" + app.port() + "/solr/shop";
  }

  private static int add(FrameworkApp app, String goods) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url(app) + "/update?commit=true"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("[" + goods.replace('\'', '"') + "]"))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
  }
}
