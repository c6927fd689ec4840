package io.fencedlease.fence.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The files of one guarded write, until they are published. For the thread of that write only, and only while it runs.
 *
 * <p>Each file is published by one step of its own, in the order in which they were asked for. A write that is refused
 * between two of them has published the first.
 */
public final class Staging {

    private static final ThreadLocal<@Nullable Staging> CURRENT = new ThreadLocal<>();

    /** Of all fences of this JVM: one directory may be known to several, by several names. */
    private static final PathLocks LOCKS = new PathLocks();

    private static final String JVM = UUID.randomUUID().toString();
    private static final AtomicLong COUNT = new AtomicLong();

    private final Targets targets;
    private final Path folder;
    private final Disk disk;
    private final List<Staged> files = new ArrayList<>();
    private final List<Path> spare = new ArrayList<>();
    private boolean durable;

    private record Staged(
            Path file,
            Path target,
            Existing existing,
            @Nullable UnaryOperator<Path> keptAs) {}

    Staging(Targets targets, Path folder, Disk disk) {
        this.targets = targets;
        this.folder = folder;
        this.disk = disk;
    }

    /**
     * That of the guarded write this thread is in.
     *
     * @throws IllegalStateException if it is in none
     */
    public static Staging current() {
        Staging current = CURRENT.get();
        if (current == null) {
            throw new IllegalStateException("not inside a guarded write of files");
        }
        return current;
    }

    <T> T during(Callable<T> write) throws Exception {
        Staging before = CURRENT.get();
        CURRENT.set(this);
        try {
            return write.call();
        } finally {
            CURRENT.set(before);
        }
    }

    /**
     * Where to write what is to be published under a name; nothing is there yet. If nothing was written, the write fails.
     *
     * @param target below the fence's directory; its folder must exist when the write ends
     * @throws IllegalArgumentException if it is outside of the directory
     */
    public Path stage(Path target, Existing existing) {
        return add(new Staged(spare(), targets.requireInside(target), existing, null));
    }

    /**
     * As {@link #stage}; a file that is there already is kept under another name.
     *
     * @param keptAs tells that name from the target; replaces what is there
     */
    public Path stageKeeping(Path target, UnaryOperator<Path> keptAs) {
        return add(new Staged(spare(), targets.requireInside(target), Existing.REPLACE, keptAs));
    }

    /** Asks that the files are on the disk, by fsync, before they are published; not so unless asked for. */
    public void makeDurable() {
        durable = true;
    }

    private Path add(Staged staged) {
        files.add(staged);
        return staged.file();
    }

    private Path spare() {
        Path file = folder.resolve(JVM + "-" + COUNT.incrementAndGet());
        spare.add(file);
        return file;
    }

    void publish() throws IOException {
        for (Staged staged : files) {
            if (durable) {
                disk.force(staged.file());
            }
            publish(staged);
        }
    }

    /** @throws IOException if it is not known whether the names survive a power failure; they are published */
    void forceNames() throws IOException {
        if (durable) {
            for (Staged staged : files) {
                forceName(staged.target());
            }
        }
    }

    private void forceName(Path target) throws IOException {
        try {
            disk.force(target.getParent());
        } catch (IOException failed) {
            throw new IOException(target + " is published, but may not survive a power failure", failed);
        }
    }

    private void publish(Staged staged) throws IOException {
        boolean inTurn = staged.keptAs() != null || staged.existing() == Existing.APPEND;
        Path target = staged.target();
        if (inTurn || !targets.isDirectlyInside(target)) {
            target = targets.real(target);
        }
        if (inTurn) {
            Path real = target;
            LOCKS.run(real, () -> publishInTurn(staged, real));
        } else if (staged.existing() == Existing.FAIL) {
            disk.link(staged.file(), target);
        } else {
            move(staged.file(), target);
        }
    }

    private void publishInTurn(Staged staged, Path target) throws IOException {
        UnaryOperator<Path> keptAs = staged.keptAs();
        if (keptAs == null) {
            append(staged, target);
        } else {
            keepAndReplace(staged, target, keptAs);
        }
    }

    /** The old file gets its other name through the stage, or a stale writer could move it away. */
    private void keepAndReplace(Staged staged, Path target, UnaryOperator<Path> keptAs) throws IOException {
        if (disk.exists(target)) {
            Path kept = targets.real(targets.requireInside(keptAs.apply(staged.target())));
            Path old = spare();
            disk.link(target, old);
            disk.move(old, kept);
        }
        move(staged.file(), target);
    }

    private void append(Staged staged, Path target) throws IOException {
        Path whole = staged.file();
        if (disk.exists(target)) {
            whole = spare();
            disk.copy(target, whole);
            disk.append(whole, staged.file());
            if (durable) {
                disk.force(whole);
            }
        }
        move(whole, target);
    }

    private void move(Path file, Path target) throws IOException {
        disk.move(file, target);
        spare.remove(file);
    }

    /** What was not published, and second names of what was. The next raise takes what is left. */
    void clear() {
        for (Path file : spare) {
            try {
                disk.delete(file);
            } catch (IOException left) {
                // or its folder is gone
            }
        }
    }
}
