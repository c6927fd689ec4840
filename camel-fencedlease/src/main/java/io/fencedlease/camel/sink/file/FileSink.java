package io.fencedlease.camel.sink.file;

import io.fencedlease.camel.sink.SinkFence;
import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.file.FileFence;
import io.fencedlease.lease.Tenure;
import java.nio.file.FileAlreadyExistsException;
import java.util.Optional;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.file.FileConstants;
import org.apache.camel.component.file.FileEndpoint;
import org.apache.camel.component.file.FileOperations;
import org.apache.camel.component.file.GenericFileExist;
import org.apache.camel.component.file.GenericFileOperationFailedException;
import org.apache.camel.component.file.GenericFileProducer;
import org.apache.camel.support.service.ServiceHelper;
import org.apache.camel.support.service.ServiceSupport;
import org.apache.camel.util.FileUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes as Camel's file producer does, but into the stage. Takes the name from that producer and the bytes from its file
 * operations, and leaves the headers as it would.
 */
final class FileSink extends ServiceSupport implements SinkFence {

    private static final Logger LOG = LoggerFactory.getLogger(FileSink.class);

    private final FileFence fence;
    private final FileEndpoint endpoint;
    private final GenericFileProducer<?> plain;
    private final FileOperations operations;
    private final boolean fsync;

    /** @param plain made by the endpoint, which has checked its options; names the files, never writes any */
    FileSink(FileFence fence, FileEndpoint endpoint, GenericFileProducer<?> plain, boolean fsync) {
        this.fence = fence;
        this.endpoint = endpoint;
        this.plain = plain;
        this.operations = new FileOperations(endpoint);
        this.fsync = fsync;
    }

    @Override
    public Optional<Fence> fence() {
        return Optional.of(fence);
    }

    @Override
    public boolean write(Exchange exchange, Tenure tenure) throws Exception {
        Message in = exchange.getIn();
        String name = in.getHeader(FileConstants.FILE_NAME, String.class);
        try {
            String target = plain.createFileName(exchange);
            boolean published = publish(exchange, tenure, target);
            if (published || endpoint.getTempFileName() == null) {
                in.setHeader(FileConstants.FILE_NAME_PRODUCED, target);
            }
            return published;
        } finally {
            in.removeHeader(FileConstants.OVERRULE_FILE_NAME);
            in.setHeader(FileConstants.FILE_NAME, name);
        }
    }

    /** @return false if a file that was there already stays */
    private boolean publish(Exchange exchange, Tenure tenure, String target) throws Exception {
        StagedFile file = new StagedFile(endpoint, operations, target);
        try {
            return fence.guardFiles(tenure, staging -> {
                if (fsync) {
                    staging.makeDurable();
                }
                file.stage(staging, exchange);
                return true;
            });
        } catch (FileAlreadyExistsException there) {
            if (endpoint.getFileExist() == GenericFileExist.Ignore) {
                return false;
            }
            throw new GenericFileOperationFailedException(
                    "File already exist: " + target + ". Cannot write new file.", there);
        }
    }

    @Override
    protected void doStart() {
        ServiceHelper.startService(plain);
        if (endpoint.isAutoCreate()) {
            // with its rights; and the fence makes none
            operations.buildDirectory("", FileUtil.isAbsolute(endpoint.getFile()));
        }
        try {
            fence.prepare();
        } catch (FenceUnavailableException away) {
            LOG.warn("{}; started all the same, and looked at again before the first write", away.getMessage(), away);
        }
    }

    @Override
    protected void doStop() {
        ServiceHelper.stopAndShutdownService(plain);
    }
}
