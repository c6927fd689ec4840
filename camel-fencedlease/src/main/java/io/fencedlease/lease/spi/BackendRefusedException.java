package io.fencedlease.lease.spi;

/**
 * The service understood the request and will refuse it again: a missing right, an illegal TTL, a wrong path. A fault of
 * configuration: reported, retried slowly, and no evidence about any lease.
 */
public final class BackendRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message names the right or the setting that is wrong; no secrets */
    public BackendRefusedException(String message) {
        super(message);
    }
}
