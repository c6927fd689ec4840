package io.fencedlease.lease;

/** The tenure has ended: work under it must not go on. Never thrown for a lease that is merely hard to renew. */
public final class LeaseLostException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Tenure tenure;
    private final transient LossReason reason;

    public LeaseLostException(Tenure tenure, LossReason reason) {
        super(tenure + " lost: " + reason);
        this.tenure = tenure;
        this.reason = reason;
    }

    /** The tenure that ended; null after Java serialisation. */
    public Tenure tenure() {
        return tenure;
    }

    /** Why it ended; null after Java serialisation. */
    public LossReason reason() {
        return reason;
    }
}
