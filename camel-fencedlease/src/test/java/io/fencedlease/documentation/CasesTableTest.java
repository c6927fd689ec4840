package io.fencedlease.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Goal: the table of cases in docs/testing.md is complete and true. Method: it is read, and so are the tests it names: each
 * exists and carries the case's number.
 */
class CasesTableTest {

    private static final int[] PUBLIC_CASES = {
        1, 3, 4, 6, 8, 9, 10, 11, 13, 14, 17, 19, 20, 21, 22, 23, 24, 25, 27, 28, 29, 30, 31, 33, 34, 35, 36, 38, 40,
        42, 44, 45, 47, 48, 49, 51, 52, 54, 55, 56, 57, 59, 60, 62, 64, 65, 66, 67, 68, 69, 70, 71, 74, 75, 76, 78, 79,
        80, 82, 83, 85, 86, 88, 91, 93
    };

    private record Row(List<String> cases, String reports, String here) {

        List<String> tests() {
            return Pattern.compile("`(\\w+\\.\\w+)`")
                    .matcher(here)
                    .results()
                    .map(found -> found.group(1))
                    .toList();
        }
    }

    @Test
    void everyCaseIsListedOnceWithItsReports() throws IOException {
        List<String> all = Stream.concat(
                        IntStream.rangeClosed(1, 7).mapToObj(i -> "M" + i),
                        Arrays.stream(PUBLIC_CASES).mapToObj(i -> "T%02d".formatted(i)))
                .toList();

        assertThat(rows().stream().flatMap(row -> row.cases().stream())).containsExactlyInAnyOrderElementsOf(all);
        assertThat(rows()).allSatisfy(row -> assertThat(row.reports()).isNotBlank());
    }

    @Test
    void everyCaseHasATestOrALaterHomeOrAReason() throws IOException {
        assertThat(rows()).allSatisfy(row -> assertThat(row.here())
                .containsPattern("`\\w+\\.\\w+`|^later: \\w|^not applicable: \\w"));
    }

    @Test
    void everyTestItNamesExistsAndSaysWhichCaseItIs() throws IOException {
        Map<String, Path> sources = sources();
        for (Row row : rows()) {
            for (String test : row.tests()) {
                String[] names = test.split("\\.");
                assertThat(sources).as(test).containsKey(names[0]);
                assertThat(comments(sources.get(names[0]), names[1]))
                        .as("comment above %s", test)
                        .anySatisfy(comment -> assertThat(comment).contains(row.cases()));
            }
        }
    }

    private static List<Row> rows() throws IOException {
        return Pattern.compile("^\\| ([MT]\\d[^|]*) \\| ([^|]*) \\| [^|]* \\| (.*) \\|$", Pattern.MULTILINE)
                .matcher(Files.readString(Path.of("..", "docs", "testing.md")))
                .results()
                .map(row -> new Row(List.of(row.group(1).split(", ")), row.group(2), row.group(3)))
                .toList();
    }

    private static Map<String, Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src", "test", "java"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("package-info.java"))
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""),
                            file -> file,
                            (one, other) -> one));
        }
    }

    /** The comments right above a test; none if there is no such test. */
    private static List<String> comments(Path source, String method) throws IOException {
        List<String> lines = Files.readAllLines(source);
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).matches("    (public |final )*void " + method + "\\(.*")) {
                int first = i;
                while (!lines.get(first - 1).isBlank()) {
                    first--;
                }
                return lines.subList(first, i).stream()
                        .filter(line -> line.strip().startsWith("// "))
                        .toList();
            }
        }
        return List.of();
    }
}
