package io.fencedlease.fence.file;

import io.fencedlease.contract.FenceContract;
import io.fencedlease.fence.Fence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes with a fence each for one fresh directory. */
abstract class FileFenceBench extends FenceContract {

    @TempDir
    Path directory;

    FileFence here;
    FileFence there;

    @BeforeEach
    void open() {
        here = new FileFence(LEASE, directory);
        there = new FileFence(LEASE, directory);
    }

    @Override
    protected Fence fence() {
        return here;
    }

    @Override
    protected Fence elsewhere() {
        return there;
    }

    @Override
    protected Callable<Void> write(String what) {
        return write(what, Existing.REPLACE);
    }

    Callable<Void> write(String what, Existing existing) {
        return () -> {
            Files.writeString(Staging.current().stage(directory.resolve(what), existing), what);
            return null;
        };
    }

    @Override
    protected List<String> written() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals(FileFence.FOLDER))
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    protected Duration raiseTimeout() {
        return Duration.ZERO;
    }

    Path leaseFolder() {
        return directory.resolve(FileFence.FOLDER).resolve(LEASE.value());
    }

    /** The folder of the only tenure. */
    Path tenureFolder() throws IOException {
        try (Stream<Path> folders = Files.list(leaseFolder())) {
            List<Path> all = folders.toList();
            if (all.size() != 1) {
                throw new IllegalStateException("not one: " + all);
            }
            return all.get(0);
        }
    }
}
