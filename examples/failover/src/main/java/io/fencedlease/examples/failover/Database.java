package io.fencedlease.examples.failover;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.tools.Server;

/**
 * The database, a process of its own: were it in one of the nodes, pausing that node would pause everybody.
 *
 * <p>Listens on the loopback address only. Ends when its standard input does, so it does not outlive the director.
 */
public final class Database {

    static final String USER = "demo";

    /** The environment variable with the password: no argument list shows it. */
    static final String PASSWORD = "DEMO_DATABASE_PASSWORD";

    /** Before the port, on standard output. */
    static final String READY = "database on port ";

    private Database() {}

    /** @param args the folder for the database file */
    public static void main(String[] args) throws SQLException, IOException {
        System.setProperty("h2.bindAddress", "127.0.0.1");
        String url = "jdbc:h2:file:" + args[0] + "/demo;WRITE_DELAY=0";
        // kept open: so the database does not close whenever nobody is connected
        try (Connection connection = DriverManager.getConnection(url, USER, System.getenv(PASSWORD));
                Statement statement = connection.createStatement()) {
            statement.execute("RUNSCRIPT FROM 'classpath:/schema.sql'");
            Server server = Server.createTcpServer("-tcpPort", "0", "-baseDir", args[0]);
            System.out.println(READY + server.start().getPort());
            while (System.in.read() >= 0) {
                // nothing is ever sent; the end is what counts
            }
            server.stop();
        }
    }

    /** The address as the other processes use it. */
    static String url(int port) {
        return "jdbc:h2:tcp://127.0.0.1:" + port + "/demo;WRITE_DELAY=0";
    }
}
