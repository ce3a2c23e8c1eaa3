package shop;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A fixed amount of work for the CPU, about two milliseconds with SHA instructions, more without. */
final class Work {
  private static final int ROUNDS = 24_000;

  private Work() {}

  static String once() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] bytes = new byte[32];
      for (int i = 0; i < ROUNDS; ++i) {
        bytes = digest.digest(bytes);
      }
      return HexFormat.of().formatHex(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
