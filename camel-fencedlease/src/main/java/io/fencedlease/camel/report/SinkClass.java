package io.fencedlease.camel.report;

import java.util.Optional;
import java.util.stream.Stream;

/** What stands between a sink and a stale holder. */
public enum SinkClass {
    /** Nothing. */
    UNFENCED("UNFENCED"),
    /** It is decided at run time where this goes. */
    UNKNOWN("unknown"),
    /** Code that no model shows: a processor, a bean, a script. */
    OPAQUE("opaque"),
    /** Nothing, and somebody wrote down why that will do. */
    ACCEPTED_RISK("accepted risk"),
    /** What a consumer writes by itself when an exchange is done, refused or lost. */
    AFTER_EFFECT("after-effect"),
    /** A repeated or stale write can be recognised there. */
    IDEMPOTENT("idempotent"),
    /** The statement compares and writes the token in the row. */
    ROW_TOKEN("row token"),
    /** A fence with a mark. */
    FENCED("fenced"),
    /** Nothing leaves the JVM. */
    INTERNAL("internal");

    private final String text;

    SinkClass(String text) {
        this.text = text;
    }

    /** Whether {@code unfencedSinks} is about it: nothing is known to hold a stale write back. */
    public boolean isOpen() {
        return this == UNFENCED || this == UNKNOWN;
    }

    static Optional<SinkClass> of(String text) {
        return Stream.of(values()).filter(c -> c.text.equals(text)).findFirst();
    }

    @Override
    public String toString() {
        return text;
    }
}
