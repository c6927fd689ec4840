package io.fencedlease.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The promises hold in every schedule; see {@link Simulation} for the properties. */
class SimulationTest {

    @Test
    void noScheduleBreaksAPromise() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
        for (String property : List.of("simulation.seed", "simulation.schedules")) {
            if (System.getProperty(property) != null) {
                command.add("-D" + property + "=" + System.getProperty(property));
            }
        }
        boolean replay = "1".equals(System.getProperty("simulation.schedules"));
        command.add("-Dorg.slf4j.simpleLogger.log.io.fencedlease=" + (replay ? "debug" : "off"));
        command.add("-Dorg.slf4j.simpleLogger.logFile=" + new File("target/simulation.log"));
        command.add(Simulation.class.getName());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .start(); // its input is a pipe of ours: it ends when we do
        try (var output = process.inputReader()) {
            StringBuilder told = new StringBuilder();
            output.lines().forEach(line -> {
                System.out.println(line);
                if (told.length() < 20_000) {
                    told.append(line).append('\n');
                }
            });
            assertThat(process.waitFor()).as("%s", told).isZero();
        } finally {
            process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void oneSeedIsOneHistory() {
        assertThat(textOf(4711)).hasSizeGreaterThan(100).isEqualTo(textOf(4711));
    }

    private static List<String> textOf(long seed) {
        Schedule schedule = new Schedule(seed);
        schedule.run();
        return schedule.history().events().stream().map(Object::toString).toList();
    }
}
