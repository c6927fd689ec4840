package io.fencedlease.camel;

import io.fencedlease.lease.Lease;
import org.apache.camel.spi.IdempotentRepository;

/** An idempotent repository that works for exchanges with a tenure, and refuses all others. */
public interface TenuredRepository extends IdempotentRepository {

    /**
     * The same keys for a consumer that asks without an exchange: under the tenure that the consumer was started for, and
     * no other.
     *
     * @param confirmsLater whether the consumer adds before the work and confirms after it; otherwise it adds after the
     *     work, which confirms
     */
    IdempotentRepository under(Lease lease, boolean confirmsLater);
}
