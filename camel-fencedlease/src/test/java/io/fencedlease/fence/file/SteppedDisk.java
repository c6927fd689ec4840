package io.fencedlease.fence.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A disk on which something happens before one of its steps. */
final class SteppedDisk extends Disk {

    /** What happens; may throw. */
    interface Event {
        void happen() throws IOException;
    }

    /** The process is gone: nothing that it would do reaches the disk any more. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** What has been done, since {@link #at}. */
    final List<String> steps = Collections.synchronizedList(new ArrayList<>());

    private int at = Integer.MAX_VALUE;
    private Event event = () -> {};
    private boolean dead;

    /** Counts anew, from 0. */
    void at(int step, Event happens) {
        steps.clear();
        at = step;
        event = happens;
    }

    void killAt(int step) {
        at(step, () -> dead = true);
    }

    static void fail() throws IOException {
        throw new IOException("Input/output error");
    }

    /** Whether the step was reached. */
    boolean happened() {
        return steps.size() > at;
    }

    /** No power fails here. */
    @Override
    void force(Path path) throws IOException {
        before("force", path);
    }

    @Override
    void before(String step, Path path) throws IOException {
        int now = steps.size();
        steps.add(step + " " + path.getFileName());
        if (now == at) {
            event.happen();
        }
        if (dead) {
            throw new Killed();
        }
    }
}
