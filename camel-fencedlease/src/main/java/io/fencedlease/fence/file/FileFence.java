package io.fencedlease.fence.file;

import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.Tenure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fence of one lease in one directory: files appear there only if the writer's tenure is the highest it was raised
 * for.
 *
 * <p>Without locks: a tenure stages its files in a folder of its own below {@code .fencedlease} and publishes each by one
 * rename; a raise takes the folders of earlier tenures away, so that their renames fail. A paused writer blocks nobody.
 * Thread-safe; blocks on the disk.
 *
 * <p><em>Does not guarantee</em> anything on network file systems, for files that reach the directory in another way, or
 * for other directories, also those below it that have a fence of their own. Creating a folder is not fenced.
 */
public final class FileFence implements Fence {

    /** The folder, in the directory, that fences keep their memory in. */
    public static final String FOLDER = ".fencedlease";

    private static final Logger LOG = LoggerFactory.getLogger(FileFence.class);

    /** Where a rename may be seen late, or names may come back from a cache. */
    private static final Set<String> REFUSED_STORES = Set.of(
            "nfs",
            "nfs3",
            "nfs4",
            "cifs",
            "smb",
            "smb2",
            "smb3",
            "smbfs",
            "afs",
            "9p",
            "ceph",
            "lustre",
            "glusterfs",
            "fuse.glusterfs",
            "fuse.sshfs",
            "fuse.s3fs",
            "fuse.rclone",
            "webdav",
            "davfs");

    private final LeaseName lease;
    private final Path directory;
    private final Path folder;
    private final Disk disk;
    private final Marks marks;
    private final Targets targets;
    private volatile @Nullable Mark standing;

    /** @param directory that files are published in; must exist when the fence is raised, and is never created */
    public FileFence(LeaseName lease, Path directory) {
        this(lease, directory, new Disk());
    }

    FileFence(LeaseName lease, Path directory, Disk disk) {
        this.lease = lease;
        this.directory = directory.toAbsolutePath().normalize();
        this.folder = this.directory.resolve(FOLDER).resolve(lease.value());
        this.disk = disk;
        this.targets = new Targets(lease, this.directory, disk);
        this.marks = new Marks(disk, lease, folder);
    }

    @Override
    public String resource() {
        return "directory " + directory;
    }

    /**
     * Looks at the file system of the directory; otherwise done by the raise. Idempotent.
     *
     * @throws SettingRefusedException if files cannot be fenced there
     * @throws FenceUnavailableException if it cannot be looked at now
     */
    public void prepare() {
        try {
            String store = disk.store(directory);
            boolean posix =
                    directory.getFileSystem().supportedFileAttributeViews().contains("posix");
            if (!posix || REFUSED_STORES.contains(store.toLowerCase(Locale.ROOT))) {
                throw new SettingRefusedException(
                        lease.value(), "directory", directory + " on " + store, "a local POSIX file system");
            }
        } catch (IOException failed) {
            throw unavailable(failed);
        }
    }

    @Override
    public void raise(Tenure tenure) throws RaiseRefusedException {
        tenure.requireLease(lease, resource());
        prepare();
        try {
            standing = new Raise(disk, marks, resource(), folder).run(tenure);
        } catch (IOException failed) {
            throw unavailable(failed);
        }
        LOG.debug("{}: raised {}", tenure, resource());
    }

    /** As {@link #guardFiles}; the write finds its staging area by {@link Staging#current()}. */
    @Override
    public <T> T guard(Tenure tenure, Callable<T> write) throws Exception {
        return guardFiles(tenure, staging -> staging.during(write));
    }

    /**
     * Runs a write that stages files, and publishes them when it returns, each only if the tenure has not been followed
     * by another one.
     *
     * @throws FencedOutException if the mark is not this tenure's; nothing was written, except those of several files
     *     that were published before a later tenure was raised
     * @throws FenceUnavailableException if the mark could not be checked, or the disk refused; the same holds
     * @throws FileAlreadyExistsException if that is what the write asked for
     * @throws Exception what the write itself threw; nothing was written. Also, if it asked for durable files, an
     *     IOException that says so after they were published
     */
    public <T> T guardFiles(Tenure tenure, StagedWrite<T> write) throws Exception {
        tenure.requireLease(lease, resource());
        Path stage = stageOf(tenure);
        Staging staging = new Staging(targets, stage, disk);
        try {
            T result = write.write(staging);
            publish(staging);
            staging.forceNames();
            return result;
        } catch (Exception | Error failed) {
            refuseIfTakenAway(tenure, stage, failed);
            throw failed;
        } finally {
            staging.clear();
        }
    }

    private void publish(Staging staging) throws FileAlreadyExistsException {
        try {
            staging.publish();
        } catch (FileAlreadyExistsException asked) {
            throw asked;
        } catch (IOException failed) {
            throw unavailable(failed);
        }
    }

    /** The folder of the tenure's mark, unless that is not the highest any more. */
    private Path stageOf(Tenure tenure) {
        Mark known = standing;
        if (known == null || !known.tenure().equals(tenure) || !marks.stands(known)) {
            known = look(tenure);
            standing = known;
        }
        return known.folder();
    }

    private Mark look(Tenure tenure) {
        List<Mark> highest;
        try {
            highest = marks.highest().orElseThrow(() -> new FencedOutException(resource(), tenure, 0));
        } catch (IOException failed) {
            throw unavailable(failed);
        }
        for (Mark mark : highest) {
            if (!mark.tenure().equals(tenure)) {
                throw new FencedOutException(resource(), tenure, mark.token());
            }
        }
        return highest.get(0);
    }

    /** A failure of a write whose stage was taken away is that of the tenure: trying again is useless. */
    private void refuseIfTakenAway(Tenure tenure, Path stage, Throwable failed) {
        try {
            if (disk.exists(stage)) {
                return;
            }
        } catch (IOException unknown) {
            failed.addSuppressed(unknown);
            return;
        }
        try {
            look(tenure);
        } catch (RuntimeException refused) {
            refused.addSuppressed(failed);
            throw refused;
        }
    }

    private FenceUnavailableException unavailable(IOException failed) {
        String what = failed instanceof DamagedMarkException
                ? "the mark is damaged: " + failed.getMessage()
                        + ". It is never made anew as long as this node runs or "
                        + folder + " is there. To mend it: stop every node of lease '" + lease + "', delete " + folder
                        + ", start them again"
                : failed.toString();
        return new FenceUnavailableException(
                resource() + " could not be fenced for lease '" + lease + "', so nothing was written: " + what, failed);
    }
}
