package io.fencedlease.faults;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Finds a Consul binary, or provides one: system property {@code consul.binary}, the PATH, {@code target/consul} from an
 * earlier build, Debian's package, a Docker image (system property {@code consul.image}). Fails with an instruction
 * where none of them works; a build without Consul never passes in silence.
 */
public final class ConsulBinary {

    private static final Logger LOG = LoggerFactory.getLogger(ConsulBinary.class);
    private static final Path CACHED = Path.of("target", "consul", "consul").toAbsolutePath();
    private static final String IMAGE = System.getProperty("consul.image", "hashicorp/consul:1.20");

    private ConsulBinary() {}

    /** @throws IllegalStateException with what to do, if there is no Consul */
    public static synchronized Path find() {
        String given = System.getProperty("consul.binary", "");
        if (!given.isBlank()) {
            return usable(Path.of(given))
                    .orElseThrow(() -> new IllegalStateException("consul.binary: given " + given
                            + ", allowed: an executable Consul of this machine's architecture"));
        }
        return inPath().or(() -> usable(CACHED))
                .or(ConsulBinary::fromDebian)
                .or(ConsulBinary::fromDocker)
                .orElseThrow(() -> new IllegalStateException(
                        "These tests need a real Consul, and none was found. Put `consul` into the PATH, or pass"
                                + " -Dconsul.binary=<file>, or start Docker (image by -Dconsul.image, now " + IMAGE
                                + "). On Debian the package is fetched by .ci/consul.sh; its output is above."
                                + " To leave these tests out: -DexcludeConsul."));
    }

    private static Optional<Path> inPath() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "consul"))
                .filter(Files::isExecutable)
                .flatMap(file -> usable(file).stream())
                .findFirst();
    }

    private static Optional<Path> fromDebian() {
        Path script = script();
        if (!Files.isExecutable(Path.of("/usr/bin/apt-get")) || !Files.exists(script)) {
            return Optional.empty();
        }
        LOG.info("no Consul in the PATH; fetching Debian's package into {}", CACHED);
        run("bash", script.toString(), CACHED.toString());
        return usable(CACHED);
    }

    /** The script of the repository, wherever in it the tests were started. */
    private static Path script() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            Path script = folder.resolve(".ci/consul.sh");
            if (Files.exists(script)) {
                return script;
            }
        }
        return Path.of(".ci/consul.sh");
    }

    private static Optional<Path> fromDocker() {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            return Optional.empty();
        }
        LOG.info("no Consul in the PATH; copying it out of the image {}", IMAGE);
        try (GenericContainer<?> box = new GenericContainer<>(DockerImageName.parse(IMAGE))) {
            box.start();
            Files.createDirectories(CACHED.getParent());
            Path copy = Files.createTempFile(CACHED.getParent(), "consul", ".copy");
            box.copyFileFromContainer("/bin/consul", copy.toString());
            copy.toFile().setExecutable(true);
            Files.move(copy, CACHED, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (Exception e) {
            LOG.warn("no Consul out of the image {}: {}", IMAGE, e.toString());
        }
        return usable(CACHED);
    }

    private static Optional<Path> usable(Path file) {
        return Files.isExecutable(file) && run(file.toString(), "version") ? Optional.of(file) : Optional.empty();
    }

    private static boolean run(String... command) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            boolean quiet = command.length == 2;
            Process process =
                    (quiet ? builder.redirectOutput(ProcessBuilder.Redirect.DISCARD) : builder.inheritIO()).start();
            if (!process.waitFor(5, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException notForThisMachine) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
