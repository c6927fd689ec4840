package io.fencedlease.fence;

import io.fencedlease.fence.FencedKeys.Found;
import io.fencedlease.lease.Tenure;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * What a store of {@link FencedKeys} knows of one key.
 *
 * @param token of the tenure that claimed it
 * @param version what the store compares when it changes the entry
 */
public record KeyEntry(long token, boolean confirmed, long version) {

    /** An entry changes between look and write only by this tenure's own other exchanges, or late writes of its own. */
    private static final int ATTEMPTS = 50;

    /** @throws FencedOutException if it is of a later tenure: then the mark must have gone backwards */
    public boolean isOf(Tenure tenure, String resource) {
        if (token > tenure.token().value()) {
            throw new FencedOutException(
                    resource, tenure, token, "in an entry of a later tenure: the mark went backwards");
        }
        return token == tenure.token().value();
    }

    /**
     * Claims a key that is new, or was left half-way by an earlier tenure.
     *
     * @param look reads the entry, in which attempt from 0
     * @param write makes the entry this tenure's if it is still as it was looked at; false if not
     * @throws FenceUnavailableException if it is another one each time
     */
    public static Found claim(
            Tenure tenure, String resource, IntFunction<Optional<KeyEntry>> look, Predicate<Optional<KeyEntry>> write) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<KeyEntry> found = look.apply(attempt);
            if (found.isPresent() && found.get().confirmed()) {
                return Found.CONFIRMED;
            }
            if (found.isPresent() && found.get().isOf(tenure, resource)) {
                return Found.OURS;
            }
            if (write.test(found)) {
                return found.isPresent() ? Found.HALF_DONE : Found.NEW;
            }
        }
        throw changesTooOften(tenure, resource);
    }

    /**
     * Changes an unconfirmed entry of this tenure.
     *
     * @param change changes the entry if it is still as it was looked at; false if not
     * @return false if there is none; then nothing was changed
     * @throws FenceUnavailableException if it is another one each time
     */
    public static boolean change(
            Tenure tenure, String resource, IntFunction<Optional<KeyEntry>> look, Predicate<KeyEntry> change) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<KeyEntry> own = look.apply(attempt)
                    .filter(entry -> !entry.confirmed()
                            && entry.token() == tenure.token().value());
            if (own.isEmpty() || change.test(own.get())) {
                return own.isPresent();
            }
        }
        throw changesTooOften(tenure, resource);
    }

    private static FenceUnavailableException changesTooOften(Tenure tenure, String resource) {
        return new FenceUnavailableException(resource + ": an entry changes faster than " + tenure + " can write it");
    }
}
