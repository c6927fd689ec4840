package io.fencedlease.camel.sink.file;

import io.fencedlease.camel.sink.Sink;
import io.fencedlease.camel.sink.SinkFence;
import io.fencedlease.camel.sink.SinkFenceFactory;
import io.fencedlease.fence.file.FileFence;
import java.nio.file.Path;
import java.util.Set;
import org.apache.camel.component.file.FileEndpoint;

/** {@code file:} with a stage for each tenure; one fence for each lease and directory. */
public final class FileSinkFactory implements SinkFenceFactory {

    private static final String FSYNC = "file.fsync";

    @Override
    public Set<String> options() {
        return Set.of(FSYNC);
    }

    @Override
    public SinkFence create(Sink sink) throws Exception {
        FileEndpoint endpoint = (FileEndpoint) sink.delegate();
        FileOption.check(sink, endpoint);
        Path directory = endpoint.getFile().toPath().toAbsolutePath().normalize();
        FileFence fence =
                sink.fences().shared(directory, FileFence.class, () -> new FileFence(sink.lease(), directory));
        boolean fsync = sink.options().oneOf(FSYNC, "false", "true").equals("true");
        return new FileSink(fence, endpoint, endpoint.createProducer(), fsync);
    }
}
