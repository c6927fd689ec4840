package io.fencedlease.camel.sink.sql;

import io.fencedlease.camel.sink.Sink;
import io.fencedlease.camel.sink.SinkFence;
import io.fencedlease.camel.sink.SinkFenceFactory;
import io.fencedlease.fence.Fence;
import io.fencedlease.fence.sql.SqlFence;
import io.fencedlease.lease.Tenure;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.camel.Exchange;
import org.apache.camel.support.service.ServiceSupport;

/** {@code guard:RESOURCE?fence.dataSource=#db}: makes everything in the running transaction fenced. */
public final class GuardSinkFactory implements SinkFenceFactory {

    private static final String DATA_SOURCE = "dataSource";

    @Override
    public Set<String> options() {
        Set<String> options = new HashSet<>(SqlFences.OPTIONS);
        options.add(DATA_SOURCE);
        return options;
    }

    @Override
    public SinkFence create(Sink sink) {
        if (sink.path().isBlank()) {
            throw sink.refused("delegateUri", "guard:", "guard:RESOURCE, a name for people");
        }
        String ref = sink.options()
                .text(DATA_SOURCE)
                .orElseThrow(() -> sink.refused(
                        "fence." + DATA_SOURCE, "none", "the DataSource of the transaction to guard, such as #db"));
        DataSource dataSource = SqlFences.bean(sink, "fence." + DATA_SOURCE, ref, DataSource.class);
        return new GuardStep(SqlFences.of(sink, dataSource));
    }

    private static final class GuardStep extends ServiceSupport implements SinkFence {

        private final SqlFence fence;

        GuardStep(SqlFence fence) {
            this.fence = fence;
        }

        @Override
        public Optional<Fence> fence() {
            return Optional.of(fence);
        }

        @Override
        protected void doStart() {
            SqlFences.prepare(fence);
        }

        /** Writes nothing itself: what the transaction has written and will write is fenced. */
        @Override
        public void write(Exchange exchange, Tenure tenure) {
            fence.requireInTransaction(tenure);
        }
    }
}
