package io.fencedlease.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page on configuration has each option of the catalog, and no other. */
class ConfigurationPageTest {

    /** What every component of Camel has. */
    private static final Set<String> CAMELS = Set.of("bridgeErrorHandler", "lazyStartProducer", "autowiredEnabled");

    @Test
    void thePageHasEveryOptionOfTheComponentAndNoOther() throws Exception {
        Set<String> catalog = new TreeSet<>();
        try (InputStream in = getClass().getResourceAsStream("/META-INF/io/fencedlease/camel/fencedlease.json")) {
            JsonNode options = new ObjectMapper().readTree(in).get("componentProperties");
            options.fieldNames().forEachRemaining(catalog::add);
        }
        catalog.removeAll(CAMELS);

        String page = Files.readString(Path.of("..", "docs", "configuration.md"));
        Set<String> documented = Pattern.compile("^\\| `(\\w+)` \\|", Pattern.MULTILINE)
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(documented).isEqualTo(catalog);
    }
}
