package io.fencedlease.lease.consul;

import io.fencedlease.lease.consul.KvTransactions.Look;
import io.fencedlease.lease.consul.KvTransactions.Outcome;
import io.fencedlease.lease.spi.BackendRefusedException;
import java.util.Map;
import java.util.Optional;

/**
 * What Consul's answers to guarded transactions mean. A refusal's only reason is its text; of the operations that failed all
 * are named, and a check that failed comes before whatever else did.
 */
final class KvVerdicts {

    /** The first operations of a guarded transaction: the session on the lock, the index of the mark. */
    static final int CHECKS = 2;

    private static final int CONFLICT = 409;

    private KvVerdicts() {}

    static Outcome outcome(ConsulAnswer answer, int checks, ConsulTxn asked) {
        if (answer.status() == 200 && answer.json().has("Results")) {
            return Outcome.WRITTEN;
        }
        if (answer.status() == CONFLICT) {
            Map<Integer, String> errors = ConsulTxn.errors(answer);
            if (failedCheck(errors, checks)) {
                return Outcome.FENCED_OUT;
            }
            if (!errors.isEmpty() && errors.values().stream().allMatch(what -> what.contains("index is stale"))) {
                return Outcome.CONDITION_FAILED;
            }
        }
        throw ConsulVerdicts.fault(answer, asked.missingRights(answer));
    }

    static Look look(ConsulAnswer answer, String key, ConsulTxn asked) {
        if (answer.status() == 200) {
            return new Look(
                    true,
                    Optional.of(ConsulTxn.result(answer, key)
                            .map(KvEntry::of)
                            // one that may not be read is left out of the results
                            .orElseThrow(() -> new BackendRefusedException(
                                    "Consul keeps an entry from us; missing right: key:read on \"" + key + "\""))));
        }
        if (answer.status() == CONFLICT) {
            Map<Integer, String> errors = ConsulTxn.errors(answer);
            if (failedCheck(errors, CHECKS)) {
                return new Look(false, Optional.empty());
            }
            if (errors.getOrDefault(CHECKS, "").contains("doesn't exist")) {
                return new Look(true, Optional.empty());
            }
        }
        throw ConsulVerdicts.fault(answer, asked.missingRights(answer));
    }

    static boolean emptyFolder(ConsulAnswer answer, String prefix) {
        if (answer.status() == 404 && answer.index() > 0) {
            return true;
        }
        if (answer.status() == 200 && answer.json().isArray()) {
            return false;
        }
        throw ConsulVerdicts.fault(answer, "key:list on \"" + prefix + "\"");
    }

    private static boolean failedCheck(Map<Integer, String> errors, int checks) {
        for (int i = 0; i < checks; i++) {
            String what = errors.getOrDefault(i, "");
            if (what.contains("failed session check")
                    || what.contains("failed index check")
                    || what.contains("doesn't exist")) {
                return true;
            }
        }
        return false;
    }
}
