package io.fencedlease.camel;

import org.apache.camel.Component;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.support.DefaultEndpoint;

/** What {@code guard:RESOURCE} names: no endpoint of its own, only the step that a fenced lease puts there. */
final class GuardEndpoint extends DefaultEndpoint {

    GuardEndpoint(String uri, Component component) {
        super(uri, component);
    }

    @Override
    public Producer createProducer() {
        throw new UnsupportedOperationException("guard: only as fencedlease:LEASE:guard:RESOURCE");
    }

    @Override
    public Consumer createConsumer(Processor processor) {
        throw new UnsupportedOperationException("guard: only as a producer");
    }

    @Override
    public boolean isSingleton() {
        return true;
    }
}
