package io.fencedlease.lease.consul;

import com.fasterxml.jackson.databind.JsonNode;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.spi.Acquisition;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.Publication;
import io.fencedlease.lease.spi.Release;
import io.fencedlease.lease.spi.Renewal;
import io.fencedlease.lease.spi.SessionGone;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Consul's answers mean; the only place that decides. Texts are compared by containment, for an agent that passes a
 * request on puts {@code rpc error making call:} before the answer, sometimes twice.
 *
 * <p>A good answer names what was asked for. One that does not, and whatever is not listed here, means nothing: {@link
 * BackendUnavailableException}.
 */
final class ConsulVerdicts {

    /** Refused whatever the server's state: the request or the way to it is wrong. */
    private static final Set<Integer> MISCONFIGURED = Set.of(301, 302, 307, 308, 400, 401, 403, 405, 413);

    private static final int CONFLICT = 409;
    private static final Pattern TTL_RANGE =
            Pattern.compile("Invalid Session TTL '(-?\\d+)', must be between \\[(\\w+)=(\\w+)]");
    private static final Pattern NEEDS_SETTING = Pattern.compile(
            "Missing (check|node)|No path to datacenter|cross datacenter lock|Invalid Behavior|Session TTL '.*' invalid");

    private ConsulVerdicts() {}

    /** The new session's id. */
    static String created(ConsulAnswer answer) {
        String id = answer.json().path("ID").asText("");
        if (answer.status() == 200 && !id.isEmpty()) {
            return id;
        }
        throw fault(answer, "session:write");
    }

    static Renewal renewal(ConsulAnswer answer, String session) {
        if (answer.status() == 200 && renewed(answer, session).isPresent()) {
            return new Renewal.Renewed();
        }
        if (gone(answer, session)) {
            return new SessionGone(answer.body().strip());
        }
        throw fault(answer, "session:write");
    }

    /** The stored session, if the answer is a renewal of it. */
    static Optional<JsonNode> renewed(ConsulAnswer answer, String session) {
        JsonNode stored = answer.json().path(0);
        return session.equals(stored.path("ID").asText()) ? Optional.of(stored) : Optional.empty();
    }

    /** A wrong path answers 404 as well; only the one that names the session is about it. */
    private static boolean gone(ConsulAnswer answer, String session) {
        return answer.status() == 404
                        && answer.body().contains(session)
                        && answer.body().contains("not found")
                || answer.status() >= 500 && invalid(answer.body(), session);
    }

    private static boolean invalid(String text, String session) {
        return text.contains("invalid session \"" + session + "\"");
    }

    /**
     * Of the transaction [lock the lease's key, get its generation key].
     *
     * @return empty if nothing was done because there is no generation key
     */
    static Optional<Acquisition> acquisition(
            ConsulAnswer answer, String session, String leaseKey, String generationKey) {
        if (answer.status() == 200) {
            return Optional.of(acquired(answer, session, leaseKey, generationKey));
        }
        if (answer.status() == CONFLICT) {
            Map<Integer, String> errors = ConsulTxn.errors(answer);
            String lock = errors.getOrDefault(0, "");
            if (invalid(lock, session)) {
                return Optional.of(new SessionGone(lock));
            }
            if (lock.contains("lock is already held")) {
                return Optional.of(new Acquisition.HeldElsewhere(""));
            }
            if (lock.contains("due to lock delay")) {
                return Optional.of(new Acquisition.LockDelayed());
            }
            if (lock.isEmpty() && errors.getOrDefault(1, "").contains("doesn't exist")) {
                return Optional.empty();
            }
        }
        if (gone(answer, session)) {
            return Optional.of(new SessionGone(answer.body().strip()));
        }
        throw fault(answer, keyRight("write", leaseKey));
    }

    private static Acquisition acquired(ConsulAnswer answer, String session, String leaseKey, String generationKey) {
        JsonNode lock = ConsulTxn.result(answer, leaseKey).orElseThrow(() -> notConsul(answer));
        JsonNode generation = ConsulTxn.result(answer, generationKey)
                .orElseThrow(() -> new BackendRefusedException(
                        "Consul keeps an entry from us; missing right: " + keyRight("read", generationKey)));
        long index = lock.path("ModifyIndex").asLong();
        if (index <= 0 || !session.equals(lock.path("Session").asText())) {
            throw notConsul(answer);
        }
        return new Acquisition.Acquired(new FencingToken(Math.addExact(offset(generation), index)), index);
    }

