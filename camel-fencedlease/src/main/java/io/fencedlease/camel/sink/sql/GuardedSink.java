package io.fencedlease.camel.sink.sql;

import io.fencedlease.camel.sink.SinkFence;
import io.fencedlease.fence.Fence;
import io.fencedlease.fence.sql.SqlFence;
import io.fencedlease.lease.Tenure;
import java.util.Optional;
import org.apache.camel.Exchange;
import org.apache.camel.Producer;
import org.apache.camel.support.service.ServiceHelper;
import org.apache.camel.support.service.ServiceSupport;
import org.springframework.transaction.TransactionStatus;

/** Lets a synchronous delegate write inside the fence's transaction, on the caller's thread. */
final class GuardedSink extends ServiceSupport implements SinkFence {

    private final SqlFence fence;
    private final Producer delegate;
    private final StatementHeaders headers;

    GuardedSink(SqlFence fence, Producer delegate, StatementHeaders headers) {
        this.fence = fence;
        this.delegate = delegate;
        this.headers = headers;
    }

    @Override
    public Optional<Fence> fence() {
        return Optional.of(fence);
    }

    @Override
    public void write(Exchange exchange, Tenure tenure) throws Exception {
        headers.check(exchange);
        boolean transacted = exchange.isTransacted();
        // else a batch with batchAutoCommitDisabled commits by itself
        exchange.getExchangeExtension().setTransacted(true);
        try {
            fence.guardInTransaction(tenure, transaction -> delegateWrites(exchange, transaction));
        } finally {
            exchange.getExchangeExtension().setTransacted(transacted);
        }
    }

    private Void delegateWrites(Exchange exchange, TransactionStatus transaction) throws Exception {
        delegate.process(exchange);
        Exception failed = exchange.getException();
        if (failed != null) {
            throw failed;
        }
        if (exchange.isRollbackOnly()) {
            transaction.setRollbackOnly();
        }
        return null;
    }

    @Override
    protected void doInit() {
        ServiceHelper.initService(delegate);
    }

    @Override
    protected void doStart() {
        SqlFences.prepare(fence::prepare);
        ServiceHelper.startService(delegate);
    }

    @Override
    protected void doStop() {
        ServiceHelper.stopAndShutdownService(delegate);
    }
}
