package io.hodor.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key of a server called {@code localhost}, signed by itself. */
record KeyStoreFile(Path path) {
  private static final String PASSWORD = "password";
  private static final String ALIAS = "site";

  /** Makes it, unless it is there. */
  static KeyStoreFile in(Path folder) {
    Path file = folder.resolve("keys.p12");
    if (Files.exists(file)) {
      return new KeyStoreFile(file);
    }
    try (TargetJvm keytool =
        TargetJvm.with(JavaRuntime.own())
            .tool(
                "keytool",
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString())) {
      assertThat(keytool.awaitExit()).as(keytool.output()).isZero();
    }
    return new KeyStoreFile(file);
  }

  /** For a client that trusts this key and no other. */
  SSLContext trusting() {
    try {
      KeyStore own = KeyStore.getInstance(path.toFile(), PASSWORD.toCharArray());
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry(ALIAS, own.getCertificate(ALIAS));
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
