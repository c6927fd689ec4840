package io.fencedlease.camel;

import static org.apache.camel.builder.Builder.simple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fencedlease.camel.idempotent.FencedConsulIdempotentRepository;
import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.faults.Postgres;
import io.fencedlease.fence.HashedKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.apache.camel.component.consul.ConsulConstants;
import org.junit.jupiter.api.AfterAll;

/** Leases in Consul and the fences there, those of SQL in PostgreSQL. */
@NeedsConsul
class ForgedTokensIT extends ForgedTokensContract {

    private static final String DATA = "data/";
    private static final String KEYS = "keys";

    private final ConsulProcess consul = ConsulProcess.start();
    private final DataSource database = Postgres.freshDatabase();

    @Override
    void configure(FencedLeaseConfiguration configuration) {
        configuration.setConsulUrl(consul.url().toString());
        FencedConsulIdempotentRepository repository = new FencedConsulIdempotentRepository("L", "orders");
        repository.setKeyPrefix(KEYS);
        context.getRegistry().bind("consulOrders", repository);
    }

    @Override
    DataSource dataSource() {
        return database;
    }

    @Override
    List<Fenced> fences() {
        List<Fenced> all = new ArrayList<>(super.fences());
        all.add(new Fenced(
                "consul",
                r -> r.setBody(simple("${header.FencingToken}", String.class))
                        .setHeader(ConsulConstants.CONSUL_KEY, simple(DATA + "${header.id}"))
                        .to("fencedlease:L:consul:kv?action=PUT&url=" + consul.url()),
                id -> value(DATA + id).map(JsonNode::asLong).stream().toList()));
        all.add(
                new Fenced(
                        "consul repository", r -> steps(r, "consulOrders"), id -> value(
                                        KEYS + "/L/orders/" + new HashedKey(id).hash())
                                .map(entry -> entry.path("token").asLong())
                                .stream()
                                .toList()));
        return all;
    }

    private Optional<JsonNode> value(String key) {
        return consul.admin().entry(key).map(entry -> {
            try {
                return new ObjectMapper().readTree(entry.path("Value").binaryValue());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @AfterAll
    void close() {
        consul.close();
    }
}
