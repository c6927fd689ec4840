package io.fencedlease.camel.sink.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each option of Camel's file producer has a decision: a new one in Camel's catalog fails this until it has one. */
class FileOptionTest {

    @Test
    void everyOptionOfTheCatalogHasADecision() throws Exception {
        Set<String> catalog = new TreeSet<>();
        try (InputStream in = getClass().getResourceAsStream("/META-INF/org/apache/camel/component/file/file.json")) {
            JsonNode options = new ObjectMapper().readTree(in).get("properties");
            options.fields().forEachRemaining(option -> {
                List<String> labels =
                        List.of(option.getValue().path("label").asText().split(","));
                if (!labels.contains("consumer")) {
                    catalog.add(option.getKey());
                }
            });
        }

        assertThat(FileOption.ALL).extracting(FileOption::name).containsExactlyInAnyOrderElementsOf(catalog);
    }

    @Test
    void thePageHasTheSameTable() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "files.md"));
        for (FileOption option : FileOption.ALL) {
            assertThat(page).contains("| `" + option.name() + "` | " + option.decision() + " |");
        }
    }
}
