package io.fencedlease.examples.ownfence;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.contract.FenceContract;
import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FenceUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fence keeps the contract of fences, against a real repository. */
class GitFenceTest extends FenceContract {

    @TempDir
    Path folder;

    private GitRepository repository;
    private GitFence here;
    private GitFence there;

    @BeforeEach
    void init() throws IOException {
        repository = new GitRepository(folder.resolve("feed.git"));
        repository.init();
        here = fence(repository);
        there = fence(new GitRepository(repository.path()));
    }

    GitFence fence(GitRepository of) {
        return new GitFence(LEASE, of);
    }

    @Override
    protected Fence fence() {
        return here;
    }

    @Override
    protected Fence elsewhere() {
        return there;
    }

    @Override
    protected Callable<Void> write(String what) {
        return () -> {
            repository.write(what, what);
            return null;
        };
    }

    @Override
    protected List<String> written() {
        try {
            return repository.files();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected Duration raiseTimeout() {
        return Duration.ofSeconds(1);
    }

    @Test
    void aMarkThatCannotBeReadRefusesEverybody() throws Exception {
        fence().raise(tenure(7));
        String damaged = repository.blob("seven");
        repository.update("update refs/fencedlease/" + LEASE + " " + damaged);

        assertThatThrownBy(() -> fence().guard(tenure(7), () -> null)).isInstanceOf(FenceUnavailableException.class);
        assertThatThrownBy(() -> fence().raise(tenure(9))).isInstanceOf(FenceUnavailableException.class);
    }
}
