package io.fencedlease.examples.ownfence;

import io.fencedlease.camel.sink.Sink;
import io.fencedlease.camel.sink.SinkFence;
import io.fencedlease.camel.sink.SinkFenceFactory;
import io.fencedlease.fence.Fence;
import io.fencedlease.lease.Tenure;
import java.util.Optional;
import java.util.Set;
import org.apache.camel.Exchange;
import org.apache.camel.Producer;
import org.apache.camel.support.service.ServiceHelper;
import org.apache.camel.support.service.ServiceSupport;

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

    private static final class GuardedGitFile extends ServiceSupport implements SinkFence {

        private final GitFence fence;
        private final Producer delegate;

        GuardedGitFile(GitFence fence, Producer delegate) {
            this.fence = fence;
            this.delegate = delegate;
        }

        @Override
        public Optional<Fence> fence() {
            return Optional.of(fence);
        }

        @Override
        public void write(Exchange exchange, Tenure tenure) throws Exception {
            fence.guard(tenure, () -> {
                delegate.process(exchange);
                return null;
            });
        }

        @Override
        protected void doStart() {
            ServiceHelper.startService(delegate);
        }

        @Override
        protected void doStop() {
            ServiceHelper.stopService(delegate);
        }
    }
}
