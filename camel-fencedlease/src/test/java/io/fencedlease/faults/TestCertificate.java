package io.fencedlease.faults;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A certificate for loopback that signs itself; made anew for each use. Server and client may both show it. */
public final class TestCertificate {

    private static final char[] PASSWORD = "changeit".toCharArray();

    private final Path certificate;
    private final Path key;
    private final KeyStore store;

    private TestCertificate(Path certificate, Path key, KeyStore store) {
        this.certificate = certificate;
        this.key = key;
        this.store = store;
    }

    /** Makes one, as files in this folder. */
    public static TestCertificate create(Path folder) throws Exception {
        Path file = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "it",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IllegalStateException("keytool made no certificate");
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        Path certificate = pem(
                folder.resolve("cert.pem"),
                "CERTIFICATE",
                store.getCertificate("it").getEncoded());
        Path key = pem(
                folder.resolve("key.pem"),
                "PRIVATE KEY",
                store.getKey("it", PASSWORD).getEncoded());
        return new TestCertificate(certificate, key, store);
    }

    /** In PEM. */
    public Path certificate() {
        return certificate;
    }

    /** In PEM. */
    public Path key() {
        return key;
    }

    /** Trusts this certificate and shows none. */
    public SSLContext trusting() throws GeneralSecurityException {
        return context(null);
    }

    /** Trusts this certificate and shows it. */
    public SSLContext showing() throws GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        return context(keys.getKeyManagers());
    }

    private SSLContext context(KeyManager @Nullable [] keys) throws GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        try {
            trusted.load(null, null);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        trusted.setCertificateEntry("it", store.getCertificate("it"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust.getTrustManagers(), null);
        return context;
    }

    private static Path pem(Path file, String kind, byte[] content) throws Exception {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }
}
