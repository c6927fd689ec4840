package io.fencedlease.camel.report;

import io.fencedlease.camel.report.Step.Code;
import java.util.List;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.ErrorHandlerFactory;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.model.errorhandler.DeadLetterChannelDefinition;
import org.apache.camel.model.errorhandler.DefaultErrorHandlerDefinition;
import org.apache.camel.model.errorhandler.DefaultErrorHandlerProperties;
import org.apache.camel.model.errorhandler.RefErrorHandlerDefinition;
import org.jspecify.annotations.Nullable;

/** What a route's error handler does with what has failed. */
final class ErrorHandlers {

    private static final String NODE = "errorHandler";

    private ErrorHandlers() {}

    /** That of a route, if it can be told. */
    static Optional<ErrorHandlerFactory> of(CamelContext context, RouteTexts texts, RouteDefinition route) {
        return Optional.ofNullable(resolved(context, texts, route.getErrorHandlerFactory()));
    }

    static Optional<String> deadLetterUri(ErrorHandlerFactory handler) {
        if (handler instanceof DeadLetterChannelDefinition channel) {
            return Optional.ofNullable(channel.getDeadLetterUri());
        }
        return handler instanceof DefaultErrorHandlerProperties channel
                ? Optional.ofNullable(channel.getDeadLetterUri())
                : Optional.empty();
    }

    static List<Code> code(ErrorHandlerFactory handler) {
        if (handler instanceof DefaultErrorHandlerDefinition own) {
            return CodeSteps.processors(
                    NODE,
                    CodeSteps.name(own.getOnRedeliveryProcessor(), own.getOnRedeliveryRef()),
                    CodeSteps.name(own.getOnExceptionOccurredProcessor(), own.getOnExceptionOccurredRef()),
                    CodeSteps.name(own.getOnPrepareFailureProcessor(), own.getOnPrepareFailureRef()));
        }
        return handler instanceof DefaultErrorHandlerProperties own
                ? CodeSteps.processors(
                        NODE,
                        CodeSteps.name(own.getOnRedelivery(), own.getOnRedeliveryRef()),
                        CodeSteps.name(own.getOnExceptionOccurred(), own.getOnExceptionOccurredRef()),
                        CodeSteps.name(own.getOnPrepareFailure(), own.getOnPrepareFailureRef()))
                : List.of();
    }

    private static @Nullable ErrorHandlerFactory resolved(
            CamelContext context, RouteTexts texts, @Nullable ErrorHandlerFactory handler) {
        return handler instanceof RefErrorHandlerDefinition reference
                ? resolved(context, texts, referred(context, texts.resolved(reference.getRef())))
                : handler;
    }

    private static @Nullable ErrorHandlerFactory referred(CamelContext context, String name) {
        if (!name.equals(RefErrorHandlerDefinition.DEFAULT_ERROR_HANDLER_BUILDER)) {
            return context.getRegistry().lookupByNameAndType(name, ErrorHandlerFactory.class);
        }
        ErrorHandlerFactory ofContext = context.getCamelContextExtension().getErrorHandlerFactory();
        return ofContext instanceof RefErrorHandlerDefinition again && name.equals(again.getRef()) ? null : ofContext;
    }
}
