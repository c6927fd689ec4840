package io.fencedlease.fence.file;

/** Makes files in a staging area; they are published when it returns. */
@FunctionalInterface
public interface StagedWrite<T> {

    T write(Staging staging) throws Exception;
}
