package shop;

import java.nio.file.Path;
import org.apache.solr.client.solrj.SolrClient;
import org.apache.solr.client.solrj.embedded.EmbeddedSolrServer;
import org.apache.solr.embedded.JettyConfig;
import org.apache.solr.embedded.JettySolrRunner;

/**
 * Solr in the Jetty that Solr starts for its own tests, as its server is not on Maven Central. It
 * knows nothing of Hodor.
 */
public final class Search {
  private static final String CORE = "shop";

  private Search() {}

  /**
   * @param args the port, and the folder for the index; both may be left out
   */
  public static void main(String[] args) throws Exception {
    Path target =
        Path.of(Search.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .getParent();
    Path data = args.length > 1 ? Path.of(args[1]).toAbsolutePath() : target.resolve("data");
    System.setProperty("solr.data.home", data.toString());
    JettySolrRunner jetty =
        new JettySolrRunner(
            target.resolve("home").toString(),
            JettyConfig.builder()
                .setContext("/solr")
                .setPort(args.length > 0 ? Integer.parseInt(args[0]) : 8983)
                .build());
    jetty.start();
    index(jetty);
    System.out.println("LISTENING " + jetty.getLocalPort());
  }

  private static void index(JettySolrRunner jetty) throws Exception {
    // Not to be closed: it would shut the node's cores down.
    SolrClient core = new EmbeddedSolrServer(jetty.getCoreContainer(), CORE);
    core.deleteByQuery("*:*");
    core.add(Goods.all());
    core.commit();
  }
}
