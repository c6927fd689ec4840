package io.fencedlease.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.lease.SettingRefusedException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.sql.DataSource;
import org.apache.camel.Endpoint;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Goal: no secret of a URI or of the component is shown. Method: read everything that JMX and toString show. */
class SecretsTest {

    private static final String SECRET = "top5ecret";

    @Test
    void areMaskedInTextsAndInJmx() throws Exception {
        try (LeaseDatabase database = new LeaseDatabase();
                LeasedNode node = new LeasedNode(database, "secrets")) {
            node.component.getConfiguration().setConsulToken(SECRET);
            node.routes(new RouteBuilder() {
                        @Override
                        public void configure() {
                            from("fencedlease:L:log://joe:" + SECRET + "@in")
                                    .autoStartup(false)
                                    .process(e -> {});
                            from("direct:x")
                                    .to("fencedlease:L:log://joe:" + SECRET + "@out?fence.acceptRisk=it is a log");
                        }
                    })
                    .start();
            for (Endpoint endpoint : node.context.getEndpoints()) {
                assertThat(endpoint.toString()).doesNotContain(SECRET);
            }
            assertThat(node.component.getConfiguration().toString()).doesNotContain(SECRET);
            assertThat(node.component.toString()).doesNotContain(SECRET);
            assertThat(shownByJmx()).contains("fencedlease").doesNotContain(SECRET);
        }
    }

    /** A password in the JDBC URL is shown by Camel's own endpoints, fenced or not. */
    @Test
    void ofFencedDatabasesAreNotShownEither() throws Exception {
        try (LeaseDatabase database = new LeaseDatabase();
                LeasedNode node = new LeasedNode(database, "sqlsecrets")) {
            DataSource telling = new DelegatingDataSource(database.dataSource()) {
                @Override
                public String toString() {
                    return "DataSource with password " + SECRET;
                }
            };
            node.context.getRegistry().bind("telling", telling);
            node.routes(new RouteBuilder() {
                        @Override
                        public void configure() {
                            from("direct:s").to("fencedlease:L:sql:DELETE FROM t?dataSource=#telling");
                            from("direct:j").to("fencedlease:L:jdbc:telling?fence.sql.evict=false");
                            from("direct:g").to("fencedlease:L:guard:x?fence.dataSource=#telling");
                        }
                    })
                    .start();
            for (Endpoint endpoint : node.context.getEndpoints()) {
                assertThat(endpoint.toString()).doesNotContain(SECRET);
            }
            assertThat(shownByJmx()).contains("telling").doesNotContain(SECRET);
            assertThat(node.component.reports().toString()).doesNotContain(SECRET);
            assertThatThrownBy(() -> node.context
                            .getEndpoint("fencedlease:L:jdbc:telling?fence.password=" + SECRET)
                            .createProducer())
                    .satisfies(refused -> assertThat(stack(refused)).doesNotContain(SECRET));
        }
    }

    @Test
    void aPortIsNotTakenForAPassword() throws Exception {
        try (LeaseDatabase database = new LeaseDatabase();
                LeasedNode node = new LeasedNode(database, "accepted")) {
            assertThat(node.context.getEndpoint("fencedlease:o:http:h:8080/joe@example.org?fence.idempotencyKey=K"))
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fencedlease:o:http:u:" + SECRET + "@h/x?fence.idempotencyKey=K",
                "fencedlease:http:u:" + SECRET + "@h/x",
                "fencedlease:http://u:" + SECRET + "@h/x",
                "fencedlease://u:" + SECRET + "@h/x",
                "fencedlease:u:" + SECRET + "@h/x"
            })
    void ofUrisThatCamelWouldNotMaskAreRefusedWithoutThem(String uri) throws Exception {
        try (LeaseDatabase database = new LeaseDatabase();
                LeasedNode node = new LeasedNode(database, "refused")) {
            assertThatThrownBy(() -> node.context.getEndpoint(uri)).satisfies(refused -> {
                assertThat(refused).hasRootCauseInstanceOf(SettingRefusedException.class);
                assertThat(stack(refused)).doesNotContain(SECRET);
            });
        }
    }

    private static String stack(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static String shownByJmx() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        StringBuilder shown = new StringBuilder();
        for (ObjectName name : server.queryNames(new ObjectName("org.apache.camel:*"), null)) {
            shown.append(name).append('\n');
            for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
                try {
                    shown.append(server.getAttribute(name, attribute.getName())).append('\n');
                } catch (Exception unreadable) {
                    shown.append("unreadable\n");
                }
            }
        }
        return shown.toString();
    }
}
