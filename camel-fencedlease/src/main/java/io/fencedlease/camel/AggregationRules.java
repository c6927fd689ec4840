package io.fencedlease.camel;

import io.fencedlease.lease.SettingRefusedException;
import java.util.Collection;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.model.AggregateDefinition;
import org.apache.camel.model.ProcessorDefinitionHelper;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.processor.aggregate.MemoryAggregationRepository;
import org.jspecify.annotations.Nullable;

/** An aggregate has one tenure or none: finds aggregators that could mix or forget it. */
final class AggregationRules {

    private AggregationRules() {}

    /** What an aggregator may not be where exchanges with a tenure come. */
    record Breach(String option, String given, String allowed) {
        @Override
        public String toString() {
            return option + " " + given + ", allowed: " + allowed;
        }
    }

    /** @throws SettingRefusedException if a leased route has such an aggregator */
    static void check(CamelContext context, String lease, RouteDefinition route) {
        Collection<AggregateDefinition> found =
                ProcessorDefinitionHelper.filterTypeInOutputs(route.getOutputs(), AggregateDefinition.class);
        for (AggregateDefinition aggregate : found) {
            breach(context, aggregate).ifPresent(breach -> {
                throw new SettingRefusedException(
                        lease, breach.option() + " of route " + route.getId(), breach.given(), breach.allowed());
            });
        }
    }

    static Optional<Breach> breach(CamelContext context, AggregateDefinition aggregate) {
        Object strategy = bean(context, aggregate.getAggregationStrategyBean(), aggregate.getAggregationStrategy());
        if (!(strategy instanceof TenureAggregation)) {
            return breach("aggregationStrategy", strategy, "TenureAggregation.of(strategy): one tenure only");
        }
        Object repository =
                bean(context, aggregate.getAggregationRepositoryBean(), aggregate.getAggregationRepository());
        if (repository != null && repository.getClass() != MemoryAggregationRepository.class) {
            return breach("aggregationRepository", repository, "in memory: a stored exchange has lost its tenure");
        }
        String discarded = "false: a discarded group would count as alive for ever";
        if (isSet(context, aggregate.getDiscardOnCompletionTimeout())) {
            return breach("discardOnCompletionTimeout", "true", discarded);
        }
        if (isSet(context, aggregate.getDiscardOnAggregationFailure())) {
            return breach("discardOnAggregationFailure", "true", discarded);
        }
        return Optional.empty();
    }

    private static boolean isSet(CamelContext context, @Nullable String flag) {
        return flag != null && Boolean.parseBoolean(context.resolvePropertyPlaceholders(flag));
    }

    private static @Nullable Object bean(CamelContext context, @Nullable Object bean, @Nullable String ref) {
        if (bean != null || ref == null) {
            return bean;
        }
        String name = context.resolvePropertyPlaceholders(ref);
        Object found = context.getRegistry().lookupByName(name.startsWith("#") ? name.substring(1) : name);
        return found == null ? name : found;
    }

    private static Optional<Breach> breach(String option, @Nullable Object given, String allowed) {
        String name = given instanceof String || given == null
                ? String.valueOf(given)
                : given.getClass().getName();
        return Optional.of(new Breach(option, name, allowed));
    }
}
