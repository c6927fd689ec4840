package io.fencedlease.fence.file;

import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.Tenure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Threads that publish under one tenure until they are refused: each file under a name of its own, in a folder named by
 * the token, by a rename or by a link; and one of them now and then a file that all tenures replace.
 */
final class BusyWriters {

    /** All tenures replace it. */
    static final String STATE = "state";

    private static final int THREADS = 4;
    private static final int AT_FULL_SPEED = 5;

    private final FileFence fence;
    private final Path directory;
    private final Tenure tenure;
    private final CountDownLatch began = new CountDownLatch(THREADS);
    private final List<Thread> threads = new ArrayList<>();
    private volatile @Nullable Throwable failure;

    BusyWriters(FileFence fence, Path directory, Tenure tenure) {
        this.fence = fence;
        this.directory = directory;
        this.tenure = tenure;
    }

    /** Returns when each of them has published something. */
    void begin() throws Exception {
        Path folder = Files.createDirectories(folder(directory, tenure.token().value()));
        for (int i = 0; i < THREADS; i++) {
            Existing existing = i % 2 == 0 ? Existing.REPLACE : Existing.FAIL;
            String name = existing + "-" + i + "-";
            boolean state = i == 0;
            Thread thread = new Thread(() -> run(folder, name, existing, state), name);
            thread.start();
            threads.add(thread);
        }
        if (!began.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException(tenure + " cannot write", failure);
        }
    }

    /** Waits for the end of all of them. */
    void requireRefused() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(60));
            if (thread.isAlive()) {
                throw new IllegalStateException(tenure + " is not refused");
            }
        }
        if (failure != null) {
            throw new IllegalStateException(tenure + " met something else", failure);
        }
    }

    private void run(Path folder, String name, Existing existing, boolean state) {
        try {
            for (int n = 0; true; n++) {
                publish(folder.resolve(name + n), existing);
                if (state && n % AT_FULL_SPEED == 0) {
                    publish(directory.resolve(STATE), Existing.REPLACE);
                }
                began.countDown();
                if (n > AT_FULL_SPEED) {
                    Thread.sleep(2);
                }
            }
        } catch (FencedOutException expected) {
            // as it shall be
        } catch (Exception e) {
            failure = e;
        }
    }

    private void publish(Path target, Existing existing) throws Exception {
        fence.guardFiles(tenure, staging -> Files.writeString(staging.stage(target, existing), content(tenure)));
    }

    static String content(Tenure tenure) {
        return "begins " + tenure.token() + " ends";
    }

    static Path folder(Path directory, long token) {
        return directory.resolve("token-" + token);
    }

    /** The files of this tenure; each of them is looked into by the reader. */
    static List<Path> published(Path directory, long token) throws IOException {
        Path folder = folder(directory, token);
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
