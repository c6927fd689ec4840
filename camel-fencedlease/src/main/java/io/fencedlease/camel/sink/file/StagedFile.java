package io.fencedlease.camel.sink.file;

import io.fencedlease.fence.file.Existing;
import io.fencedlease.fence.file.Staging;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.file.FileConstants;
import org.apache.camel.component.file.FileEndpoint;
import org.apache.camel.component.file.FileOperations;
import org.apache.camel.component.file.GenericFileOperationFailedException;
import org.apache.camel.support.DefaultExchange;
import org.apache.camel.util.FileUtil;

/**
 * One file to be published, then its checksum file and its done file, in this order.
 *
 * @param target as Camel names it: the directory as in the endpoint, and what is below it
 */
record StagedFile(FileEndpoint endpoint, FileOperations operations, String target) {

    /** @throws FileAlreadyExistsException if there is such a file, which is not to be touched */
    void stage(Staging staging, Exchange exchange) throws IOException, NoSuchAlgorithmException {
        Path file = path(staging);
        store(exchange, file);
        String algorithm = endpoint.getChecksumFileAlgorithm();
        if (algorithm != null) {
            store(
                    withBody(exchange, digest(file, algorithm)),
                    staging.stage(Path.of(target + "." + algorithm), Existing.REPLACE));
        }
        if (endpoint.getDoneFileName() != null) {
            store(withBody(exchange, ""), staging.stage(Path.of(doneFileName()), Existing.REPLACE));
        }
    }

    private Path path(Staging staging) throws FileAlreadyExistsException {
        Path path = Path.of(target);
        return switch (endpoint.getFileExist()) {
            case Override, TryRename -> staging.stage(path, Existing.REPLACE);
            case Append -> staging.stage(path, Existing.APPEND);
            case Move -> staging.stageKeeping(path, file -> movedName());
            case Fail, Ignore -> {
                if (Files.exists(path)) {
                    // looked at again by the publication; this spares a long body
                    throw new FileAlreadyExistsException(target);
                }
                yield staging.stage(path, Existing.FAIL);
            }
        };
    }

    private void store(Exchange exchange, Path staged) {
        makeFolder();
        Message in = exchange.getIn();
        // else the local work file is moved away, and gone if the fence refuses
        Object local = in.removeHeader(FileConstants.FILE_LOCAL_WORK_PATH);
        try {
            if (!operations.storeFile(staged.toString(), exchange, -1)) {
                throw new GenericFileOperationFailedException("Error writing file [" + target + "]");
            }
        } finally {
            if (local != null) {
                in.setHeader(FileConstants.FILE_LOCAL_WORK_PATH, local);
            }
        }
    }

    private void makeFolder() {
        File folder = new File(FileUtil.normalizePath(target)).getParentFile();
        if (endpoint.isAutoCreate() && folder != null) {
            operations.buildDirectory(folder.getPath(), FileUtil.isAbsolute(folder));
        }
    }

    private static Exchange withBody(Exchange exchange, String body) {
        Exchange other = new DefaultExchange(exchange);
        other.getIn().setBody(body);
        return other;
    }

    private static String digest(Path file, String algorithm) throws IOException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance(algorithm);
        try (var in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** As Camel's endpoint, which keeps this to itself. */
    private String doneFileName() {
        String name = FileUtil.stripPath(target);
        String done = endpoint.getDoneFileName()
                .replaceFirst("\\$(simple)?\\{file:name\\}", Matcher.quoteReplacement(name))
                .replaceFirst(
                        "\\$(simple)?\\{file:name\\.noext\\}", Matcher.quoteReplacement(FileUtil.stripExt(name, true)));
        String folder = FileUtil.onlyPath(target);
        return folder == null ? done : folder + File.separator + done;
    }

    /** Lets Camel's strategy find the other name and make its folder, but leaves the move to the fence. */
    private Path movedName() {
        AtomicReference<String> to = new AtomicReference<>();
        FileOperations asked = new FileOperations(endpoint) {
            @Override
            public boolean renameFile(String from, String other) {
                to.set(other);
                return true;
            }

            @Override
            public boolean deleteFile(String other) {
                // the rename replaces it
                return true;
            }
        };
        endpoint.getMoveExistingFileStrategy().moveExistingFile(endpoint, asked, target);
        return Path.of(to.get());
    }
}
