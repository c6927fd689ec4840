package io.fencedlease.fence.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every step that a fence takes on the disk, one method each, so that a test can end or spoil any of them. */
class Disk {

    private static final int TRIES = 100;

    /** Called before each step, with its name. */
    void before(String step, Path path) throws IOException {}

    Set<String> list(Path folder) throws IOException {
        before("list", folder);
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        } catch (java.io.UncheckedIOException failed) {
            throw failed.getCause();
        }
    }

    byte[] read(Path file) throws IOException {
        before("read", file);
        return Files.readAllBytes(file);
    }

    /** @throws IOException also if nobody can say */
    boolean exists(Path path) throws IOException {
        before("exists", path);
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        throw new IOException(path + ": cannot be looked at");
    }

    /** Without symbolic links; fails if it is not there. */
    Path real(Path folder) throws IOException {
        before("real", folder);
        return folder.toRealPath();
    }

    void createFolder(Path folder) throws IOException {
        before("createFolder", folder);
        Files.createDirectory(folder);
    }

    /** A new file, on the disk when this returns; its name is not, before its folder is forced too. */
    void write(Path file, byte[] content) throws IOException {
        before("write", file);
        Files.write(file, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        force(file);
    }

    /** What is known of a file or folder is on the disk when this returns. */
    void force(Path path) throws IOException {
        before("force", path);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** One rename, which replaces what is there. */
    void move(Path from, Path to) throws IOException {
        before("move", from);
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** A second name; fails if there is something of that name. */
    void link(Path from, Path to) throws IOException {
        before("link", from);
        try {
            Files.createLink(to, from);
        } catch (UnsupportedOperationException none) {
            throw new IOException(to + ": this file system has no hard links", none);
        }
    }

    void copy(Path from, Path to) throws IOException {
        before("copy", from);
        Files.copy(from, to);
    }

    void append(Path to, Path what) throws IOException {
        before("append", to);
        try (FileChannel out = FileChannel.open(to, StandardOpenOption.APPEND);
                FileChannel in = FileChannel.open(what, StandardOpenOption.READ)) {
            long at = 0;
            while (at < in.size()) {
                at += in.transferTo(at, in.size() - at, out);
            }
        }
    }

    void delete(Path path) throws IOException {
        before("delete", path);
        Files.deleteIfExists(path);
    }

    /** Until the folder itself is gone, however often a writer that is on its way into it adds something. */
    void deleteTree(Path path) throws IOException {
        for (int i = 1; Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS); i++) {
            try {
                for (String name : list(path)) {
                    deleteTree(path.resolve(name));
                }
                delete(path);
            } catch (NoSuchFileException gone) {
                return;
            } catch (DirectoryNotEmptyException added) {
                if (i == TRIES) {
                    throw added;
                }
            }
        }
        delete(path);
    }

    /** The kind of file system, as the system calls it. */
    String store(Path folder) throws IOException {
        before("store", folder);
        return Files.getFileStore(folder).type();
    }
}
