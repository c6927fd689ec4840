package io.fencedlease.examples.ownfence;

import io.fencedlease.camel.sink.DelegatingSink;
import io.fencedlease.camel.sink.Sink;
import io.fencedlease.camel.sink.SinkFence;
import io.fencedlease.camel.sink.SinkFenceFactory;
import io.fencedlease.fence.Fence;
import io.fencedlease.lease.Tenure;
import java.util.Optional;
import java.util.Set;
import org.apache.camel.Exchange;
import org.apache.camel.Producer;

/** Puts {@code gitfile:} behind its fence: {@code fencedlease:LEASE:gitfile:/path/to/bare.git}. */
public final class GitSinkFactory implements SinkFenceFactory {

    @Override
    public Set<String> options() {
        return Set.of();
    }

    @Override
    public SinkFence create(Sink sink) throws Exception {
        GitFileEndpoint endpoint = (GitFileEndpoint) sink.delegate();
        GitFence fence = sink.fences()
                .shared(
                        endpoint.repository().path(),
                        GitFence.class,
                        () -> new GitFence(sink.lease(), endpoint.repository()));
        return new GuardedGitFile(fence, endpoint.createProducer());
    }

    private static final class GuardedGitFile extends DelegatingSink {

        private final GitFence fence;

        GuardedGitFile(GitFence fence, Producer delegate) {
            super(delegate);
            this.fence = fence;
        }

        @Override
        public Optional<Fence> fence() {
            return Optional.of(fence);
        }

        @Override
        public boolean write(Exchange exchange, Tenure tenure) throws Exception {
            return fence.guard(tenure, () -> {
                callDelegate(exchange);
                return true;
            });
        }
    }
}
