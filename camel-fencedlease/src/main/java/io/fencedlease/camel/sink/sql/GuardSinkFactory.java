package io.fencedlease.camel.sink.sql;

import io.fencedlease.camel.sink.ReceiverFence;
import io.fencedlease.camel.sink.Sink;
import io.fencedlease.camel.sink.SinkFence;
import io.fencedlease.camel.sink.SinkFenceFactory;
import io.fencedlease.fence.Fence;
import io.fencedlease.fence.sql.SqlFence;
import io.fencedlease.fence.sql.SqlReceiver;
import io.fencedlease.lease.Tenure;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.camel.Exchange;
import org.apache.camel.support.service.ServiceSupport;

/**
 * {@code guard:RESOURCE?fence.dataSource=#db}: makes everything in the running transaction fenced; at a receiver, lets it
 * go on only for the latest tenure heard of.
 */
public final class GuardSinkFactory implements SinkFenceFactory {

    private static final String DATA_SOURCE = "dataSource";
    private static final String MODE = "mode";
    private static final Set<String> OF_RECEIVERS = Set.of("onStale", "deadLetter", "verify");
    /** A receiver is never raised, and its transaction is the route's. */
    private static final Set<String> OF_HOLDERS = SqlFences.OPTIONS;

    @Override
    public Set<String> options() {
        Set<String> options = new HashSet<>(SqlFences.OPTIONS);
        options.add(DATA_SOURCE);
        options.add(MODE);
        options.addAll(OF_RECEIVERS);
        return options;
    }

    @Override
    public SinkFence create(Sink sink) throws Exception {
        sink.options().oneOf(MODE, "tenure", "receiver");
        refuse(sink, OF_RECEIVERS, "with fence.mode=receiver only");
        return new GuardStep(SqlFences.of(sink, dataSource(sink)));
    }

    @Override
    public ReceiverFence createReceiver(Sink sink) {
        refuse(sink, OF_HOLDERS, "without fence.mode=receiver only");
        return new ReceiverStep(SqlFences.receiver(sink, dataSource(sink)));
    }

    private static void refuse(Sink sink, Set<String> options, String allowed) {
        for (String option : options) {
            sink.options().text(option).ifPresent(given -> {
                throw sink.refused("fence." + option, given, allowed);
            });
        }
    }

    private static DataSource dataSource(Sink sink) {
        if (sink.path().isBlank()) {
            throw sink.refused("delegateUri", "guard:", "guard:RESOURCE, a name for people");
        }
        String ref = sink.options()
                .text(DATA_SOURCE)
                .orElseThrow(() -> sink.refused(
                        "fence." + DATA_SOURCE, "none", "the DataSource of the transaction to guard, such as #db"));
        return SqlFences.bean(sink, "fence." + DATA_SOURCE, ref, DataSource.class);
    }

    private static final class ReceiverStep extends ServiceSupport implements ReceiverFence {

        private final SqlReceiver receiver;

        ReceiverStep(SqlReceiver receiver) {
            this.receiver = receiver;
        }

        @Override
        protected void doStart() {
            SqlFences.prepare(receiver::prepare);
        }

        @Override
        public void admit(Tenure presented) {
            receiver.admit(presented);
        }

        @Override
        public void neverCommits() {
            receiver.neverCommits();
        }
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
            SqlFences.prepare(fence::prepare);
        }

        /** Writes nothing itself: what the transaction has written and will write is fenced. */
        @Override
        public boolean write(Exchange exchange, Tenure tenure) {
            fence.requireInTransaction(tenure);
            return true;
        }
    }
}
