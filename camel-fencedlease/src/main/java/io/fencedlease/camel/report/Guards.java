package io.fencedlease.camel.report;

import java.util.Set;
import java.util.stream.Collectors;
import org.apache.camel.model.SendDefinition;
import org.apache.camel.model.TransactedDefinition;
import org.jspecify.annotations.Nullable;

/** Guards that fence all of a transaction on one data source. */
final class Guards {

    private Guards() {}

    /** The data sources, by name, that a transaction has a guard for whatever happens in it. */
    static Set<String> in(TransactedDefinition transacted, RouteTexts texts) {
        return transacted.getOutputs().stream()
                .filter(output -> output instanceof SendDefinition<?> && !texts.isTrue(output.getDisabled()))
                .map(output -> EndpointText.fixed(texts.uri(((SendDefinition<?>) output).getEndpointUri())))
                .filter(target ->
                        target.scheme().equals("fencedlease") && target.path().contains(":guard:"))
                .map(target -> bean(target.options().get("fence.dataSource")))
                .collect(Collectors.toSet());
    }

    /** Whether a statement there is part of a guarded transaction. */
    static boolean cover(Set<String> guarded, EndpointText target) {
        return target.scheme().equals("sql")
                        && guarded.contains(bean(target.options().get("dataSource")))
                || target.scheme().equals("jdbc") && guarded.contains(target.path());
    }

    private static String bean(@Nullable String reference) {
        return reference == null ? "" : reference.replaceFirst("^#(bean:)?", "");
    }
}
