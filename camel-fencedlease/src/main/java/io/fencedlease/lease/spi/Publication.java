package io.fencedlease.lease.spi;

/**
 * The answer to the publication of a tenure. Anything else is a {@link BackendUnavailableException}: it may have worked,
 * or may yet; a repetition changes nothing.
 */
public sealed interface Publication permits Publication.Published, Publication.Refused, Publication.NotHeld {

    /**
     * The service's mark of the lease is this tenure.
     *
     * @param first there was no mark before: the lease is new to the service, or the service has lost its memory
     */
    record Published(boolean first) implements Publication {}

    /**
     * The service remembers a higher token, or the same token of another tenure. Nothing was written. Says nothing yet
     * about who is wrong.
     *
     * @param mark where it is remembered, for people
     */
    record Refused(String mark, long token) implements Publication {}

    /** The lease's entry is not this session's at this revision any more. Nothing was written. */
    record NotHeld() implements Publication {}
}
