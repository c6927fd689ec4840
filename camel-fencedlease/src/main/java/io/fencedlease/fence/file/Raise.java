package io.fencedlease.fence.file;

import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.Tenure;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lifts the mark: puts the folder of the new tenure beside the others, looks whether it is the highest, and takes the
 * lower ones away. Each step may be the last one of this process.
 */
final class Raise {

    private static final Pattern FIRST = Pattern.compile("\\.new-(.+)-(\\d+)-[0-9a-f-]{36}");

    private final Disk disk;
    private final Marks marks;
    private final String resource;
    private final Path root;
    private final Path folder;

    /** @param folder of the lease, in a root that leases share */
    Raise(Disk disk, Marks marks, String resource, Path folder) {
        this.disk = disk;
        this.marks = marks;
        this.resource = resource;
        this.root = folder.getParent();
        this.folder = folder;
    }

    Mark run(Tenure tenure) throws IOException, RaiseRefusedException {
        Mark own;
        try {
            own = placed(tenure);
        } catch (IOException failed) {
            // a later raise takes away what this one is making
            requireAcceptable(tenure, failed);
            throw failed;
        }
        sweep(tenure.token().value());
        return own;
    }

    private Mark placed(Tenure tenure) throws IOException, RaiseRefusedException {
        if (marks.highest().isEmpty()) {
            placeFirst(tenure);
        }
        Optional<Mark> there = accepted(tenure);
        if (there.isPresent()) {
            return there.get();
        }
        Mark own = place(tenure);
        requireAccepted(tenure, own);
        return own;
    }

    private void requireAcceptable(Tenure tenure, IOException failed) throws RaiseRefusedException {
        try {
            accepted(tenure);
        } catch (IOException again) {
            failed.addSuppressed(again);
        }
    }

    /** The tenure's own mark, if it is there; none if it may be placed. */
    private Optional<Mark> accepted(Tenure tenure) throws IOException, RaiseRefusedException {
        List<Mark> highest = marks.highest().orElseThrow(() -> new DamagedMarkException(folder + " is gone"));
        for (Mark mark : highest) {
            mark.refuseRaise(tenure, resource);
        }
        return highest.stream().filter(mark -> mark.tenure().equals(tenure)).findFirst();
    }

    /** Only now, when everybody can see it: one who raised meanwhile is seen here, or sees us. */
    private void requireAccepted(Tenure tenure, Mark own) throws IOException, RaiseRefusedException {
        try {
            accepted(tenure);
        } catch (RaiseRefusedException refused) {
            if (refused.mark() > own.token()) {
                disk.deleteTree(own.folder());
            }
            throw refused;
        }
    }

    private Mark place(Tenure tenure) throws IOException {
        Path made = folder.resolve(Mark.newFolderName("new", tenure));
        write(tenure, made);
        Path placed = folder.resolve(made.getFileName().toString().replaceFirst("new", "tenure"));
        disk.move(made, placed);
        disk.force(folder);
        return new Mark(tenure, placed);
    }

    /** The folder of the lease and its first mark in one step: a folder without one means that somebody deleted it. */
    private void placeFirst(Tenure tenure) throws IOException {
        createRoot();
        Path made = root.resolve("." + Mark.newFolderName("new-" + tenure.lease(), tenure));
        disk.createFolder(made);
        write(tenure, made.resolve(Mark.newFolderName("tenure", tenure)));
        disk.force(made);
        try {
            disk.move(made, folder);
        } catch (IOException failed) {
            disk.deleteTree(made);
            if (!disk.exists(folder)) {
                throw failed;
            }
            // another one was faster
        }
        disk.force(root);
    }

    private void createRoot() throws IOException {
        try {
            disk.createFolder(root);
            disk.force(root.getParent());
        } catch (FileAlreadyExistsException there) {
            // of another lease
        }
    }

    private void write(Tenure tenure, Path made) throws IOException {
        disk.createFolder(made);
        disk.write(made.resolve(Mark.FILE), Mark.content(tenure));
        disk.force(made);
    }

    /**
     * Takes away the folders of earlier tenures, so that nothing can be renamed out of them. The rename stops everybody
     * who comes later by name; only when a folder is removed, nobody who had found it before can be under way in it.
     */
    private void sweep(long token) throws IOException {
        for (String name : disk.list(folder)) {
            Matcher parts = Marks.NAME.matcher(name);
            if (parts.matches() && isBelow(parts.group(2), token)) {
                takeAway(
                        folder.resolve(name),
                        parts.group(1).equals("tenure") ? name.replaceFirst("tenure", "dead") : null);
            }
        }
        String lease = folder.getFileName().toString();
        for (String name : disk.list(root)) {
            Matcher parts = FIRST.matcher(name);
            if (parts.matches() && parts.group(1).equals(lease) && isBelow(parts.group(2), token)) {
                takeAway(root.resolve(name), null);
            }
        }
    }

    private void takeAway(Path path, @Nullable String deadName) throws IOException {
        Path dead = path;
        if (deadName != null) {
            dead = path.resolveSibling(deadName);
            try {
                disk.move(path, dead);
            } catch (NoSuchFileException gone) {
                // another raise was faster, and may be on its way still
            }
        }
        disk.deleteTree(dead);
    }

    private static boolean isBelow(String digits, long token) {
        return new BigInteger(digits).compareTo(BigInteger.valueOf(token)) < 0;
    }
}
