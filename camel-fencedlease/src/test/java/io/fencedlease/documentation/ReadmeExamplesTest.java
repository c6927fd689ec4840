package io.fencedlease.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.UUID;
import org.apache.camel.RoutesBuilder;
import org.apache.camel.main.Main;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

/** Goal: what the README shows works as it stands there. Method: the blocks are taken out of it and run. */
class ReadmeExamplesTest {

    private final Readme readme = new Readme();
    private final JdbcConnectionPool pool =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    private final JdbcTemplate jdbc = new JdbcTemplate(pool);
    private final Main main = new Main();

    @TempDir
    Path folder;

    @BeforeEach
    void anOpenBatchAndAConfiguredComponent() throws Exception {
        jdbc.execute("create table invoice_batches(id int primary key, status varchar(10))");
        jdbc.update("insert into invoice_batches values(1, 'open')");
        main.bind("db", pool);
        Properties properties = new Properties();
        properties.load(new StringReader(readme.blocks("properties").get(1)));
        properties.forEach((name, value) -> main.addInitialProperty((String) name, (String) value));
    }

    @AfterEach
    void stop() {
        main.stop();
        pool.dispose();
    }

    @Test
    void theYamlRouteClosesABatchThroughTheFence() throws Exception {
        runs(Files.writeString(
                folder.resolve("route.yaml"), readme.blocks("yaml").get(0)));
    }

    @Test
    void theXmlRouteClosesABatchThroughTheFence() throws Exception {
        runs(Files.writeString(folder.resolve("route.xml"), readme.blocks("xml").get(1)));
    }

    @Test
    void theJavaRouteClosesABatchThroughTheFence() throws Exception {
        Class<?> route = readme.compile(readme.blocks("java").get(0), folder);
        main.configure().addRoutesBuilder((RoutesBuilder) route.getConstructor().newInstance());
        runs();
    }

    @Test
    void theExampleWithoutCamelCompiles() throws Exception {
        assertThat(readme.compile(readme.blocks("java").get(1), folder)).isNotNull();
    }

    @Test
    void whatIsNotGuaranteedComesBeforeAnythingThatPromises() {
        assertThat(readme.text().indexOf("## What this does not guarantee"))
                .isPositive()
                .isLessThan(readme.text().indexOf("## Two commands"))
                .isEqualTo(readme.text().indexOf("\n## ") + 1);
    }

    private void runs(Path routes) {
        main.configure().withRoutesIncludePattern("file:" + routes);
        runs();
    }

    private void runs() {
        main.start();
        await().atMost(Duration.ofSeconds(60)).until(() -> "closed".equals(status()));
        assertThat(jdbc.queryForObject(
                        "select token from fencedlease_fence where lease = 'invoice-closer'", Long.class))
                .isPositive();
    }

    private String status() {
        return jdbc.queryForObject("select status from invoice_batches where id = 1", String.class);
    }
}
