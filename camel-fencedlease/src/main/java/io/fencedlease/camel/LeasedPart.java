package io.fencedlease.camel;

/**
 * What runs under a lease: the delegate of a consumer, or a route with our policy. Called on worker threads, also
 * concurrently; calls may block.
 */
interface LeasedPart {

    /** For people; without secrets. */
    String describe();

    String routeId();

    /** Whether no exchange that came in here is in flight. */
    boolean idle();

    /** Its starts and stops go through here, so that they never overlap. */
    Lane lane();

    /** Starts the work of a tenure. Without effect if it runs under this tenure already. */
    void start(RunningTenure tenure) throws Exception;

    /** Takes in nothing new that would run, at once: no draining, and no lock that a draining route may hold. */
    void suspend() throws Exception;

    /** Ends what is suspended, once nothing of the tenure is left. */
    void stop() throws Exception;

    /** Whether nothing new can come in. */
    boolean quiet();
}
