package io.fencedlease.fence.file;

import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.Tenure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** A fence as one writes it at first, with one mistake. */
final class SinfulFileFence implements Fence {

    private final FileFenceSin sin;
    private final LeaseName lease;
    private final Path directory;
    private final Path folder;
    private FileFence right;

    SinfulFileFence(FileFenceSin sin, LeaseName lease, Path directory) {
        this.sin = sin;
        this.lease = lease;
        this.directory = directory;
        this.folder = directory.resolve(FileFence.FOLDER).resolve(lease.value());
        this.right = right();
    }

    private FileFence right() {
        return new FileFence(lease, directory, sin == FileFenceSin.LEAVES_EARLIER_STAGES ? new Leaving() : new Disk());
    }

    @Override
    public String resource() {
        return right.resource();
    }

    @Override
    public void raise(Tenure tenure) throws RaiseRefusedException {
        try {
            if (sin == FileFenceSin.LOWERS_THE_MARK) {
                new Disk().deleteTree(folder);
                right = right();
            }
            if (sin == FileFenceSin.ORDERS_BY_NAME
                    && mark().compareTo(tenure.token().toString()) > 0) {
                throw new RaiseRefusedException(resource(), tenure, Long.parseLong(mark()));
            }
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
        right.raise(tenure);
    }

    /** The token of the highest, as text. */
    private String mark() throws IOException {
        return new Marks(new Disk(), lease, folder)
                .highest()
                .map(marks -> Long.toString(marks.get(0).token()))
                .orElse("");
    }

    @Override
    public <T> T guard(Tenure tenure, Callable<T> write) throws Exception {
        return switch (sin) {
            case CHECKS_THEN_WRITES -> {
                right.guard(tenure, () -> null);
                yield apart(write);
            }
            case WRITES_IN_PLACE -> {
                T result = right.guard(tenure, () -> null);
                Staging inPlace = new Staging(new Targets(lease, directory, new Disk()), apartFolder(), new Disk());
                try {
                    result = inPlace.during(write);
                } finally {
                    inPlace.publish();
                }
                yield result;
            }
            case COMPARES_TOKENS_ONLY -> {
                requireMark(tenure, Long.parseLong(mark()) == tenure.token().value());
                yield apart(write);
            }
            case PASSES_A_LOWER_MARK -> {
                requireMark(tenure, Long.parseLong(mark()) <= tenure.token().value());
                yield apart(write);
            }
            case LETS_EVERYBODY_PASS -> apart(write);
            case LEAVES_EARLIER_STAGES, LOWERS_THE_MARK, ORDERS_BY_NAME -> right.guard(tenure, write);
        };
    }

    private void requireMark(Tenure tenure, boolean passes) throws IOException {
        if (!passes) {
            throw new FencedOutException(resource(), tenure, Long.parseLong(mark()));
        }
    }

    private <T> T apart(Callable<T> write) throws Exception {
        Staging unfenced = new Staging(new Targets(lease, directory, new Disk()), apartFolder(), new Disk());
        T result = unfenced.during(write);
        unfenced.publish();
        return result;
    }

    private Path apartFolder() throws IOException {
        return Files.createDirectories(directory.resolve(FileFence.FOLDER).resolve("-apart"));
    }

    /** Places the new mark, and that is all. */
    private static final class Leaving extends Disk {
        @Override
        void move(Path from, Path to) throws IOException {
            if (!to.getFileName().toString().startsWith("dead-")) {
                super.move(from, to);
            }
        }

        @Override
        void deleteTree(Path path) {}
    }
}
