package io.fencedlease.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.apache.camel.RoutesBuilder;
import org.apache.camel.main.Main;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

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

    // T55: redisson#5044
    @Test
    void aStaleWriteOfTheReadmesRouteIsRefused() throws Exception {
        Path route = Files.writeString(
                folder.resolve("route.yaml"), readme.blocks("yaml").get(0));
        HeldUp slow = new HeldUp(pool);
        main.bind("db", slow);
        main.addInitialProperty("camel.component.fencedlease.ttl", "2000");
        main.configure().withRoutesIncludePattern("file:" + route);
        main.start();
        slow.awaitWriter();

        jdbc.update("delete from fencedlease_session");
        Main successor = new Main();
        successor.bind("db", pool);
        successor.addInitialProperty("camel.component.fencedlease.dataSource", "#db");
        successor.addInitialProperty("camel.component.fencedlease.ttl", "2000");
        successor.configure().withRoutesIncludePattern("file:" + route);
        successor.start();
        await().atMost(Duration.ofSeconds(60)).until(() -> "closed".equals(status()));
        successor.stop();
        jdbc.update("update invoice_batches set status = 'open'");
        slow.goOn();

        slow.awaitWriter(); // the stale write is over, the next tenure's has not begun
        assertThat(status()).isEqualTo("open");
        slow.goOn();
    }

    /** A node that is paused between its last look at the lease and its write. */
    private static final class HeldUp extends DelegatingDataSource {

        private final Semaphore came = new Semaphore(0);
        private final Semaphore released = new Semaphore(0);

        HeldUp(DataSource database) {
            super(database);
        }

        void awaitWriter() throws InterruptedException {
            assertThat(came.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        }

        void goOn() {
            released.release();
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (Thread.currentThread().getName().contains("timer")) {
                came.release();
                try {
                    released.tryAcquire(60, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    throw new SQLException(e);
                }
            }
            return super.getConnection();
        }
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
        main.bind("db", pool);
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
