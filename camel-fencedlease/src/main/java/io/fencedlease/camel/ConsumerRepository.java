package io.fencedlease.camel;

import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.PropertyConfigurer;
import org.apache.camel.spi.PropertyConfigurerGetter;
import org.apache.camel.support.DefaultEndpoint;
import org.apache.camel.support.service.ServiceHelper;

/**
 * The {@code idempotentRepository} of a consumer's endpoint. File consumers ask it before there is an exchange, and
 * without one afterwards, so that the tenure has to be in the repository that they are given.
 */
final class ConsumerRepository {

    private static final String REPOSITORY = "idempotentRepository";
    private static final String IN_PROGRESS = "inProgressRepository";
    private static final String EAGER = "idempotentEager";

    private ConsumerRepository() {}

    /** The one of ours that an endpoint has, if any. */
    static Optional<TenuredRepository> of(Endpoint endpoint) {
        return option(endpoint, REPOSITORY)
                .filter(TenuredRepository.class::isInstance)
                .map(TenuredRepository.class::cast);
    }

    /**
     * The endpoint to make a tenure's consumer from: this one, or if it has a repository of ours one of its own, since
     * an endpoint may be shared and outlives tenures.
     */
    static Endpoint endpointFor(Endpoint shared, RunningTenure tenure) {
        Optional<TenuredRepository> repository = of(shared);
        if (repository.isEmpty()) {
            return shared;
        }
        CamelContext context = shared.getCamelContext();
        Endpoint own = context.getCamelContextExtension().getPrototypeEndpoint(shared.getEndpointUri());
        // it registers its repository when it starts; ours is registered already
        ServiceHelper.startService(own);
        boolean eager = !option(own, EAGER).filter(Boolean.FALSE::equals).isPresent();
        configurer(own)
                .orElseThrow()
                .configure(context, own, REPOSITORY, repository.get().under(tenure.lease(), eager), true);
        return own;
    }

    /** Ends what {@link #endpointFor} has made; not if that would stop a bean that both endpoints have. */
    static void done(Endpoint shared, Endpoint own) {
        if (own != shared && !option(own, IN_PROGRESS).equals(option(shared, IN_PROGRESS))) {
            ServiceHelper.stopAndShutdownService(own);
        }
    }

    private static Optional<Object> option(Endpoint endpoint, String name) {
        return configurer(endpoint)
                .filter(PropertyConfigurerGetter.class::isInstance)
                .map(c -> ((PropertyConfigurerGetter) c).getOptionValue(endpoint, name, true));
    }

    private static Optional<PropertyConfigurer> configurer(Endpoint endpoint) {
        return endpoint instanceof DefaultEndpoint known && known.getComponent() != null
                ? Optional.ofNullable(known.getComponent().getEndpointPropertyConfigurer())
                : Optional.empty();
    }
}
