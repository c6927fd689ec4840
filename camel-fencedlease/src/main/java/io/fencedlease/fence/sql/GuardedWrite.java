package io.fencedlease.fence.sql;

import org.springframework.transaction.TransactionStatus;

/** Work inside a guarded transaction. */
@FunctionalInterface
public interface GuardedWrite<T> {

    /**
     * Writes over connections of the guarded transaction, on the caller's thread.
     *
     * @param transaction for {@link TransactionStatus#setRollbackOnly()}: nothing of it takes effect, and no exception is
     *     thrown
     * @throws Exception anything: nothing of it takes effect
     */
    T write(TransactionStatus transaction) throws Exception;
}
