package io.fencedlease.camel.report;

import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.ErrorHandlerFactory;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.model.errorhandler.DeadLetterChannelDefinition;
import org.apache.camel.model.errorhandler.DeadLetterChannelProperties;
import org.apache.camel.model.errorhandler.RefErrorHandlerDefinition;
import org.jspecify.annotations.Nullable;

/** Where a route's error handler sends what has failed. */
final class DeadLetters {

    private DeadLetters() {}

    static Optional<String> uri(CamelContext context, RouteTexts texts, RouteDefinition route) {
        return uri(context, texts, route.getErrorHandlerFactory());
    }

    private static Optional<String> uri(CamelContext context, RouteTexts texts, @Nullable ErrorHandlerFactory handler) {
        if (handler instanceof RefErrorHandlerDefinition reference) {
            return uri(context, texts, referred(context, texts.resolved(reference.getRef())));
        }
        if (handler instanceof DeadLetterChannelDefinition channel) {
            return Optional.ofNullable(channel.getDeadLetterUri());
        }
        return handler instanceof DeadLetterChannelProperties channel
                ? Optional.ofNullable(channel.getDeadLetterUri())
                : Optional.empty();
    }

    private static @Nullable ErrorHandlerFactory referred(CamelContext context, String name) {
        if (!name.equals(RefErrorHandlerDefinition.DEFAULT_ERROR_HANDLER_BUILDER)) {
            return context.getRegistry().lookupByNameAndType(name, ErrorHandlerFactory.class);
        }
        ErrorHandlerFactory ofContext = context.getCamelContextExtension().getErrorHandlerFactory();
        return ofContext instanceof RefErrorHandlerDefinition again && name.equals(again.getRef()) ? null : ofContext;
    }
}
