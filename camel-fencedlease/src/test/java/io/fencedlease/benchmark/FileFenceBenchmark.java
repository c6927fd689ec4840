package io.fencedlease.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlease.camel.FencedLeaseComponent;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the file fence costs: small files through it, and through {@code file:} with {@code tempPrefix}, in leased routes. */
class FileFenceBenchmark {

    private static final DefaultCamelContext CONTEXT = new DefaultCamelContext();
    private static final JdbcConnectionPool POOL =
            JdbcConnectionPool.create("jdbc:h2:mem:files;DB_CLOSE_DELAY=-1", "sa", "");
    private static ProducerTemplate template;

    @TempDir
    private static Path directory;

    @BeforeAll
    static void start() throws Exception {
        FencedLeaseComponent component = CONTEXT.getComponent("fencedlease", FencedLeaseComponent.class);
        component.getConfiguration().setBackend("jdbc");
        component.getConfiguration().setDataSource(POOL);
        CONTEXT.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                for (String name : new String[] {"${exchangeId}", "${random(1,100)}"}) {
                    String kind = name.startsWith("${e") ? "New" : "Replaced";
                    String file = "file:" + directory + "/SIDE" + kind + "?fileName=RAW(" + name + ".txt)";
                    from("fencedlease:L:direct:plain" + kind).to(file.replace("SIDE", "plain") + "&tempPrefix=.tmp-");
                    from("fencedlease:L:direct:fenced" + kind).to("fencedlease:L:" + file.replace("SIDE", "fenced"));
                }
            }
        });
        CONTEXT.start();
        template = CONTEXT.createProducerTemplate();
        await().atMost(Duration.ofSeconds(60)).until(() -> send("fencedNew").getException() == null);
    }

    @AfterAll
    static void stop() {
        CONTEXT.stop();
        POOL.dispose();
    }

    private static Exchange send(String route) {
        return template.request("direct:" + route, exchange -> exchange.getMessage()
                .setBody("{\"id\": 4711, \"status\": \"closed\", \"total\": \"12.50\"}"));
    }

    private static Runnable sends(String route) {
        return () -> assertThat(send(route).getException()).isNull();
    }

    @Test
    void newFiles() {
        assertThat(new Paired(200).ratio("new files", sends("plainNew"), sends("fencedNew")))
                .isGreaterThanOrEqualTo(0.5);
    }

    /**
     * Of this one the ratio says more about the file system: plain {@code file:} deletes the old file first, the fence
     * replaces it, so that it is never missing; and ext4 begins to write out what replaces something.
     */
    @Test
    void replacedFiles() {
        assertThat(new Paired(200).ratio("replaced files", sends("plainReplaced"), sends("fencedReplaced")))
                .isGreaterThanOrEqualTo(0.3);
    }
}
