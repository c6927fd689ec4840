package io.fencedlease.camel.sink.sql;

import io.fencedlease.camel.sink.DelegatingSink;
import io.fencedlease.fence.Fence;
import io.fencedlease.fence.sql.SqlFence;
import io.fencedlease.lease.Tenure;
import java.util.Optional;
import org.apache.camel.Exchange;
import org.apache.camel.Producer;
import org.springframework.transaction.TransactionStatus;

/** Lets a synchronous delegate write inside the fence's transaction, on the caller's thread. */
final class GuardedSink extends DelegatingSink {

    private final SqlFence fence;
    private final StatementHeaders headers;

    GuardedSink(SqlFence fence, Producer delegate, StatementHeaders headers) {
        super(delegate);
        this.fence = fence;
        this.headers = headers;
    }

    @Override
    public Optional<Fence> fence() {
        return Optional.of(fence);
    }

    @Override
    public boolean write(Exchange exchange, Tenure tenure) throws Exception {
        headers.check(exchange);
        boolean transacted = exchange.isTransacted();
        // else a batch with batchAutoCommitDisabled commits by itself
        exchange.getExchangeExtension().setTransacted(true);
        try {
            return fence.guardInTransaction(tenure, transaction -> delegateWrites(exchange, transaction));
        } finally {
            exchange.getExchangeExtension().setTransacted(transacted);
        }
    }

    private boolean delegateWrites(Exchange exchange, TransactionStatus transaction) throws Exception {
        // an error handler's write is one of an exchange that is to be rolled back
        boolean before = exchange.isRollbackOnly();
        callDelegate(exchange);
        if (!before && exchange.isRollbackOnly()) {
            transaction.setRollbackOnly();
        }
        return true;
    }

    @Override
    protected void doStart() {
        SqlFences.prepare(fence::prepare);
        super.doStart();
    }
}
