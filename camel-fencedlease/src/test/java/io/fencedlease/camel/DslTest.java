package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import javax.sql.DataSource;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.main.Main;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.support.ClassPathXmlApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Goal: leased routes and fenced sinks can be written in every DSL. Method: each writes its own name into a row. */
class DslTest {

    private static void createTable(JdbcTemplate jdbc) {
        jdbc.execute("create table t(id int primary key, s varchar(40), fencing_token bigint default 0)");
        jdbc.update("insert into t(id, s) values (1, 'open')");
    }

    private static void writesItsName(CamelContext context, JdbcTemplate jdbc, String route) {
        eventually().untilAsserted(() -> {
            Exchange exchange = context.createProducerTemplate().request("direct:" + route, e -> {
                e.getMessage().setHeader("id", 1);
                e.getMessage().setHeader("table", "t");
            });
            assertThat(exchange.getException()).isNull();
        });
        assertThat(jdbc.queryForObject("select s from t where id=1", String.class))
                .isEqualTo(route.replace('-', ' '));
    }

    @ParameterizedTest
    @CsvSource({
        "routes.yaml, yaml-one-line, yaml-parameters, yaml-parts, yaml-dynamic, yaml-policy",
        "routes.xml, xml-consumer, xml-policy, xml-dynamic, xml-policy, xml-consumer",
    })
    void xmlAndYaml(String file, String first, String second, String third, String fourth, String fifth)
            throws Exception {
        try (LeaseDatabase database = new LeaseDatabase();
                LeasedNode node = new LeasedNode(database, "a")) {
            createTable(database.jdbc());
            node.context.getRegistry().bind("leased", new FencedLeaseRoutePolicy("L"));
            PluginHelper.getRoutesLoader(node.context)
                    .loadRoutes(ResourceHelper.resolveResource(node.context, "classpath:dsl/" + file));
            node.start();
            for (String route : new String[] {first, second, third, fourth, fifth}) {
                writesItsName(node.context, database.jdbc(), route);
            }
        }
    }

    @Test
    void springXml() {
        try (ClassPathXmlApplicationContext spring = new ClassPathXmlApplicationContext("dsl/spring.xml")) {
            JdbcTemplate jdbc = new JdbcTemplate(spring.getBean("db", DataSource.class));
            createTable(jdbc);
            CamelContext context = spring.getBean(CamelContext.class);
            writesItsName(context, jdbc, "spring-consumer");
            writesItsName(context, jdbc, "spring-policy");
        }
    }

    @Test
    void camelMainWithPropertiesOnly() throws Exception {
        try (LeaseDatabase database = new LeaseDatabase()) {
            createTable(database.jdbc());
            Main main = new Main();
            main.bind("db", database.dataSource());
            main.addInitialProperty("camel.component.fencedlease.ttl", "2s");
            main.addInitialProperty("camel.component.fencedlease.holder", "from-main");
            main.addInitialProperty("camel.component.fencedlease.data-source", "#db");
            main.addInitialProperty("camel.component.fencedlease.create-tables", "true");
            main.addInitialProperty("camel.main.routes-include-pattern", "classpath:dsl/routes.yaml");
            main.bind("leased", new FencedLeaseRoutePolicy("L"));
            main.start();
            try {
                writesItsName(main.getCamelContext(), database.jdbc(), "yaml-one-line");
                assertThat(database.jdbc().queryForObject("select max(holder) from fencedlease_session", String.class))
                        .isEqualTo("from-main");
            } finally {
                main.stop();
            }
        }
    }
}
