package io.fencedlease.lease.spi;

import io.fencedlease.lease.FencingToken;

/** The answer to an attempt to acquire. Anything else is a {@link BackendUnavailableException}: it may have worked. */
public sealed interface Acquisition
        permits Acquisition.Acquired, Acquisition.HeldElsewhere, Acquisition.LockDelayed, SessionGone {

    /**
     * Ours.
     *
     * @param revision what {@link Holding.Held#revision()} shows as long as nobody writes the lease's entry
     */
    record Acquired(FencingToken token, long revision) implements Acquisition {}

    /**
     * Another session has it.
     *
     * @param holder for people; may be empty
     */
    record HeldElsewhere(String holder) implements Acquisition {}

    /** Free, but shut for a while after a session that ended without release. */
    record LockDelayed() implements Acquisition {}
}
