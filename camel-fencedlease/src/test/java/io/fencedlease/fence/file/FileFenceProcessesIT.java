package io.fencedlease.fence.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: between processes, nothing of a tenure is published after the raise of a later one has returned, nobody waits for
 * a paused one, and a killed one leaves no half file and no litter. Method: JVMs of their own that are stopped and killed
 * before each of their steps; this one only reads what they publish.
 */
class FileFenceProcessesIT {

    private static final int HAND_OVERS = Integer.getInteger("fence.handOvers", 1000);

    /** Every so many hand-overs the raise meets a writer that is stopped wherever it is. */
    private static final int STOPPED = 25;

    /** More than any of them has. */
    private static final int STEPS = 60;

    /** Takes milliseconds; but machines have other work. */
    private static final Duration RAISE = Duration.ofSeconds(10);

    @TempDir
    Path temp;

    private final Deque<WriterProcess> processes = new ArrayDeque<>();
    private final List<String> stops = new ArrayList<>();
    private final AtomicBoolean over = new AtomicBoolean();

    @AfterEach
    void kill() {
        over.set(true);
        processes.forEach(WriterProcess::close);
    }

    private WriterProcess start() {
        WriterProcess process = new WriterProcess();
        processes.add(process);
        return process;
    }

    @Test
    void overAThousandHandOversBetweenTwoProcessesNothingIsPublishedByATenureAfterTheNextWasRaised() throws Exception {
        CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(this::readState);
        List<Integer> atRaise = new ArrayList<>();
        WriterProcess[] nodes = {start(), start()};
        for (WriterProcess node : nodes) {
            assertThat(node.ask("open " + temp)).isEqualTo("done");
        }
        assertThat(nodes[1].ask("takeOver 1")).isEqualTo("done 0");
        for (int n = 1; n <= HAND_OVERS; n++) {
            WriterProcess own = nodes[n % 2];
            assertThat(own.ask("begin " + n)).isEqualTo("done");
            boolean stopped = n % STOPPED == 0;
            if (stopped) {
                own.pause();
            }
            String raised = nodes[(n + 1) % 2].ask("takeOver " + (n + 1));
            assertThat(raised).startsWith("done ");
            atRaise.add(Integer.parseInt(raised.substring(5)));
            if (stopped) {
                own.resume();
            }
        }
        assertThat(nodes[HAND_OVERS % 2].ask("takeOver " + (HAND_OVERS + 2))).isEqualTo("done 0");
        over.set(true);

        assertThat(reader.get(60, TimeUnit.SECONDS)).isPositive();
        for (int n = 1; n <= HAND_OVERS; n++) {
            List<Path> published = BusyWriters.published(temp, n);
            assertThat(published).as("files of token %d", n).isNotEmpty().hasSize(atRaise.get(n - 1));
            for (Path file : published) {
                assertThat(file).hasContent(BusyWriters.content(WriterMain.tenure(n)));
            }
        }
    }

