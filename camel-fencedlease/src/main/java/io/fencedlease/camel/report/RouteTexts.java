package io.fencedlease.camel.report;

import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.spi.PropertiesComponent;
import org.jspecify.annotations.Nullable;

/** Texts of one route's model as the route means them: placeholders resolved, with its template's parameters. */
final class RouteTexts {

    private final CamelContext context;
    private final @Nullable Properties parameters;

    RouteTexts(CamelContext context, RouteDefinition route) {
        this.context = context;
        Map<String, Object> given = route.getTemplateParameters();
        this.parameters = given == null || given.isEmpty() ? null : new Properties();
        if (parameters != null) {
            given.forEach((name, value) -> parameters.setProperty(name, String.valueOf(value)));
        }
    }

    /** With placeholders that cannot be resolved left as they are. */
    String resolved(String text) {
        if (!text.contains("{{")) {
            return text;
        }
        try {
            return withParameters(() -> context.resolvePropertyPlaceholders(text));
        } catch (RuntimeException unresolvable) {
            return text;
        }
    }

    private String withParameters(Supplier<String> resolving) {
        if (parameters == null) {
            return resolving.get();
        }
        PropertiesComponent properties = context.getPropertiesComponent();
        Properties before = properties.getLocalProperties();
        properties.setLocalProperties(parameters);
        try {
            return resolving.get();
        } finally {
            properties.setLocalProperties(before);
        }
    }

    /** The URI behind a placeholder or a reference. */
    String uri(String text) {
        String uri = resolved(text);
        if (!uri.startsWith("ref:")) {
            return uri;
        }
        Endpoint found = context.getRegistry().lookupByNameAndType(uri.substring("ref:".length()), Endpoint.class);
        return found == null ? uri : found.getEndpointUri();
    }

    boolean isTrue(@Nullable String flag) {
        return flag != null && Boolean.parseBoolean(resolved(flag));
    }
}
