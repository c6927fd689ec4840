package io.fencedlease.lease.consul;

import io.fencedlease.lease.spi.LeaseBackend;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A Consul, real or simulated, that {@link MeasuredAnswers} are asked from. It denies by default; ACLs are on. */
interface AnsweringConsul {

    /** With an ACL token that may do everything. */
    ConsulTransport manager();

    ConsulTransport as(String token);

    /** The backend of a node that may do everything. */
    LeaseBackend backend();

    /** Makes a token. */
    String grant(SimulatedRights rights);

    void deleteToken(String token);

    long nanos();

    /** Lets time pass until it is so, and fails if it never becomes so. */
    void until(String what, Supplier<Boolean> condition);

    /** Lets some time pass, during which nobody waits for anything. */
    void aWhile();

    void freeze();

    void thaw();

    /** Kills the process and starts it again. */
    void restart();

    /** Does this to the state: snapshot, then something, then restore. */
    void restoredAfter(Runnable something);

    /** What came of it, once it has. */
    default <T> T settled(CompletableFuture<T> future) {
        until("an answer", future::isDone);
        return future.join();
    }

    /** No poll waits longer. */
    Duration LONG = Duration.ofSeconds(170);
}
