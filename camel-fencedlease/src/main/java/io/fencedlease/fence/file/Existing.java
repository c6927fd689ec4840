package io.fencedlease.fence.file;

/** What becomes of a file that is there already under the name to be published. */
public enum Existing {
    /** It is replaced in one step. */
    REPLACE,
    /**
     * It stays, and the write fails with {@link java.nio.file.FileAlreadyExistsException}. Decided and done in one step, by
     * a hard link.
     */
    FAIL,
    /** It is replaced by a copy of itself with the staged content at its end; costs the time to copy it. */
    APPEND
}
