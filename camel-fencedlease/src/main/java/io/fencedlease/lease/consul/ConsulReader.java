package io.fencedlease.lease.consul;

import com.fasterxml.jackson.databind.JsonNode;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.Holding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One consistent reading of who has which lease.
 *
 * <p>Few leases by transactions that get the exact keys, many by one answer for the whole folder. A key absent there is
 * asked for exactly: without the right to read, a folder looks empty. A transaction fails if a key is absent, but names
 * all such keys; it is repeated without them.
 */
final class ConsulReader {

    /** Up to so many leases the folder's other entries could cost more than some transactions. */
    private static final int FEW = 4 * ConsulTxn.MAX_OPERATIONS;

    private static final int MOST_TRANSACTIONS = 16;

    private final Attempt attempt;
    private final ConsulKeys keys;
    private final Map<LeaseName, Holding> found = new HashMap<>();
    private final Set<LeaseName> denied = new HashSet<>();

    /** How many transactions this reading may take yet: what is left over is left to the next one. */
    private int transactions = MOST_TRANSACTIONS;

    ConsulReader(Attempt attempt, ConsulKeys keys) {
        this.attempt = attempt;
        this.keys = keys;
    }

    CompletableFuture<Map<LeaseName, Holding>> read(Collection<LeaseName> leases) {
        if (leases.size() <= FEW) {
            return readExactly(leases);
        }
        return attempt.send(ConsulRequest.get("kv/" + keys.leases(), "recurse").consistent())
                .thenCompose(answer -> {
                    Map<String, JsonNode> entries = folder(answer);
                    for (LeaseName lease : leases) {
                        JsonNode entry = entries.get(keys.lease(lease));
                        if (entry != null) {
                            found.put(lease, holding(entry));
                        }
                    }
                    return readExactly(leases);
                });
    }

    private Map<String, JsonNode> folder(ConsulAnswer answer) {
        Map<String, JsonNode> entries = new HashMap<>();
        if (answer.status() == 200 && answer.index() > 0) {
            answer.json().forEach(entry -> entries.put(entry.path("Key").asText(), entry));
        } else if (answer.status() != 404) {
            throw ConsulVerdicts.fault(answer, ConsulVerdicts.keyRight("list", keys.leases() + "*"));
        }
        return entries;
    }

    /** Asks for those not yet found, and again until there are none. Each round finds at least one, or fails. */
    private CompletableFuture<Map<LeaseName, Holding>> readExactly(Collection<LeaseName> leases) {
        List<LeaseName> missing = leases.stream()
                .filter(lease -> !found.containsKey(lease) && !denied.contains(lease))
                .distinct()
                .toList();
        if (missing.isEmpty() || transactions == 0) {
            return CompletableFuture.completedFuture(result());
        }
        transactions--;
        List<LeaseName> asked = missing.subList(0, Math.min(missing.size(), ConsulTxn.MAX_OPERATIONS));
        ConsulTxn txn = new ConsulTxn();
        asked.forEach(lease -> txn.get(keys.lease(lease)));
        return attempt.send(txn.request().consistent()).thenCompose(answer -> {
            if (answer.status() == 200) {
                present(answer, asked);
            } else {
                absent(answer, asked);
            }
            return readExactly(missing);
        });
    }

    private Map<LeaseName, Holding> result() {
        if (found.isEmpty() && !denied.isEmpty()) {
            String key = keys.lease(denied.iterator().next());
            throw new BackendRefusedException(
                    "Consul keeps an entry from us; missing right: " + ConsulVerdicts.keyRight("read", key));
        }
        return found;
    }

    private void present(ConsulAnswer answer, List<LeaseName> asked) {
        if (!answer.json().has("Results")) {
            throw ConsulVerdicts.fault(answer, "");
        }
        for (LeaseName lease : asked) {
            String key = keys.lease(lease);
            // an entry that may not be read is left out of the results: no reason to lose the others
            ConsulTxn.result(answer, key)
                    .ifPresentOrElse(entry -> found.put(lease, holding(entry)), () -> denied.add(lease));
        }
    }

    private void absent(ConsulAnswer answer, List<LeaseName> asked) {
        List<LeaseName> free = new ArrayList<>();
        Map<Integer, String> errors = ConsulTxn.errors(answer);
        errors.forEach((operation, what) -> {
            if (answer.status() == 409
                    && what.contains("doesn't exist")
                    && operation >= 0
                    && operation < asked.size()) {
                free.add(asked.get(operation));
            }
        });
        if (free.isEmpty() || free.size() < errors.size()) {
            throw ConsulVerdicts.fault(answer, ConsulVerdicts.keyRight("read", keys.lease(asked.get(0))));
        }
        free.forEach(lease -> found.put(lease, new Holding.Free()));
    }

    private static Holding holding(JsonNode entry) {
        String session = entry.path("Session").asText("");
        if (session.isEmpty()) {
            return new Holding.Free();
        }
        LockValue value = LockValue.of(entry);
        return new Holding.Held(session, entry.path("ModifyIndex").asLong(), value.nonce(), value.holder());
    }
}
