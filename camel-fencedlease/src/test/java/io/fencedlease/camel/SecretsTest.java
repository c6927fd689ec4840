package io.fencedlease.camel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.camel.Endpoint;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.Test;

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