    /** The number in a generation key. */
    static long offset(JsonNode generation) {
        String value = ConsulJson.valueOf(generation);
        if (!value.matches("\\d{1,18}")) {
            throw new BackendRefusedException("key " + generation.path("Key").asText() + " refused, given: '" + value
                    + "', allowed: a decimal number of at most 18 digits");
        }
        return Long.parseLong(value);
    }

    /**
     * Of the transaction [check the revision, unlock]. Consul names every operation that fails: where it names the
     * unlock, the lock was not ours.
     */
    static Release release(ConsulAnswer answer, String leaseKey) {
        if (answer.status() == 200 && ConsulTxn.result(answer, leaseKey).isPresent()) {
            return Release.DONE;
        }
        if (answer.status() == CONFLICT) {
            Map<Integer, String> errors = ConsulTxn.errors(answer);
            if (errors.getOrDefault(1, "").contains("lock isn't held, or is held by another session")) {
                return Release.DONE;
            }
            if (errors.getOrDefault(0, "").contains("failed index check")) {
                return Release.MOVED;
            }
        }
        throw fault(answer, keyRight("write", leaseKey));
    }

    /**
     * Of the transaction [check the lock's session, check its index, write or get the mark].
     *
     * @return empty if the mark was written meanwhile by somebody else
     */
    static Optional<Publication> publication(ConsulAnswer answer, boolean first, String markKey, ConsulTxn asked) {
        if (answer.status() == 200 && ConsulTxn.result(answer, markKey).isPresent()) {
            return Optional.of(new Publication.Published(first));
        }
        if (answer.status() == CONFLICT) {
            Map<Integer, String> errors = ConsulTxn.errors(answer);
            String lock = errors.getOrDefault(0, "") + errors.getOrDefault(1, "");
            if (lock.contains("failed session check")
                    || lock.contains("failed index check")
                    || lock.contains("doesn't exist")) {
                return Optional.of(new Publication.NotHeld());
            }
            String mark = errors.getOrDefault(2, "");
            if (mark.contains("index is stale")
                    || mark.contains("failed index check")
                    || mark.contains("doesn't exist")) {
                return Optional.empty();
            }
        }
        throw fault(answer, asked.missingRights(answer));
    }

    /** Of a read of one key; empty if Consul says that there is none. */
    static Optional<JsonNode> entry(ConsulAnswer answer, String key) {
        JsonNode entry = answer.json().path(0);
        if (answer.status() == 200 && key.equals(entry.path("Key").asText())) {
            return Optional.of(entry);
        }
        if (answer.status() == 404 && answer.body().isEmpty() && answer.index() > 0) {
            return Optional.empty();
        }
        throw fault(answer, keyRight("read", key));
    }

    /** A good write answers {@code true} or {@code false}. */
    static void written(ConsulAnswer answer, String right) {
        if (answer.status() != 200 || !answer.json().isBoolean()) {
            throw fault(answer, right);
        }
    }

    /** A long poll that ended. Without an index it was not Consul. */
    static long wokenAt(ConsulAnswer answer, String right) {
        if ((answer.status() == 200 || answer.status() == 404) && answer.index() > 0) {
            return answer.index();
        }
        throw fault(answer, right);
    }

    /** What to say of an answer that is no outcome. */
    static RuntimeException fault(ConsulAnswer answer, String right) {
        String body = answer.body();
        if (body.contains("ACL not found")) {
            return new BackendRefusedException("Consul does not know the ACL token: " + answer);
        }
        if (body.contains("Permission denied")) {
            return new BackendRefusedException("Consul denies it, missing right: " + right + ": " + answer);
        }
        Matcher ttl = TTL_RANGE.matcher(body);
        if (ttl.find()) {
            return new BackendRefusedException("option ttl refused by Consul, given: "
                    + Duration.ofNanos(Long.parseLong(ttl.group(1))).toMillis() + " ms, allowed: " + ttl.group(2)
                    + " to " + ttl.group(3) + " (the servers' session_ttl_min)");
        }
        if (MISCONFIGURED.contains(answer.status())
                || NEEDS_SETTING.matcher(body).find()) {
            return new BackendRefusedException("Consul refuses the request: " + answer);
        }
        return answer.status() < 400 || answer.status() == 404
                ? notConsul(answer)
                : new BackendUnavailableException("Consul answered " + answer);
    }

    private static BackendUnavailableException notConsul(ConsulAnswer answer) {
        return new BackendUnavailableException("not an answer of Consul, is the address right? " + answer);
    }

    /** The right as a policy names it, for the prefix that the key is in. */
    static String keyRight(String access, String key) {
        int folder = key.lastIndexOf('/', key.lastIndexOf('/') - 1);
        return "key:" + access + " on \"" + key.substring(0, folder + 1) + "\"";
    }
}
