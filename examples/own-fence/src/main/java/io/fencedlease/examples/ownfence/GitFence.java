package io.fencedlease.examples.ownfence;

import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.Tenure;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The fence of one lease in one repository. The mark is a ref of its own; a guarded write moves the branch in one ref
 * transaction that also verifies that the mark is where it was read.
 */
class GitFence implements Fence {

    private static final int TRIES = 100;

    private final LeaseName lease;
    private final GitRepository repository;
    private final String ref;

    GitFence(LeaseName lease, GitRepository repository) {
        this.lease = lease;
        this.repository = repository;
        this.ref = "refs/fencedlease/" + lease;
    }

    /** What the ref points to, and what stands there. */
    private record Mark(String object, long token, String nonce) {

        boolean isOf(Tenure tenure) {
            return token == tenure.token().value() && nonce.equals(tenure.nonce());
        }
    }

    @Override
    public String resource() {
        return "git repository " + repository.path();
    }

    @Override
    public void raise(Tenure tenure) throws RaiseRefusedException {
        tenure.requireLease(lease, resource());
        try {
            String own = repository.blob(tenure.token() + " " + tenure.nonce());
            for (int i = 0; i < TRIES; i++) {
                Mark mark = mark();
                if (mark.isOf(tenure)) {
                    return;
                }
                if (mark.token() >= tenure.token().value()) {
                    throw new RaiseRefusedException(resource(), tenure, mark.token());
                }
                if (repository.update("update " + ref + " " + own + " " + mark.object())) {
                    return;
                }
            }
        } catch (IOException e) {
            throw new FenceUnavailableException(resource() + " could not be raised for " + tenure, e);
        }
        throw new FenceUnavailableException(resource() + " is too busy to be raised for " + tenure);
    }

    @Override
    public <T> T guard(Tenure tenure, Callable<T> write) throws Exception {
        tenure.requireLease(lease, resource());
        Map<String, String> files = new LinkedHashMap<>();
        T result = repository.collect(files, write);
        publish(tenure, files);
        return result;
    }

    private void publish(Tenure tenure, Map<String, String> files) {
        try {
            for (int i = 0; i < TRIES; i++) {
                Mark mark = mark();
                require(mark, tenure);
                String head = repository.ref(GitRepository.BRANCH);
                String commit = repository.commit(head, files);
                if (move(mark.object(), head, commit)) {
                    return;
                }
                // another write was faster, or a raise: looked at again
            }
        } catch (IOException e) {
            throw new FenceUnavailableException(resource() + ": nothing was written for " + tenure, e);
        }
        throw new FenceUnavailableException(resource() + " is too busy; nothing was written for " + tenure);
    }

    /** Check and write, in one step. */
    boolean move(String mark, String head, String commit) throws IOException {
        return repository.update(
                "verify " + ref + " " + mark, "update " + GitRepository.BRANCH + " " + commit + " " + head);
    }

    private void require(Mark mark, Tenure tenure) {
        if (!mark.isOf(tenure)) {
            throw new FencedOutException(resource(), tenure, mark.token());
        }
    }

    private Mark mark() throws IOException {
        String object = repository.ref(ref);
        if (object.equals(GitRepository.NOTHING)) {
            return new Mark(object, 0, "");
        }
        String[] parts = repository.content(object).split(" ", 2);
        try {
            return new Mark(object, Long.parseLong(parts[0]), parts[1]);
        } catch (RuntimeException damaged) {
            throw new IOException("the mark " + ref + " cannot be read; nobody writes until it is mended", damaged);
        }
    }
}
