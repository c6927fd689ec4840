package io.fencedlease.camel.sink.file;

import io.fencedlease.camel.sink.Sink;
import io.fencedlease.lease.SettingRefusedException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.function.Function;
import org.apache.camel.component.file.FileEndpoint;
import org.apache.camel.component.file.GenericFileDefaultMoveExistingFileStrategy;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of one option of Camel's file producer behind a fence. The page on files has the same table.
 *
 * @param name in Camel's catalog
 * @param decision for people
 * @param refused the value to be refused, or null
 */
record FileOption(String name, String decision, Function<FileEndpoint, @Nullable Object> refused) {

    private static final String SAME = "works as in plain `file:`";

    /** Every one that is not for consumers only. */
    static final List<FileOption> ALL = List.of(
            works("directoryName", "works; the fence's memory is in its folder `.fencedlease`"),
            works("charset", SAME),
            works("fileName", SAME + ", as do the headers that overrule it"),
            refuses(
                    "doneFileName",
                    "works; published after the file and its checksum file. Placeholders other than `${file:name}` and"
                            + " `${file:name.noext}` are refused at start-up",
                    FileOption::unknownPlaceholder),
            works("appendChars", SAME),
            refuses(
                    "checksumFileAlgorithm",
                    "works; computed of the file as written, published before the done file."
                            + " A digest that this JVM does not know is refused at start-up",
                    FileOption::unknownDigest),
            works("fileExist", "each value works, see below"),
            works("flatten", SAME),
            refuses(
                    "jailStartingDirectory",
                    "`false` is refused: the mark belongs to this directory and says nothing about others",
                    endpoint -> endpoint.isJailStartingDirectory() ? null : false),
            works("moveExisting", "works; the other name must be below the directory too"),
            works("tempFileName", "without effect: every file is staged, under a name that nobody else uses"),
            works("tempPrefix", "without effect, as `tempFileName`"),
            works("allowNullBody", SAME),
            works("chmod", SAME + "; with `fileExist=Append` only for a file that was not there"),
            works("chmodDirectory", SAME),
            works(
                    "eagerDeleteTargetFile",
                    "without effect, but with `fileExist=Move`: the rename replaces the file, which is never missing"),
            works("forceWrites", "without effect, as in plain `file:` of Camel 4.17; `fence.file.fsync=true` does it"),
            works("keepLastModified", SAME + "; without effect with `fileExist=Append`"),
            works("lazyStartProducer", "without effect: the fence must be known before the routes start"),
            refuses("moveExistingFileStrategy", "refused: it would move files past the fence", FileOption::ownStrategy),
            works("autoCreate", "works; the directory itself is made at start-up, for it has to hold the mark"),
            works("autoCreateStepwise", SAME),
            works("browseLimit", "without effect on producers"),
            works("bufferSize", SAME),
            works("copyAndDeleteOnRenameFail", "without effect: a rename that fails is refused, never made a copy"),
            refuses(
                    "renameUsingCopy",
                    "`true` is refused: a copy is visible before it is whole",
                    endpoint -> endpoint.isRenameUsingCopy() ? true : null),
            works("synchronous", "without effect: it always is"));

    /** @throws SettingRefusedException for the first one that cannot be kept */
    static void check(Sink sink, FileEndpoint endpoint) {
        for (FileOption option : ALL) {
            Object given = option.refused().apply(endpoint);
            if (given != null) {
                throw sink.refused(option.name(), given, option.decision());
            }
        }
    }

    private static FileOption works(String name, String decision) {
        return new FileOption(name, decision, endpoint -> null);
    }

    private static FileOption refuses(String name, String decision, Function<FileEndpoint, @Nullable Object> refused) {
        return new FileOption(name, decision, refused);
    }

    private static @Nullable Object unknownPlaceholder(FileEndpoint endpoint) {
        String name = endpoint.getDoneFileName();
        String rest = name == null ? "" : name.replaceAll("\\$(simple)?\\{file:name(\\.noext)?}", "");
        return rest.contains("${") || rest.contains("$simple{") ? name : null;
    }

    private static @Nullable Object unknownDigest(FileEndpoint endpoint) {
        String algorithm = endpoint.getChecksumFileAlgorithm();
        try {
            if (algorithm != null) {
                MessageDigest.getInstance(algorithm);
            }
            return null;
        } catch (NoSuchAlgorithmException unknown) {
            return algorithm;
        }
    }

    private static @Nullable Object ownStrategy(FileEndpoint endpoint) {
        Object strategy = endpoint.getMoveExistingFileStrategy();
        boolean camels = strategy == null || strategy.getClass() == GenericFileDefaultMoveExistingFileStrategy.class;
        return camels ? null : strategy.getClass().getName();
    }
}
