package io.fencedlease.camel;

import io.fencedlease.lease.SettingRefusedException;
import java.util.Collection;
import org.apache.camel.CamelContext;
import org.apache.camel.model.AggregateDefinition;
import org.apache.camel.model.ProcessorDefinition;
import org.apache.camel.model.ProcessorDefinitionHelper;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.processor.aggregate.MemoryAggregationRepository;
import org.jspecify.annotations.Nullable;

/** An aggregate has one tenure or none: refuses aggregators in leased routes that could mix or forget it. */
final class AggregationRules {

    private AggregationRules() {}

    static void check(CamelContext context, RouteDefinition route) {
        Collection<AggregateDefinition> found =
                ProcessorDefinitionHelper.filterTypeInOutputs(route.getOutputs(), AggregateDefinition.class);
        for (AggregateDefinition aggregate : found) {
            Object strategy = bean(context, aggregate.getAggregationStrategyBean(), aggregate.getAggregationStrategy());
            if (!(strategy instanceof TenureAggregation)) {
                throw refused(
                        route, "aggregationStrategy", strategy, "TenureAggregation.of(strategy): one tenure only");
            }
            Object repository =
                    bean(context, aggregate.getAggregationRepositoryBean(), aggregate.getAggregationRepository());
            if (repository != null && repository.getClass() != MemoryAggregationRepository.class) {
                throw refused(
                        route, "aggregationRepository", repository, "in memory: a stored exchange has lost its tenure");
            }
        }
    }

    private static @Nullable Object bean(CamelContext context, @Nullable Object bean, @Nullable String ref) {
        if (bean != null || ref == null) {
            return bean;
        }
        String name = context.resolvePropertyPlaceholders(ref);
        Object found = context.getRegistry().lookupByName(name.startsWith("#") ? name.substring(1) : name);
        return found == null ? name : found;
    }

    private static SettingRefusedException refused(
            ProcessorDefinition<?> route, String option, @Nullable Object given, String allowed) {
        String name = given instanceof String || given == null
                ? String.valueOf(given)
                : given.getClass().getName();
        return new SettingRefusedException("of route " + route.getId(), option, name, allowed);
    }
}
