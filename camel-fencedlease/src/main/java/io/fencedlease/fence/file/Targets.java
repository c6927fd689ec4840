package io.fencedlease.fence.file;

import io.fencedlease.lease.LeaseName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.StreamSupport;

/** The names that may be published: those below a directory, but none in the memory of a fence. */
record Targets(LeaseName lease, Path directory, Disk disk) {

    /** @throws IllegalArgumentException if it may not */
    Path requireInside(Path target) {
        Path file = target.toAbsolutePath().normalize();
        boolean inside = file.startsWith(directory) && !file.equals(directory);
        if (!inside || entersFences(directory.relativize(file))) {
            throw refused(target);
        }
        return file;
    }

    /**
     * The same without symbolic links in its folder, so that all spellings of a file are one.
     *
     * @throws IllegalArgumentException if they lead into the memory of a fence
     */
    Path real(Path target) throws IOException {
        Path real = disk.real(target.getParent()).resolve(target.getFileName());
        if (entersFences(real)) {
            throw refused(target);
        }
        return real;
    }

    /** Whether nothing but the directory itself is on the way. */
    boolean isDirectlyInside(Path target) {
        return directory.equals(target.getParent());
    }

    /** Also those of a directory further down, which may be another sink's. */
    private static boolean entersFences(Path path) {
        return StreamSupport.stream(path.spliterator(), false)
                .anyMatch(name -> name.toString().equalsIgnoreCase(FileFence.FOLDER));
    }

    private IllegalArgumentException refused(Path target) {
        return new IllegalArgumentException("lease '" + lease + "': " + target + " is not below " + directory
                + ", or in a folder " + FileFence.FOLDER + " of fences");
    }
}
