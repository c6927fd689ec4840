package io.fencedlease.fence;

import io.fencedlease.lease.Tenure;
import java.time.Duration;

/**
 * The keys of an idempotent repository, behind a marked fence: for each key whether its work is under way, for which
 * tenure, or confirmed as done.
 *
 * <p>Every operation first passes the fence, then changes an entry only on condition of what it was. What an earlier tenure
 * left unconfirmed was left half-way, and is taken over; what is confirmed stays. Thread-safe; calls block on I/O.
 *
 * <p>All operations but {@link #cleanup} throw {@link FencedOutException} if the mark is not the tenure's, and {@link
 * FenceUnavailableException} or the store's own exception if something failed; then an entry may or may not have been
 * changed.
 */
public interface FencedKeys {

    /** What {@link #add} found. */
    enum Found {
        /** Nothing: the key is this tenure's now. */
        NEW,
        /** The unconfirmed entry of an earlier tenure: the key is this tenure's now. */
        HALF_DONE,
        /** This tenure's own entry, not confirmed yet. Nothing was changed. */
        OURS,
        /** A confirmed entry. Nothing was changed. */
        CONFIRMED
    }

    /** What it guards, for people; without secrets. */
    String resource();

    /** The fence to raise with each tenure. */
    Fence fence();

    /**
     * Makes the store ready; otherwise done at first use. Idempotent.
     *
     * @throws io.fencedlease.lease.SettingRefusedException if this store cannot be used
     * @throws FenceUnavailableException if it cannot be reached now
     */
    void prepare();

    /** Claims a key for this tenure. */
    Found add(Tenure tenure, String key);

    /** As {@link #add}, and confirms it in the same step: for work that is done already. */
    Found addConfirmed(Tenure tenure, String key);

    /** Whether the key is confirmed, or this tenure's. */
    boolean contains(Tenure tenure, String key);

    /** Marks the work as done; false if this tenure has no unconfirmed entry of that key. */
    boolean confirm(Tenure tenure, String key);

    /** Takes the claim back; false if this tenure has no unconfirmed entry of that key. */
    boolean remove(Tenure tenure, String key);

    /**
     * Forgets keys that were confirmed longer ago than this, by the wall clocks of those who confirmed and of this node:
     * the one decision made by them. Not fenced, since it touches only what is done.
     *
     * @return how many
     */
    long cleanup(Duration age);
}
