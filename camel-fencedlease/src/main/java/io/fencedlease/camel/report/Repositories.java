package io.fencedlease.camel.report;

import io.fencedlease.camel.report.Step.Keep;
import io.fencedlease.camel.sink.NamedBeans;
import java.util.List;
import java.util.Objects;
import org.apache.camel.CamelContext;
import org.apache.camel.model.IdempotentConsumerDefinition;

/** Where a consumer or a step keeps the keys of what it has seen. */
final class Repositories {

    private static final List<String> OPTIONS = List.of("idempotentRepository", "inProgressRepository");

    private Repositories() {}

    /** Those that the URI of a consumer names. */
    static List<Keep> of(CamelContext context, String node, EndpointText source) {
        return OPTIONS.stream()
                .filter(source.options()::containsKey)
                .map(option -> new Keep(node, find(context, source.options().get(option))))
                .toList();
    }

    /** That of a step: the repository, or its name if there is no such bean. */
    static Object of(CamelContext context, RouteTexts texts, IdempotentConsumerDefinition step) {
        return step.getIdempotentRepositoryBean() != null
                ? step.getIdempotentRepositoryBean()
                : find(context, texts.resolved(Objects.requireNonNullElse(step.getIdempotentRepository(), "")));
    }

    private static Object find(CamelContext context, String reference) {
        return NamedBeans.find(context, reference, Object.class).orElse(reference);
    }
}
