package io.fencedlease.lease.consul;

import io.fencedlease.lease.VirtualTime;
import io.fencedlease.lease.spi.LeaseBackend;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;

/** Time passes when somebody waits for something. */
class AnsweringSimulation implements AnsweringConsul {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String MANAGER = "manager";

    final VirtualTime time = new VirtualTime();
    final SimulatedConsul consul = new SimulatedConsul(time, time, 42);

    AnsweringSimulation() {
        consul.denyByDefault();
        consul.grant(MANAGER, SimulatedRights.ALL);
    }

    @Override
    public ConsulTransport manager() {
        return as(MANAGER);
    }

    @Override
    public ConsulTransport as(String token) {
        return consul.transport("client", token, new AtOnce(time), (client, request) -> Fate.PROMPT);
    }

    @Override
    public LeaseBackend backend() {
        return consul.client("node", MANAGER, new AtOnce(time), (client, request) -> Fate.PROMPT);
    }

    @Override
    public String grant(SimulatedRights rights) {
        String token = UUID.randomUUID().toString();
        consul.grant(token, rights);
        return token;
    }

    @Override
    public void deleteToken(String token) {
        consul.deleteToken(token);
    }

    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public void until(String what, Supplier<Boolean> condition) {
        long start = time.nanos();
        while (!condition.get()) {
            if (time.nanos() - start > PATIENCE.toNanos()) {
                throw new AssertionError("never: " + what);
            }
            time.advance(Duration.ofMillis(50));
        }
    }

    @Override
    public void aWhile() {
        time.advance(Duration.ofMillis(300));
    }

    @Override
    public void freeze() {
        consul.freeze();
    }

    @Override
    public void thaw() {
        consul.thaw();
    }

    @Override
    public void restart() {
        consul.stop();
        time.advance(Duration.ofSeconds(1));
        consul.start(LockDelays.RESTARTED);
    }

    @Override
    public void restoredAfter(Runnable something) {
        SimulatedConsul.Snapshot before = consul.snapshot();
        something.run();
        consul.restore(before);
    }
}
