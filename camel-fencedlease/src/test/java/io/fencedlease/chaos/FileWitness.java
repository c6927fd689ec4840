package io.fencedlease.chaos;

import static org.awaitility.Awaitility.await;

import io.fencedlease.chaos.Judge.Fact;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/** Reads each file that appears in a lease's directory, in the order in which the kernel tells it. */
final class FileWitness implements AutoCloseable {

    /** A file's time is that of the last tick of the kernel's clock. */
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(50);

    private final Path folder;
    private final WatchService watch;
    private final Map<WatchKey, Path> directories = new HashMap<>();
    private final List<Fact> facts = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();

    FileWitness(ChaosOptions options) throws IOException {
        folder = Files.createTempDirectory(options.folder(), ChaosSink.FILES);
        watch = folder.getFileSystem().newWatchService();
        for (String lease : options.leases()) {
            Path directory = Files.createDirectory(folder.resolve(lease));
            directories.put(directory.register(watch, StandardWatchEventKinds.ENTRY_CREATE), directory);
        }
        Thread thread = new Thread(this::watch, "file-witness");
        thread.setDaemon(true);
        thread.start();
    }

    /** With a directory for each lease. */
    Path folder() {
        return folder;
    }

    private void watch() {
        try {
            while (true) {
                WatchKey key = watch.take();
                Path directory = directories.get(key);
                for (WatchEvent<?> event : key.pollEvents()) {
                    if (event.kind() == StandardWatchEventKinds.OVERFLOW) {
                        seeAll(directory);
                    } else {
                        see(directory.resolve(event.context().toString()));
                    }
                }
                key.reset();
            }
        } catch (ClosedWatchServiceException over) {
            // of this run
        } catch (InterruptedException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The kernel forgot their order: the most innocent one. */
    private synchronized void seeAll(Path directory) throws IOException {
        List<Fact> found = new ArrayList<>();
        for (Path file : published(directory)) {
            if (!seen.contains(file.getFileName().toString())) {
                found.add(read(file));
            }
        }
        found.sort(Comparator.comparingLong(Fact::token));
        found.forEach(this::add);
    }

    private synchronized void see(Path file) throws IOException {
        String name = file.getFileName().toString();
        if (!name.startsWith(".") && !seen.contains(name)) {
            add(read(file));
        }
    }

    private void add(Fact fact) {
        seen.add(fact.attempt());
        facts.add(fact);
    }

    private Fact read(Path file) throws IOException {
        String[] text = Files.readString(file).split(" ");
        long now = System.nanoTime();
        Instant changed = ((FileTime) Files.getAttribute(file, "unix:ctime")).toInstant();
        long age = Duration.between(changed, Instant.now()).toNanos();
        return new Fact(
                ChaosSink.FILES,
                facts.size() + 1L,
                false,
                file.getParent().getFileName().toString(),
                Long.parseLong(text[0]),
                text[1],
                text[2],
                text[3],
                Math.min(now, now - age - TICK),
                now);
    }

    private static List<Path> published(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .toList();
        }
    }

    /** For each lease, how many files had appeared when its last one did. */
    synchronized Map<String, Long> lastWrites() {
        Map<String, Long> last = new HashMap<>();
        facts.forEach(fact -> last.merge(fact.lease(), fact.order(), Math::max));
        return last;
    }

    /** How many appeared after one of a higher token. */
    synchronized long staleFiles() {
        Map<String, Long> highest = new HashMap<>();
        return facts.stream()
                .filter(fact -> highest.merge(fact.lease(), fact.token(), Math::max) > fact.token())
                .count();
    }

    /** Everything that is there, in its order. */
    List<Fact> facts() {
        await().atMost(ChaosRun.PATIENCE)
                .until(() -> directories.values().stream().allMatch(this::isSeen));
        synchronized (this) {
            return List.copyOf(facts);
        }
    }

    private synchronized boolean isSeen(Path directory) {
        try {
            return published(directory).stream()
                    .allMatch(file -> seen.contains(file.getFileName().toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            watch.close();
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
