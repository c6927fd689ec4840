package io.fencedlease.fence.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.Tenure;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The file fence in one JVM: what it publishes, and that a mark is never lowered, mended or lost. T10 and T13 of the cases. */
class FileFenceTest extends FileFenceBench {

    @Test
    void tokensAreComparedAsNumbersNotAsNames() throws Exception {
        fence().raise(tenure(9));
        elsewhere().raise(tenure(10));

        assertThatThrownBy(() -> fence().guard(tenure(9), write("nine"))).isInstanceOf(FencedOutException.class);
        assertThatThrownBy(() -> fence().raise(tenure(9))).isInstanceOf(RaiseRefusedException.class);
        elsewhere().guard(tenure(10), write("ten"));
        assertThat(written()).containsExactly("ten");
    }

    @Test
    void leasesInOneDirectoryDoNotTouchEachOthersMarks() throws Exception {
        var other = new LeaseName("mail-poller");
        var theirs = new Tenure(other, new FencingToken(3), "n");
        FileFence otherFence = new FileFence(other, directory);
        here.raise(tenure(7));
        otherFence.raise(theirs);

        here.guard(tenure(7), write("ours"));
        otherFence.guard(theirs, write("theirs"));
        assertThat(written()).containsExactlyInAnyOrder("ours", "theirs");
    }

    @Test
    void foldersOfEarlierTenuresAndWhatIsInThemAreTakenAway() throws Exception {
        here.raise(tenure(7));
        Files.writeString(tenureFolder().resolve("half"), "of a killed writer");
        there.raise(tenure(8));
        there.raise(tenure(9));

        assertThat(tenureFolder().getFileName().toString()).startsWith("tenure-9-");
        assertThat(tenureFolder()).isDirectoryContaining("glob:**/mark").isDirectoryNotContaining("glob:**/half");
    }

    @Test
    void nothingIsLeftInTheStageAfterAWrite() throws Exception {
        here.raise(tenure(7));
        for (Existing existing : Existing.values()) {
            here.guard(tenure(7), write(existing.name(), existing));
        }
        catchThrowable(() -> here.guard(tenure(7), write("FAIL", Existing.FAIL)));
        here.guard(tenure(7), write("APPEND", Existing.APPEND));

        assertThat(written()).hasSize(Existing.values().length);
        try (var left = Files.list(tenureFolder())) {
            assertThat(left).singleElement().asString().endsWith("/mark");
        }
    }

