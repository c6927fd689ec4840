package io.fencedlease.camel;

import io.fencedlease.camel.report.Outputs;
import io.fencedlease.camel.sink.NamedBeans;
import io.fencedlease.lease.SettingRefusedException;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.NamedNode;
import org.apache.camel.model.AggregateDefinition;
import org.apache.camel.model.AggregationStrategyAwareDefinition;
import org.apache.camel.model.MulticastDefinition;
import org.apache.camel.model.RecipientListDefinition;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.model.SplitDefinition;
import org.apache.camel.processor.aggregate.MemoryAggregationRepository;
import org.jspecify.annotations.Nullable;

/** An aggregate has one tenure or none: finds strategies that could mix it, forget it or hold it for ever. */
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
        Outputs.within(route.getOutputs())
                .flatMap(step -> breach(context, step).stream())
                .forEach(breach -> {
                    throw new SettingRefusedException(
                            lease, breach.option() + " of route " + route.getId(), breach.given(), breach.allowed());
                });
    }

    static Optional<Breach> breach(CamelContext context, NamedNode step) {
        if (step instanceof AggregateDefinition aggregate) {
            return breachOfAggregate(context, aggregate);
        }
        // what it gathers there goes on at once, and would stay counted
        return strategyOf(context, step) instanceof TenureAggregation
                ? breach(
                        "aggregationStrategy",
                        TenureAggregation.class.getName(),
                        "the strategy without TenureAggregation: the parts of a " + step.getShortName()
                                + " have one tenure anyway")
                : Optional.empty();
    }

    private static @Nullable Object strategyOf(CamelContext context, NamedNode step) {
        if (step instanceof SplitDefinition split) {
            return bean(context, split.getAggregationStrategyBean(), split.getAggregationStrategy());
        }
        if (step instanceof MulticastDefinition multicast) {
            return bean(context, multicast.getAggregationStrategyBean(), multicast.getAggregationStrategy());
        }
        if (step instanceof RecipientListDefinition<?> list) {
            return bean(context, list.getAggregationStrategyBean(), list.getAggregationStrategy());
        }
        return step instanceof AggregationStrategyAwareDefinition<?> other
                ? bean(context, other.getAggregationStrategyBean(), other.getAggregationStrategyRef())
                : null;
    }

    private static Optional<Breach> breachOfAggregate(CamelContext context, AggregateDefinition aggregate) {
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
        return NamedBeans.find(context, name, Object.class).orElse(name);
    }

    private static Optional<Breach> breach(String option, @Nullable Object given, String allowed) {
        String name = given instanceof String || given == null
                ? String.valueOf(given)
                : given.getClass().getName();
        return Optional.of(new Breach(option, name, allowed));
    }
}
