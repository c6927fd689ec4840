package io.fencedlease.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A class fits on a screen or two. */
class SizeTest {

    private static final int MOST = 250;

    @Test
    void noClassIsLongerThan250Lines() throws IOException {
        Map<Path, Integer> sizes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                sizes.put(file, Files.readAllLines(file).size());
            }
        }

        assertThat(sizes).hasSizeGreaterThan(100);
        sizes.values().removeIf(lines -> lines <= MOST);
        assertThat(sizes).isEmpty();
    }
}
