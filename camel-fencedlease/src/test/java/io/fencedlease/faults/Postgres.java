package io.fencedlease.faults;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A real PostgreSQL server, one for this JVM, started by the first test that asks; it ends with the JVM. */
public final class Postgres {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private Postgres() {}

    /** A new, empty database; each connection is a new one of the server. */
    public static PGSimpleDataSource freshDatabase() {
        String name = "test_" + DATABASES.incrementAndGet();
        execute("CREATE DATABASE " + name);
        return database(name, port());
    }

    /** The same database as the user sees it through another port of loopback, such as a {@link TcpProxy}'s. */
    public static PGSimpleDataSource through(int port, PGSimpleDataSource direct) {
        return database(direct.getDatabaseName(), port);
    }

    public static int port() {
        return Server.RUNNING.getPort();
    }

    /** Runs one statement as superuser in the maintenance database. */
    public static void execute(String sql) {
        DataSource admin = Server.RUNNING.getPostgresDatabase();
        try (Connection connection = admin.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static PGSimpleDataSource database(String name, int port) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName(name);
        source.setUser("postgres");
        source.setPassword("postgres");
        return source;
    }

    /** Starts at first use, in one thread; the library's own hook stops it. */
    private static final class Server {
        static final EmbeddedPostgres RUNNING = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setOverrideWorkingDirectory(
                                Path.of("target", "postgres").toAbsolutePath().toFile())
                        .setServerConfig("max_connections", "200")
                        .setServerConfig("synchronous_commit", "on")
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException("PostgreSQL for tests does not start", e);
            }
        }
    }
}
