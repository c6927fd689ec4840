package io.fencedlease.faults;

import java.util.Map;
import org.apache.camel.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.support.ScheduledPollConsumer;
import org.apache.camel.support.ScheduledPollEndpoint;

/** A poller, twenty times a second, whose start can be held up or fail. */
final class GatedComponent extends DefaultComponent {

    /** What happens at each start of a consumer. */
    @FunctionalInterface
    interface AtStart {
        void run() throws Exception;
    }

    private final AtStart atStart;

    GatedComponent(AtStart atStart) {
        this.atStart = atStart;
    }

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) {
        return new ScheduledPollEndpoint(uri, this) {
            @Override
            public Producer createProducer() {
                throw new UnsupportedOperationException();
            }

            @Override
            public Consumer createConsumer(Processor processor) {
                return new Poller(this, processor);
            }
        };
    }

    private final class Poller extends ScheduledPollConsumer {

        Poller(ScheduledPollEndpoint endpoint, Processor processor) {
            super(endpoint, processor);
            setInitialDelay(0);
            setDelay(50);
        }

        @Override
        protected void doStart() throws Exception {
            atStart.run();
            super.doStart();
        }

        @Override
        protected int poll() throws Exception {
            Exchange exchange = createExchange(true);
            getProcessor().process(exchange);
            return 1;
        }
    }
}
