package io.fencedlease.examples.ownfence;

import org.apache.camel.Component;
import org.apache.camel.Consumer;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.support.DefaultEndpoint;
import org.apache.camel.support.DefaultProducer;

/** The file's name is the header CamelFileName. */
final class GitFileEndpoint extends DefaultEndpoint {

    private final GitRepository repository;

    GitFileEndpoint(String uri, Component component, GitRepository repository) {
        super(uri, component);
        this.repository = repository;
    }

    GitRepository repository() {
        return repository;
    }

    @Override
    public Producer createProducer() {
        return new DefaultProducer(this) {
            @Override
            public void process(Exchange exchange) throws Exception {
                repository.write(
                        exchange.getMessage().getHeader(Exchange.FILE_NAME, String.class),
                        exchange.getMessage().getMandatoryBody(String.class));
            }
        };
    }

    @Override
    public Consumer createConsumer(Processor processor) {
        throw new UnsupportedOperationException("gitfile: is a producer only");
    }
}