    @Test
    void aFileThatIsThereIsTreatedAsAsked() throws Exception {
        here.raise(tenure(7));
        Path target = directory.resolve("a");
        Files.writeString(target, "old");

        assertThatThrownBy(() -> stage(7, target, "new", Existing.FAIL)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(target).hasContent("old");
        stage(7, target, "+new", Existing.APPEND);
        assertThat(target).hasContent("old+new");
        here.guardFiles(
                tenure(7),
                staging ->
                        Files.writeString(staging.stageKeeping(target, file -> directory.resolve("kept")), "newest"));
        assertThat(target).hasContent("newest");
        assertThat(directory.resolve("kept")).hasContent("old+new");
        stage(7, target, "last", Existing.REPLACE);
        assertThat(target).hasContent("last");
    }

    @Test
    void severalFilesAppearInTheirOrderAndNotAfterOneThatFails() throws Exception {
        here.raise(tenure(7));
        Files.writeString(directory.resolve("b"), "old");

        assertThatThrownBy(() -> here.guardFiles(tenure(7), staging -> {
                    Files.writeString(staging.stage(directory.resolve("a"), Existing.REPLACE), "new");
                    Files.writeString(staging.stage(directory.resolve("b"), Existing.FAIL), "new");
                    Files.writeString(staging.stage(directory.resolve("c"), Existing.REPLACE), "new");
                    staging.makeDurable();
                    return null;
                }))
                .isInstanceOf(FileAlreadyExistsException.class);

        assertThat(written()).containsExactlyInAnyOrder("a", "b");
        assertThat(directory.resolve("b")).hasContent("old");
    }

    @Test
    void threadsThatAppendToOneFileLoseNothing() throws Exception {
        appendFromAllSides(here, here, directory.resolve("log"), directory.resolve("log"));

        assertThat(directory.resolve("log")).hasSize(100);
    }

    @Test
    void norThroughTwoSpellingsOfADirectory() throws Exception {
        Path real = Files.createDirectory(directory.resolve("real"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), real);
        FileFence linked = new FileFence(LEASE, link);
        appendFromAllSides(new FileFence(LEASE, real), linked, real.resolve("log"), link.resolve("log"));
        assertThat(real.resolve("log")).hasSize(100);

        appendFromAllSides(here, here, real.resolve("other"), link.resolve("other"));
        assertThat(real.resolve("other")).hasSize(100);
    }

    private void appendFromAllSides(FileFence one, FileFence other, Path log, Path sameLog) throws Exception {
        one.raise(tenure(7));
        other.raise(tenure(7));
        List<CompletableFuture<Void>> writers = IntStream.range(0, 4)
                .mapToObj(n -> CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 25; i++) {
                        try {
                            stage(n % 2 == 0 ? one : other, n % 2 == 0 ? log : sameLog, "x", Existing.APPEND);
                        } catch (Exception failed) {
                            throw new IllegalStateException(failed);
                        }
                    }
                }))
                .toList();
        CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource
    void aLinkIntoTheMemoryOfAFenceIsRefused(Existing existing) throws Exception {
        Path sub = Files.createDirectory(directory.resolve("sub"));
        FileFence below = new FileFence(LEASE, sub);
        below.raise(tenure(3));
        here.raise(tenure(7));
        Files.createSymbolicLink(directory.resolve("innocent"), sub.resolve(".fencedlease"));

        assertThatThrownBy(() -> stage(here, directory.resolve("innocent/x"), "x", existing))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("innocent");
        assertThat(sub.resolve(".fencedlease/x")).doesNotExist();
        assertThat(tenureFolder()).isDirectoryNotContaining(path -> !path.endsWith("mark"));
    }

    @Test
    void aNonceIsComparedAlsoWhereTheTokenIsKnown() throws Exception {
        here.raise(tenure(7));
        here.guard(tenure(7), write("seven"));

        assertThatThrownBy(() -> here.guard(tenure(7, "twin"), write("twin")))
                .isInstanceOf(FencedOutException.class)
                .hasMessageContaining("another tenure");
        assertThat(written()).containsExactly("seven");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../outside",
                "a/../../outside",
                ".fencedlease/x",
                "sub/.fencedlease/invoice-closer/tenure-9/mark",
                ".FencedLease/invoice-closer/mark",
                "."
            })
    void targetsOutsideOfTheDirectoryAndInTheFencesMemoryAreRefused(String name) throws Exception {
        here.raise(tenure(7));

        assertThatThrownBy(() -> stage(7, directory.resolve(name), "x", Existing.REPLACE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name);
        assertThat(written()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../outside", ".fencedlease/x", "sub/.fencedlease/x"})
    void norIsAnOldFileKeptThere(String name) throws Exception {
        here.raise(tenure(7));
        Path target = Files.writeString(directory.resolve("a"), "old");

        assertThatThrownBy(() -> here.guardFiles(
                        tenure(7),
                        staging -> Files.writeString(
                                staging.stageKeeping(target, file -> directory.resolve(name)), "new")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name);
        assertThat(target).hasContent("old");
    }

    @Test
    void outsideOfAGuardedWriteThereIsNoStage() {
        assertThatThrownBy(Staging::current).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aDirectoryThatIsNotThereIsNotMade() {
        FileFence nowhere = new FileFence(LEASE, directory.resolve("nowhere"));

        assertThatThrownBy(() -> nowhere.raise(tenure(7))).isInstanceOf(FenceUnavailableException.class);
        assertThat(directory).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nfs4", "CIFS", "9p", "fuse.sshfs"})
    void networkFileSystemsAreRefused(String type) {
        FileFence remote = new FileFence(LEASE, directory, new Disk() {
            @Override
            String store(Path folder) {
                return type;
            }
        });

        assertThatThrownBy(() -> remote.raise(tenure(7)))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining(type)
                .hasMessageContaining(directory.toString());
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void soAreThoseWithoutPosixNames(@TempDir Path elsewhere) throws Exception {
        try (FileSystem archive =
                FileSystems.newFileSystem(elsewhere.resolve("archive.zip"), Map.of("create", "true"))) {
            FileFence fence = new FileFence(LEASE, archive.getPath("/"));

            assertThatThrownBy(fence::prepare)
                    .isInstanceOf(SettingRefusedException.class)
                    .hasMessageContaining("local POSIX");
        }
    }

    /** What may happen to a mark, and what the next look at it finds. */
    enum Damage {
        MARK_DELETED,
        MARK_CUT,
        MARK_EMPTIED,
        MARK_CHANGED,
        MARK_UNREADABLE,
        MARK_OF_ANOTHER_LEASE,
        TENURE_DELETED,
        TENURE_RENAMED,
        LEASE_DELETED,
        ALL_DELETED;

        void happen(FileFenceTest test) throws IOException {
            Path tenure = test.tenureFolder();
            Path mark = tenure.resolve("mark");
            String text = Files.readString(mark);
            Disk disk = new Disk();
            switch (this) {
                case MARK_DELETED -> Files.delete(mark);
                case MARK_CUT -> Files.writeString(mark, text.substring(0, text.length() - 3));
                case MARK_EMPTIED -> Files.writeString(mark, "");
                case MARK_CHANGED -> Files.writeString(mark, text.replace("nonce-7", "nonce-8"));
                case MARK_UNREADABLE -> {
                    // rights would not keep root from reading
                    Files.delete(mark);
                    Files.createDirectory(mark);
                }
                case MARK_OF_ANOTHER_LEASE -> Files.writeString(mark, text.replace("lease invoice", "lease Invoice"));
                case TENURE_DELETED -> disk.deleteTree(tenure);
                case TENURE_RENAMED -> Files.move(tenure, tenure.resolveSibling("tenure-99999999999999999999-x"));
                case LEASE_DELETED -> disk.deleteTree(test.leaseFolder());
                case ALL_DELETED -> disk.deleteTree(test.leaseFolder().getParent());
            }
        }
    }

    // T10: CAMEL-22430, T13: CAMEL-24092
    @ParameterizedTest
    @EnumSource
    void aDamagedMarkIsRefusedWithARemedyAndNeverMended(Damage damage) throws Exception {
        here.raise(tenure(7));
        damage.happen(this);
        List<Path> before = everything();

        for (Throwable refusal : List.of(
                catchThrowable(() -> here.guard(tenure(7), write("seven"))),
                catchThrowable(() -> here.raise(tenure(7))),
                catchThrowable(() -> here.raise(tenure(9))))) {
            assertThat(refusal)
                    .isInstanceOf(FenceUnavailableException.class)
                    .hasMessageContaining("To mend it")
                    .hasMessageContaining(leaseFolder().toString());
        }
        assertThat(everything()).isEqualTo(before);

        new Disk().deleteTree(leaseFolder());
        FileFence restarted = new FileFence(LEASE, directory);
        restarted.raise(tenure(9));
        restarted.guard(tenure(9), write("nine"));
        assertThat(written()).containsExactly("nine");
    }

    @Test
    void leasesThatTheFileSystemTakesForOneAreBothNamed() throws Exception {
        here.raise(tenure(7));
        LeaseName upper = new LeaseName("INVOICE-CLOSER");
        Files.write(tenureFolder().resolve("mark"), Mark.content(new Tenure(upper, new FencingToken(7), "nonce-7")));

        assertThatThrownBy(() -> here.guard(tenure(7), write("seven")))
                .isInstanceOf(FenceUnavailableException.class)
                .hasMessageContaining("INVOICE-CLOSER")
                .hasMessageContaining("invoice-closer")
                .hasMessageContaining("differ in case");
    }

    @Test
    void aMarkThatThisProcessMayNotReadIsRefusedWithARemedy() throws Exception {
        here.raise(tenure(7));
        here.guard(tenure(7), write("before"));
        Path mark = tenureFolder().resolve("mark");
        Files.setPosixFilePermissions(mark, Set.of());
        FileFence forbidden = Files.isReadable(mark) ? asIfNotRoot(mark) : here;

        for (Throwable refusal : List.of(
                catchThrowable(() -> forbidden.guard(tenure(7), write("seven"))),
                catchThrowable(() -> forbidden.raise(tenure(9))))) {
            assertThat(refusal)
                    .isInstanceOf(FenceUnavailableException.class)
                    .hasMessageContaining("AccessDenied")
                    .hasMessageContaining("rights of this process")
                    .hasMessageContaining("To mend it");
        }
        assertThat(written()).containsExactly("before");
    }

    /** What everybody else gets from the system. */
    private FileFence asIfNotRoot(Path mark) {
        return new FileFence(LEASE, directory, new Disk() {
            @Override
            byte[] read(Path file) throws IOException {
                if (file.equals(mark)) {
                    throw new AccessDeniedException(file.toString());
                }
                return super.read(file);
            }
        });
    }

    @Test
    void aMarkThatWentBackwardsIsToldApartAndNotLifted() throws Exception {
        here.raise(tenure(9));
        new Disk().deleteTree(leaseFolder());
        there.raise(tenure(5));

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> here.guard(tenure(9), write("no")))
                    .isInstanceOfSatisfying(
                            FencedOutException.class, e -> assertThat(e.mark()).isEqualTo(5))
                    .hasMessageContaining("mark went backwards");
        }
    }

    private List<Path> everything() throws IOException {
        try (var files = Files.walk(directory)) {
            return files.sorted().toList();
        }
    }

    private void stage(long token, Path target, String content, Existing existing) throws Exception {
        here.guardFiles(tenure(token), staging -> Files.writeString(staging.stage(target, existing), content));
    }

    private void stage(FileFence fence, Path target, String content, Existing existing) throws Exception {
        fence.guardFiles(tenure(7), staging -> Files.writeString(staging.stage(target, existing), content));
    }
}
