package io.fencedlease.lease.spi;

/** The answer to a renewal. Anything else is a {@link BackendUnavailableException} and means nothing. */
public sealed interface Renewal permits Renewal.Renewed, SessionGone {

    /** The service named our session and says that it lives. */
    record Renewed() implements Renewal {}
}
