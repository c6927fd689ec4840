package io.fencedlease.examples.failover;

import io.fencedlease.camel.FencedLeaseComponent;
import io.fencedlease.examples.failover.NodeMessage.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import javax.sql.DataSource;
import org.apache.camel.main.BaseMainSupport;
import org.apache.camel.main.Main;
import org.apache.camel.main.MainListenerSupport;
import org.apache.camel.spring.spi.SpringTransactionPolicy;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** One node: an ordinary camel-main application, plus the strings by which the director moves it. */
public final class Node {

    private final PausePoints points = new PausePoints(point -> say(new NodeMessage(Kind.AT, 0, point.name())));

    private Node() {}

    /** Runs until SIGTERM, or until the director is gone. */
    public static void main(String[] args) throws Exception {
        new Node().run();
    }

    private void run() throws Exception {
        DataSource database = new DriverManagerDataSource(
                System.getProperty("database"), Database.USER, System.getenv(Database.PASSWORD));
        DataSource invoices = new PausableDataSource(database, points);
        Thread strings = new Thread(this::obey, "demo-strings");
        strings.setDaemon(true);
        strings.start();

        Main camel = new Main();
        camel.bind("leases", database);
        camel.bind("invoices", invoices);
        camel.bind("required", new SpringTransactionPolicy(new DataSourceTransactionManager(invoices)));
        camel.bind("events", new NodeEvents(Node::say));
        camel.addMainListener(new MainListenerSupport() {
            @Override
            public void afterStart(BaseMainSupport main) {
                FencedLeaseComponent component =
                        main.getCamelContext().getComponent("fencedlease", FencedLeaseComponent.class);
                new LeaseStates(component::reports, Node::say).start();
            }
        });
        camel.run();
    }

    private void obey() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals("go")) {
                    points.goOn();
                } else {
                    points.arm(PausePoint.valueOf(line));
                }
            }
        } catch (IOException gone) {
            System.err.println("the director is gone: " + gone.getMessage());
        }
        Runtime.getRuntime().halt(3);
    }

    private static void say(NodeMessage message) {
        System.out.println(message.line());
    }
}
