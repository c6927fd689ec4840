package io.fencedlease.fence.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** A disk whose user waits before one of its steps; one thread only. No power fails here, so nothing is forced. */
final class StoppingDisk extends Disk {

    /** Returns when the user may go on. */
    interface Stop {
        void at(String step) throws IOException;
    }

    private final Thread user = Thread.currentThread();
    private final Stop stop;
    private int left = -1;

    StoppingDisk(Stop stop) {
        this.stop = stop;
    }

    /** Counted from 0, from now; once. */
    void stopAt(int step) {
        left = step;
    }

    @Override
    void before(String step, Path path) throws IOException {
        if (Thread.currentThread() == user && left >= 0 && left-- == 0) {
            stop.at(step + " " + path.getFileName());
        }
    }

    @Override
    void force(Path path) throws IOException {
        before("force", path);
    }

    /** With a step in the middle of the file. */
    @Override
    void write(Path file, byte[] content) throws IOException {
        before("write", file);
        int half = content.length / 2;
        Files.write(file, Arrays.copyOf(content, half), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        before("write on", file);
        Files.write(file, Arrays.copyOfRange(content, half, content.length), StandardOpenOption.APPEND);
        force(file);
    }

    /** As {@link #write}. */
    @Override
    void copy(Path from, Path to) throws IOException {
        before("copy", from);
        byte[] content = Files.readAllBytes(from);
        Files.write(to, Arrays.copyOf(content, content.length / 2), StandardOpenOption.CREATE_NEW);
        before("copy on", from);
        Files.write(to, content);
    }
}
