package io.fencedlease.camel.sink;

import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.apache.camel.CamelContext;

/** Beans of a context's registry by the names that options give them, and back. Makes none. */
public final class NamedBeans {

    private NamedBeans() {}

    /** @param reference {@code name}, {@code #name} or {@code #bean:name} */
    public static <T> Optional<T> find(CamelContext context, String reference, Class<T> type) {
        return Optional.ofNullable(context.getRegistry().lookupByNameAndType(name(reference), type));
    }

    /** The name in a reference; what is none stays as it is. */
    public static String name(String reference) {
        return reference.replaceFirst("^#(bean:)?", "");
    }

    /** What people call a data source: its name in the registry, or its class if it is not there. */
    public static String nameOf(CamelContext context, DataSource dataSource) {
        return context.getRegistry().findByTypeWithName(DataSource.class).entrySet().stream()
                .filter(entry -> entry.getValue() == dataSource)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(dataSource.getClass().getSimpleName());
    }
}
