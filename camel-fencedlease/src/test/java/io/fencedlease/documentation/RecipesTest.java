package io.fencedlease.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.main.Main;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

/** Goal: the recipes work as they stand on their page. Method: all of them run in one context, against a real HTTP server. */
class RecipesTest {

    @TempDir
    Path folder;

    @Test
    void eachRecipeDoesWhatItSays() throws Exception {
        JdbcConnectionPool pool =
                JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        jdbc.execute("create table invoices(id int primary key)");
        jdbc.execute("create table outbox(invoice int primary key, sent boolean default false)");
        jdbc.update("insert into invoices values(7)");
        List<String> keys = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/charge", request -> {
            keys.add(request.getRequestHeaders().getFirst("Idempotency-Key"));
            request.sendResponseHeaders(200, -1);
            request.close();
        });
        server.start();
        Main main = new Main();
        try {
            main.bind("db", pool);
            main.addInitialProperty("camel.component.fencedlease.dataSource", "#db");
            main.addInitialProperty("port", String.valueOf(server.getAddress().getPort()));
            Path routes = Files.writeString(
                    folder.resolve("recipes.yaml"), String.join("", new Readme("docs/recipes.md").blocks("yaml")));
            main.configure().withRoutesIncludePattern("file:" + routes);
            main.start();

            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                assertThat(jdbc.queryForList("select invoice from outbox where sent", Integer.class))
                        .containsExactly(7);
                assertThat(keys).isNotEmpty().allMatch(key -> key.matches("billing/\\d+/invoice-7"));
                assertThat(Path.of("target/recipes/feed").toFile().list()).anyMatch(name -> name.matches("\\d+\\.txt"));
                assertThat(Path.of("target/recipes/reminders/today.txt")).hasContent("pay");
            });
        } finally {
            main.stop();
            server.stop(0);
            pool.dispose();
        }
    }
}
