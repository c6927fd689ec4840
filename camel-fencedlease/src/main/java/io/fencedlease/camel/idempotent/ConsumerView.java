package io.fencedlease.camel.idempotent;

import io.fencedlease.lease.Lease;
import org.apache.camel.Exchange;
import org.apache.camel.spi.IdempotentRepository;

/** A repository as one consumer of one tenure has it. What exchanges carry is not looked at: they are the consumer's. */
record ConsumerView(TenuredKeys keys, Lease lease, boolean confirmsLater) implements IdempotentRepository {

    @Override
    public boolean add(String key) {
        return confirmsLater ? keys.add(lease, key) : keys.addConfirmed(lease, key);
    }

    @Override
    public boolean add(Exchange exchange, String key) {
        // a read lock: confirmed or removed when the work is done
        return keys.add(lease, key);
    }

    @Override
    public boolean contains(String key) {
        return keys.contains(lease, key);
    }

    @Override
    public boolean remove(String key) {
        return keys.remove(lease, key);
    }

    @Override
    public boolean confirm(String key) {
        return keys.confirm(lease, key);
    }

    @Override
    public void clear() {
        throw new UnsupportedOperationException("use cleanup(age)");
    }

    @Override
    public void start() {}

    @Override
    public void stop() {}
}
