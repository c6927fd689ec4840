package io.fencedlease.lease.spi;

/** The answer to a release. Anything else is a {@link BackendUnavailableException}: it may have worked, or may yet. */
public enum Release {
    /** The lease is not ours any more. */
    DONE,
    /** Not released: the revision is another by now. A read must tell whether it is still ours. */
    MOVED
}
