package io.fencedlease.fence.file;

import io.fencedlease.lease.LeaseName;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The marks of one lease in one directory: a folder for each tenure, named by its token. The highest number counts, so
 * that a raise that was paused cannot lower anything when it wakes up.
 */
final class Marks {

    /** Kind, token, and what makes each folder a new one. */
    static final Pattern NAME = Pattern.compile("(tenure|new|dead)-(\\d+)-([0-9a-f-]{36})");

    private static final int TRIES = 100;

    private final Disk disk;
    private final LeaseName lease;
    private final Path folder;
    private volatile boolean seen;

    Marks(Disk disk, LeaseName lease, Path folder) {
        this.disk = disk;
        this.lease = lease;
        this.folder = folder;
    }

    /**
     * The highest mark; several if tenures of equal tokens met. Empty if this lease was never raised here.
     *
     * @throws DamagedMarkException if there must have been a mark and it is gone or not whole
     */
    Optional<List<Mark>> highest() throws IOException {
        for (int i = 0; i < TRIES; i++) {
            Set<String> names;
            try {
                names = disk.list(folder);
            } catch (NoSuchFileException none) {
                if (seen) {
                    throw new DamagedMarkException(folder + " is gone");
                }
                return Optional.empty();
            }
            try {
                List<Mark> highest = highestOf(names);
                seen = true;
                return Optional.of(highest);
            } catch (DamagedMarkException damaged) {
                // or a raise took it away while we were reading
                if (names.equals(disk.list(folder))) {
                    throw damaged;
                }
            }
        }
        throw new IOException(folder + " changes all the time");
    }

    private List<Mark> highestOf(Set<String> names) throws IOException {
        long top = 0;
        List<String> found = new ArrayList<>();
        for (String name : names) {
            if (name.startsWith("tenure-")) {
                long token = token(name);
                if (token > top) {
                    found.clear();
                    top = token;
                }
                if (token == top) {
                    found.add(name);
                }
            }
        }
        if (found.isEmpty()) {
            throw new DamagedMarkException("there is none in " + folder);
        }
        List<Mark> marks = new ArrayList<>();
        for (String name : found) {
            marks.add(read(folder.resolve(name), top));
        }
        return marks;
    }

    private Mark read(Path tenure, long token) throws IOException {
        try {
            return Mark.parse(tenure, disk.read(tenure.resolve(Mark.FILE)), lease, token);
        } catch (NoSuchFileException deleted) {
            throw new DamagedMarkException(tenure.resolve(Mark.FILE) + " is gone");
        } catch (DamagedMarkException damaged) {
            throw damaged;
        } catch (IOException failed) {
            throw new DamagedMarkException(tenure.resolve(Mark.FILE) + " cannot be read (" + failed
                    + "): if it is not the rights of this process that are missing, it is broken");
        }
    }

    private static long token(String name) throws DamagedMarkException {
        Matcher parts = NAME.matcher(name);
        try {
            if (parts.matches() && Long.parseLong(parts.group(2)) > 0) {
                return Long.parseLong(parts.group(2));
            }
        } catch (NumberFormatException tooLong) {
            // refused below
        }
        throw new DamagedMarkException(name + " is not the name of a tenure's folder");
    }

    /** Whether a mark that was the highest is still there as it was. If so, no raise for a later tenure has ended. */
    boolean stands(Mark mark) {
        try {
            return Arrays.equals(disk.read(mark.folder().resolve(Mark.FILE)), Mark.content(mark.tenure()));
        } catch (IOException unknown) {
            // looked at anew
            return false;
        }
    }
}
