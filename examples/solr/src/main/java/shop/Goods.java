package shop;

import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.solr.common.SolrInputDocument;

/** What the shop has, the same each time. */
final class Goods {
  private static final int COUNT = 20_000;
  private static final List<String> MATERIALS = List.of("oak", "steel", "wool", "glass", "clay");
  private static final List<String> THINGS = List.of("chair", "lamp", "bowl", "shelf", "rug");

  private Goods() {}

  static Iterator<SolrInputDocument> all() {
    Random random = new Random(42);
    return IntStream.range(0, COUNT).mapToObj(number -> one(number, random)).iterator();
  }

  private static SolrInputDocument one(int number, Random random) {
    SolrInputDocument goods = new SolrInputDocument();
    goods.addField("id", Integer.toString(number));
    goods.addField("text", anyOf(MATERIALS, random) + " " + anyOf(THINGS, random));
    goods.addField("price", 1 + random.nextInt(1000));
    goods.addField("weight", 1 + random.nextInt(100));
    return goods;
  }

  private static String anyOf(List<String> words, Random random) {
    return words.get(random.nextInt(words.size()));
  }
}
