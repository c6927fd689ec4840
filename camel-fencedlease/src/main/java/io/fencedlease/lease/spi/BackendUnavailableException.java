package io.fencedlease.lease.spi;

/** Outcome unknown: a time-out, an I/O error, an election, a 5xx or 429. Evidence of nothing; tried again. */
public final class BackendUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public BackendUnavailableException(String message) {
        super(message);
    }

    public BackendUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