    /** As a third party does: each time the file is whole, and never of a lower token than the time before. How often. */
    private int readState() {
        int reads = 0;
        long highest = 0;
        while (!over.get()) {
            try {
                String[] content =
                        Files.readString(temp.resolve(BusyWriters.STATE)).split(" ");
                assertThat(content).hasSize(3).startsWith("begins").endsWith("ends");
                long token = Long.parseLong(content[1]);
                assertThat(token).isGreaterThanOrEqualTo(highest);
                highest = token;
                reads++;
                LockSupport.parkNanos(100_000);
            } catch (NoSuchFileException notYet) {
                assertThat(reads).isZero();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
        return reads;
    }

    @ParameterizedTest
    @EnumSource
    void aWriterStoppedAtAnyStepHoldsUpNobodyAndItsFileDoesNotAppearAfterTheRaise(Way way) throws Exception {
        WriterProcess writer = start();
        WriterProcess other = start();
        for (int step = 0; true; step++) {
            Path directory = directory(step);
            way.prepare(directory);
            assertDone(writer, "open " + directory, "raise 7", "stopAt " + step);
            String at = stop(writer, "write 7 " + way);
            if (at.equals("done")) {
                assertStopped("read mark", "stage on", "staged", way == Way.FAIL ? "link" : "move");
                return;
            }
            Map<String, String> before = files(directory);
            writer.pause();
            assertDone(other, "open " + directory);
            raiseInTime(other);
            assertThat(files(directory)).isEqualTo(before);
            writer.tell("go");
            writer.resume();

            boolean published = before.getOrDefault("a", "").contains("of 7");
            String end = writer.answer();
            if (!published || !end.equals("done")) {
                assertThat(end).as("stopped %s", at).isEqualTo("fenced out by 9");
            }
            assertThat(files(directory)).as("stopped %s", at).isEqualTo(before);
            assertThat(writer.ask("write 7 REPLACE")).isEqualTo("fenced out by 9");
            assertDone(other, "write 9 REPLACE");
        }
    }

    @Test
    void aRaiseStoppedAtAnyStepHoldsUpNobodyAndLowersNothing() throws Exception {
        WriterProcess late = start();
        WriterProcess other = start();
        for (int step = 0; true; step++) {
            Path directory = directory(step);
            assertDone(other, "open " + directory, "raise 5");
            assertDone(late, "open " + directory, "stopAt " + step);
            String at = stop(late, "raise 7");
            if (at.equals("done")) {
                assertStopped("createFolder", "write mark", "write on mark", "force", "move", "delete");
                return;
            }
            late.pause();
            raiseInTime(other);
            assertDone(other, "write 9 REPLACE");
            late.tell("go");
            late.resume();

            assertThat(late.answer()).as("stopped %s", at).matches("done|raise refused by 9|failed: .*Unavailable.*");
            assertThat(late.ask("write 7 REPLACE")).isEqualTo("fenced out by 9");
            assertThat(late.ask("raise 7")).isEqualTo("raise refused by 9");
            assertDone(other, "write 9 REPLACE");
            assertThat(files(directory)).containsExactly(Map.entry("a", "of 9"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWriterKilledAtAnyStepLeavesNoHalfFileAndNoLitter(Way way) throws Exception {
        killAtEachStep("write 7 " + way, directory -> {
            way.prepare(directory);
            return List.of("raise 7");
        });
        assertStopped("read mark", "stage on", "staged", way == Way.FAIL ? "link" : "move");
    }

    @Test
    void aRaiseKilledAtAnyStepHarmsNobody() throws Exception {
        killAtEachStep("raise 7", directory -> List.of("raise 5"));
        assertStopped("createFolder", "write mark", "write on mark", "force", "move", "delete");
    }

    @Test
    void theFirstRaiseKilledAtAnyStepHarmsNobody() throws Exception {
        killAtEachStep("raise 7", directory -> List.of());
        assertStopped("createFolder .fencedlease", "createFolder", "write mark", "write on mark", "force", "move");
    }

    private interface Preparation {
        /** What the victim is to do before. */
        List<String> prepare(Path directory) throws IOException;
    }

    /** Each victim first looks after what the one before it has left. */
    private void killAtEachStep(String command, Preparation preparation) throws Exception {
        Deque<WriterProcess> starting = new ArrayDeque<>(List.of(start(), start()));
        Map<String, String> before = Map.of();
        for (int step = 0; true; step++) {
            WriterProcess victim = starting.remove();
            starting.add(start());
            if (step > 0) {
                assertHarmless(victim, temp.resolve("d" + (step - 1)), before);
            }
            Path directory = directory(step);
            assertDone(victim, "open " + directory);
            assertDone(victim, preparation.prepare(directory).toArray(String[]::new));
            before = files(directory);
            assertDone(victim, "stopAt " + step);
            String at = stop(victim, command);
            victim.close();
            if (at.equals("done")) {
                assertHarmless(starting.remove(), directory, before);
                return;
            }
        }
    }

    /** Sends a command that stops on its way, and says where, or is done. */
    private String stop(WriterProcess process, String command) {
        String answer = process.ask(command);
        stops.add(answer);
        assertThat(answer).matches("at .+|done");
        return answer;
    }

    /** At least at these steps, in this order. */
    private void assertStopped(String... steps) {
        List<String> expected = new ArrayList<>(List.of(steps));
        stops.forEach(stop -> {
            if (!expected.isEmpty() && stop.startsWith("at " + expected.get(0))) {
                expected.remove(0);
            }
        });
        assertThat(expected).as("stopped %s", stops).isEmpty();
    }

    private static void raiseInTime(WriterProcess other) {
        long before = System.nanoTime();
        assertDone(other, "raise 9");
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(RAISE);
    }

    private static void assertHarmless(WriterProcess fresh, Path directory, Map<String, String> before)
            throws IOException {
        Map<String, String> seen = files(directory);
        String old = before.getOrDefault("a", "");
        assertThat(seen.getOrDefault("a", "")).isIn(old, old + "of 7", "of 7");
        assertThat(seen.getOrDefault("kept", "old;")).isEqualTo("old;");
        assertThat(seen.keySet()).isSubsetOf("a", "kept");

        assertDone(fresh, "open " + directory, "raise 8");
        assertThat(files(directory)).isEqualTo(seen);
        assertDone(fresh, "write 8 REPLACE");
        assertThat(fresh.ask("write 7 REPLACE")).isEqualTo("fenced out by 8");
        try (Stream<Path> left = Files.walk(directory.resolve(FileFence.FOLDER))) {
            assertThat(left.filter(Files::isRegularFile))
                    .singleElement()
                    .satisfies(mark -> assertThat(mark).content().contains("token 8"));
        }
        try (Stream<Path> left = Files.walk(directory.resolve(FileFence.FOLDER))) {
            // itself, the lease, the tenure, the mark
            assertThat(left).hasSize(4);
        }
    }

    private static void assertDone(WriterProcess process, String... commands) {
        for (String command : commands) {
            assertThat(process.ask(command)).as(command).isEqualTo("done");
        }
    }

    private Path directory(int step) throws IOException {
        assertThat(step).isLessThan(STEPS);
        return Files.createDirectory(temp.resolve("d" + step));
    }

    private static Map<String, String> files(Path directory) throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                content.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return content;
    }
}
