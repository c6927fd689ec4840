package io.fencedlease.fence.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A way to write the file {@code a}; the fence stands in all of them. */
enum Way {
    REPLACE,
    FAIL,
    APPEND,
    KEEP;

    /** An old file, where there may be one. */
    void prepare(Path directory) throws IOException {
        if (this != FAIL) {
            Files.writeString(directory.resolve("a"), "old;");
        }
    }

    Path stage(Staging staging, Path directory) {
        Path target = directory.resolve("a");
        return this == KEEP
                ? staging.stageKeeping(target, file -> directory.resolve("kept"))
                : staging.stage(target, Existing.valueOf(name()));
    }

    /** What is seen once this was published. */
    String published(String content) {
        return this == APPEND ? "old;" + content : content;
    }
}
