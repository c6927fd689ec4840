package io.fencedlease.fence;

/** A fence could not be read or lifted now: a transient failure, never counted as fenced out. Nothing was written. */
public final class FenceUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public FenceUnavailableException(String message) {
        super(message);
    }

    public FenceUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
