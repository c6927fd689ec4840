package io.fencedlease.examples.failover;

/** The demo did not go as its script says; the verdict fails. */
final class ScriptFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ScriptFailedException(String message) {
        super(message);
    }
}
