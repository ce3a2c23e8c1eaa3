package io.hodor.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The page of numbers and sentences that the agent writes ten times a second. Fields are found by
 * name once and read by their place. Any thread may read; nothing here blocks the writer.
 */
public final class MetricsPage {
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
  // Sequence and length, 32 bits each, before a text's bytes.
  private static final int TEXT_HEADER = 8;
  // A text is written in about a microsecond, ten times a second at most; a reader that meets the
  // writer more often than this faces a writer that lost its CPU, and lets it run.
  private static final int SPINS_BEFORE_YIELD = 100;
  private static final int ATTEMPTS = 20_000;

  private final ByteBuffer page;
  private final Map<String, Field> fields = new HashMap<>();
  private final Map<String, List<String>> values = new HashMap<>();

  /**
   * @param page the agent's memory; its own byte order does not matter
   * @param layout what {@link Bridge#layout()} says
   * @throws IllegalStateException if the layout cannot be read or does not fit the page
   */
  public MetricsPage(ByteBuffer page, String layout) {
    this.page = page.duplicate().order(ByteOrder.nativeOrder());
    for (String line : layout.split("\n")) {
      if (!line.isBlank()) {
        parse(line.trim().split(" "), line);
      }
    }
  }

  private void parse(String[] words, String line) {
    try {
      if (words[0].equals("field")) {
        Field field = new Field(words[2], Integer.parseInt(words[3]), Integer.parseInt(words[4]));
        if (field.offset < 0 || field.capacity < 0 || field.end() > page.capacity()) {
          throw new IllegalStateException("outside the page of " + page.capacity() + " bytes");
        }
        fields.put(words[1], field);
      } else if (words[0].equals("values")) {
        values.put(words[1], List.of(words[2].split(",")));
      }
    } catch (RuntimeException e) {
      throw new IllegalStateException("The agent's layout has a line of no use: " + line, e);
    }
  }

  /**
   * Where the whole number of this name is, for {@link #longAt}.
   *
   * @throws IllegalStateException if there is none
   */
  public int longField(String name) {
    return find(name, "i64").offset;
  }

  /**
   * Where the real number of this name is, for {@link #doubleAt}.
   *
   * @throws IllegalStateException if there is none
   */
  public int doubleField(String name) {
    return find(name, "f64").offset;
  }

  /**
   * The text of this name.
   *
   * @throws IllegalStateException if there is none
   */
  public Text textField(String name) {
    Field field = find(name, "text");
    return new Text(field.offset, field.capacity);
  }

  /**
   * What the numbers of a field stand for, by ordinal.
   *
   * @throws IllegalStateException if the layout does not say
   */
  public List<String> valuesOf(String name) {
    List<String> names = values.get(name);
    if (names == null) {
      throw new IllegalStateException(
          "The agent does not say what the values of " + name + " mean; it may be another version");
    }
    return names;
  }

  public long longAt(int offset) {
    return (long) LONG.getOpaque(page, offset);
  }

  public double doubleAt(int offset) {
    return Double.longBitsToDouble(longAt(offset));
  }

  /** The text, whole: never half of one and half of the next. */
  public String textAt(Text text) {
    for (int attempt = 0; attempt < ATTEMPTS; ++attempt) {
      int before = (int) INT.getAcquire(page, text.offset);
      if ((before & 1) == 0) {
        byte[] copy = copyOf(text);
        // The bytes are plain reads: without the fence they could be done after the check.
        VarHandle.acquireFence();
        if ((int) INT.getOpaque(page, text.offset) == before) {
          return new String(copy, StandardCharsets.UTF_8);
        }
      }
      if (attempt < SPINS_BEFORE_YIELD) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
    return "";
  }

  private byte[] copyOf(Text text) {
    int length = (int) INT.getOpaque(page, text.offset + Integer.BYTES);
    byte[] copy = new byte[Math.max(0, Math.min(length, text.capacity))];
    ByteBuffer view = page.duplicate();
    view.position(text.offset + TEXT_HEADER);
    view.get(copy);
    return copy;
  }

  private Field find(String name, String type) {
    Field field = fields.get(name);
    if (field == null || !field.type.equals(type)) {
      throw new IllegalStateException(
          "The agent's page has no field "
              + name
              + " of type "
              + type
              + (field == null ? "" : " (it is " + field.type + ")")
              + "; it may be another version");
    }
    return field;
  }

  /** Where a text is and how many bytes fit. */
  public static final class Text {
    private final int offset;
    private final int capacity;

    Text(int offset, int capacity) {
      this.offset = offset;
      this.capacity = capacity;
    }
  }

  private static final class Field {
    private final String type;
    private final int offset;
    private final int capacity;

    Field(String type, int offset, int capacity) {
      this.type = type;
      this.offset = offset;
      this.capacity = capacity;
    }

    long end() {
      return (long) offset + (type.equals("text") ? (long) TEXT_HEADER + capacity : Long.BYTES);
    }
  }
}
