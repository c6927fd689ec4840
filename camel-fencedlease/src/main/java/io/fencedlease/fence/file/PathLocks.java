package io.fencedlease.fence.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One lock for each path in use: threads of one tenure that append to a file, or keep the old one, do so one after the
 * other. Has no part in the fence.
 */
final class PathLocks {

    private final Map<Path, Used> used = new ConcurrentHashMap<>();

    private record Used(Lock lock, int users) {
        Used with(int change) {
            return new Used(lock, users + change);
        }
    }

    interface Action {
        void run() throws IOException;
    }

    void run(Path path, Action action) throws IOException {
        Lock lock = used.compute(path, (p, known) -> (known == null ? new Used(new ReentrantLock(), 0) : known).with(1))
                .lock();
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
            used.computeIfPresent(path, (p, known) -> known.users() == 1 ? null : known.with(-1));
        }
    }
}
