package io.fencedlease.examples.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as run.sh starts it, with real JVMs and real signals. Its two standard runs are CI's own. */
class DemoIT {

    private static final Duration LIMIT = Duration.ofMinutes(4);

    @TempDir
    Path folder;

    private Process demo;
    private List<ProcessHandle> children = List.of();

    @AfterEach
    void end() {
        children.forEach(ProcessHandle::destroyForcibly);
        demo.descendants().forEach(ProcessHandle::destroyForcibly);
        demo.destroyForcibly();
    }

    @Test
    void theVerdictHoldsAlsoAmongThreeNodes() throws Exception {
        start("--nodes", "3");

        assertThat(exitCode()).as(this::output).isZero();
        assertThat(output()).contains("HOLDS", "paused before its write", "paused inside its transaction");
        assertThat(folder.resolve("failover.html")).exists();
        nothingIsLeft();
    }

    @Test
    void endedWhileANodeIsPausedItLeavesNothingBehind() throws Exception {
        start();
        await().atMost(LIMIT).until(() -> output().contains("SIGSTOP") || !demo.isAlive());
        children = demo.descendants().toList();
        assertThat(children).hasSizeGreaterThanOrEqualTo(3);

        demo.destroy();

        assertThat(exitCode()).isEqualTo(128 + 15);
        nothingIsLeft();
    }

    private void start(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + folder,
                "-Dpage.folder=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                Demo.class.getName()));
        command.addAll(List.of(options));
        demo = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
    }

    private int exitCode() throws InterruptedException {
        assertThat(demo.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as(this::output)
                .isTrue();
        return demo.exitValue();
    }

    private String output() {
        try {
            return Files.readString(folder.resolve("output"));
        } catch (IOException none) {
            return "";
        }
    }

    private void nothingIsLeft() throws IOException {
        await().atMost(Duration.ofSeconds(20)).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).noneMatch(Files::isDirectory);
        }
    }
}
