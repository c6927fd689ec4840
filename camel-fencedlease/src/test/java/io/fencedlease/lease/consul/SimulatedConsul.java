package io.fencedlease.lease.consul;

import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.Timers;
import io.fencedlease.lease.consul.SimulatedKeys.Entry;
import io.fencedlease.lease.consul.SimulatedSessions.Session;
import io.fencedlease.lease.spi.LeaseBackend;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A Consul in memory and in the given time, as a client sees it: HTTP requests in, HTTP answers out. What it answers was
 * measured on a real one; {@link MeasuredAnswersTest} and {@link MeasuredAnswersIT} ask both the same questions.
 *
 * <p>{@link #client} gives the <em>whole real backend</em> over it. Each exchange meets its {@link Fate} first. The
 * other methods are what operators, vandals and failing machines do. All of it happens on the caller's thread, on the
 * world's timers and on those of the nodes; nothing waits. Equal seeds and equal calls give equal answers.
 *
 * <p>Not simulated: checks other than {@code serfHealth} (which never fails here), several datacenters, blocking queries
 * that wake for an unrelated reason.
 */
public final class SimulatedConsul {

    private final Ticker ticker;
    private final Timers world;
    private final SimulatedServer server;
    private final Map<String, SimulatedServer.Agent> agents = new HashMap<>();

    /**
     * @param ticker the servers' clock
     * @param world timers of everything that is not a node: servers and network
     * @param seed for session ids, and whatever a server is free to choose
     */
    public SimulatedConsul(Ticker ticker, Timers world, long seed) {
        this.ticker = ticker;
        this.world = world;
        this.server = new SimulatedServer(ticker, world, new Random(seed));
    }

    /** What {@link #snapshot} keeps. */
    public static final class Snapshot {
        private final SimulatedStore store;

        private Snapshot(SimulatedStore store) {
            this.store = store;
        }
    }

    /** The real backend of a node with default settings, without an ACL token. See {@link #client(String, String, Timers, Fate.Fates)}. */
    public LeaseBackend client(String name, Timers node, Fate.Fates fates) {
        return client(name, "", node, fates);
    }

    /**
     * The real backend of a node.
     *
     * @param name for {@link Fate.Fates} and for the methods here that take a client; of one name, one agent
     * @param token its ACL token; empty for none
     * @param node where its answers arrive and its limits end: hold these back, and the node is paused
     */
    public LeaseBackend client(String name, String token, Timers node, Fate.Fates fates) {
        ConsulSettings settings = ConsulSettings.builder()
                .address("http://simulated:8500")
                .token(token)
                .build();
        return new ConsulBackend(settings, transport(name, token, node, fates));
    }

    ConsulTransport transport(String name, String token, Timers node, Fate.Fates fates) {
        return new SimulatedTransport(server, agent(name), name, token, world, node, fates);
    }

    private SimulatedServer.Agent agent(String client) {
        return agents.computeIfAbsent(client, name -> new SimulatedServer.Agent());
    }

    // ---- leaders

    /** From now on this client's agent passes requests on, and says so in its error texts. */
    public void asksFollower(String client) {
        agent(client).passesOn = true;
    }

    /** Another leader at once: all TTLs begin anew. */
    public void elect(LockDelays delays) {
        server.elect(delays);
    }

    /**
     * For half a second renewals and reads are still answered and writes fail, to be carried out by the next leader; then
     * requests wait 7 s for one. Ends with {@link #elect}.
     */
    public void loseQuorum() {
        server.loseQuorum();
    }

    /**
     * Another leader, but this client goes on asking the former one, which does not know: it answers renewals and
     * reads that are not consistent from what it knew, and passes writes on.
     */
    public void depose(String client, LockDelays delays) {
        agent(client).former = server.log.store.asFormer();
        server.elect(delays);
    }

    /** The former leader of this client has understood. */
    public void rejoin(String client) {
        agent(client).former = null;
    }

    // ---- processes

    /** All servers stand still. Connections are accepted; requests are carried out at {@link #thaw}, given up or not. */
    public void freeze() {
        server.freeze();
    }

    public void thaw() {
        server.thaw();
    }

    /** All servers are killed: polls are cut, connections refused. */
    public void stop() {
        server.stop();
    }

    /** They start again with what they had. */
    public void start(LockDelays delays) {
        server.start(delays);
    }

    // ---- time

    /** How many TTLs after its last renewal a session ends: drawn from this range. As measured, always 2. */
    public void expireBetween(double leastTtls, double mostTtls) {
        server.log.expiry.between(leastTtls, mostTtls);
    }

    // ---- sessions and keys, behind everybody's back

    /** All sessions, in the order of their creation. */
    public List<String> sessions() {
        return server.log.store.sessions.all().stream().map(Session::id).toList();
    }

    /** Ends a session by whatever reason: an operator, a check, its node that left. Starts lock-delays. */
    public void endSession(String id) {
        server.log.store.sessions.find(id).ifPresent(server.log::end);
    }

    /** All keys. */
    public Collection<String> keys() {
        return server.log.store.keys.under("").stream().map(Entry::key).toList();
    }

    /** The session that holds a key; empty if none does. */
    public String holderOf(String key) {
        return entry(key).map(Entry::session).orElse("");
    }

    /** Its index, which is the revision of a lease; empty if there is no such key. */
    public Optional<Long> modifyIndex(String key) {
        return entry(key).map(Entry::modifyIndex);
    }

    private Optional<Entry> entry(String key) {
        return Optional.ofNullable(server.log.store.keys.get(key));
    }

    /** A stranger's delete: no lock-delay, the holder's session lives. */
    public void deleteKey(String key) {
        server.log.write(index -> {
            server.log.store.keys.delete(index, key);
            return true;
        });
    }

    /** A stranger's plain write: keeps the holder, moves the index. */
    public void overwriteKey(String key, String value) {
        server.log.write(index -> server.log.store.keys.set(index, key, ConsulJson.toBase64(value), 0));
    }

    // ---- backups

    public Snapshot snapshot() {
        return new Snapshot(server.log.store.copy());
    }

    /** Old sessions, locks and keys come back, newer ones are gone; the index goes on, in a fresh cluster from below. */
    public void restore(Snapshot snapshot) {
        server.log.restore(snapshot.store);
    }

    /** All servers are rebuilt from nothing: polls are cut, the index begins anew. */
    public void wipe() {
        server.stop();
        server.log.store = SimulatedStore.empty();
        server.start(LockDelays.FORGOTTEN);
    }

    // ---- rights

    /** From now on only tokens with rights may do anything. */
    public void denyByDefault() {
        server.denies = true;
    }

    /** Makes a token, or changes what it may do. */
    public void grant(String token, SimulatedRights rights) {
        server.tokens.put(token, rights);
    }

    /** Deletes a token. */
    public void deleteToken(String token) {
        server.tokens.remove(token);
    }

    /** The servers' clock. */
    Ticker ticker() {
        return ticker;
    }
}
