package io.fencedlease.camel.report;

/**
 * One thing that a route does beyond itself.
 *
 * @param node for people
 */
sealed interface Step {

    String node();

    /**
     * A message is sent to an endpoint.
     *
     * @param guarded whether that is a statement in a transaction with a guard
     */
    record Send(String node, EndpointText target, boolean guarded) implements Step {}

    /** Something is taken from an endpoint on demand. */
    record Poll(String node, EndpointText source) implements Step {}

    /** The key of a message is kept somewhere. */
    record Keep(String node, Object repository) implements Step {}

    /** Code is run. */
    record Code(String node, String what) implements Step {}
}
