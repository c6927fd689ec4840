package io.fencedlease.fence.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.Tenure;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: whatever happens before whichever step, a mark is never lowered, no earlier tenure gets through after a raise has
 * returned, and no half file is seen. Method: each step on the disk is once the one before which another node raises, an
 * I/O error comes (T13 of the cases), or everything ends.
 */
class FileFenceStepsTest {

    private static final LeaseName LEASE = new LeaseName("invoice-closer");

    /** More than any of them has. */
    private static final int STEPS = 60;

    @TempDir
    Path temp;

    private Path directory;
    private SteppedDisk disk;
    private FileFence stepped;
    private FileFence other;

    @ParameterizedTest
    @ValueSource(longs = {0, 5})
    void aRaiseThatIsOvertakenAtAnyStepLowersNothing(long before) throws Exception {
        for (int step = 0; begin(step, before); step++) {
            disk.at(step, () -> raise(other, 9));
            Throwable late = catchThrowable(() -> stepped.raise(tenure(7)));

            if (disk.happened()) {
                assertThat(late == null || late instanceof RaiseRefusedException || unavailable(late))
                        .as("step %d: %s", step, late)
                        .isTrue();
                nothingIsLeftOf(7);
                fencedOut(stepped, 7, 9);
                fencedOut(other, 7, 9);
                write(other, 9, Way.REPLACE);
                assertThat(files()).containsEntry("a", "of 9");
                assertThatThrownBy(() -> stepped.raise(tenure(7))).isInstanceOf(RaiseRefusedException.class);
            } else {
                assertThat(late).isNull();
                return;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 5})
    void ofTwoTenuresWithOneTokenNeverBothWrite(long before) throws Exception {
        Tenure twin = new Tenure(LEASE, new FencingToken(7), "twin");
        for (int step = 0; begin(step, before); step++) {
            Throwable[] theirs = new Throwable[1];
            disk.at(step, () -> theirs[0] = catchThrowable(() -> other.raise(twin)));
            Throwable ours = catchThrowable(() -> stepped.raise(tenure(7)));
            if (!disk.happened()) {
                return;
            }
            Throwable first = catchThrowable(() -> write(stepped, 7, Way.REPLACE));
            Throwable second = catchThrowable(() -> other.guard(twin, () -> null));
            assertThat(first == null && second == null)
                    .as("step %d: %s, %s; %s, %s", step, ours, theirs[0], first, second)
                    .isFalse();
            raise(other, 8);
            write(other, 8, Way.REPLACE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWriteThatIsOvertakenAtAnyStepHasHappenedBeforeOrIsFencedOut(Way way) throws Exception {
        for (int step = 0; begin(step, 0); step++) {
            way.prepare(directory);
            stepped.raise(tenure(7));
            Map<String, String> old = files();
            Map<String, String> atRaise = new TreeMap<>();
            disk.at(step, () -> {
                raise(other, 9);
                atRaise.putAll(files());
            });
            Throwable outcome = catchThrowable(() -> write(stepped, 7, way));

            if (!disk.happened()) {
                assertThat(outcome).isNull();
                return;
            }
            assertThat(files()).as("step %d of %s", step, disk.steps).isEqualTo(atRaise);
            if (!atRaise.getOrDefault("a", "").contains("of 7")) {
                assertThat(outcome).as("step %d", step).isInstanceOf(FencedOutException.class);
                assertThat(files().get("a")).isEqualTo(old.get("a"));
            }
            fencedOut(stepped, 7, 9);
        }
    }

    @Test
    void ofTwoWhoMayNotReplaceTheFileOnlyOneSucceeds() throws Exception {
        for (int step = 0; begin(step, 0); step++) {
            stepped.raise(tenure(7));
            Throwable[] theirs = new Throwable[1];
            disk.at(step, () -> theirs[0] = catchThrowable(() -> write(other, 7, Way.FAIL)));
            Throwable ours = catchThrowable(() -> write(stepped, 7, Way.FAIL));
            if (!disk.happened()) {
                return;
            }
            assertThat(Stream.of(ours, theirs[0]).filter(Objects::nonNull))
                    .as("step %d of %s", step, disk.steps)
                    .singleElement()
                    .isInstanceOf(FileAlreadyExistsException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 5})
    void anIoErrorAtAnyStepOfARaiseRefusesItAndTheNextOneSucceeds(long before) throws Exception {
        for (int step = 0; begin(step, before); step++) {
            disk.at(step, SteppedDisk::fail);
            Throwable failure = catchThrowable(() -> stepped.raise(tenure(7)));
            if (!disk.happened()) {
                assertThat(failure).isNull();
                return;
            }
            assertThat(failure).as("step %d", step).isInstanceOf(FenceUnavailableException.class);
            stepped.raise(tenure(7));
            write(stepped, 7, Way.REPLACE);
            fencedOut(stepped, 5, 7);
            nothingIsLeftOf(5);
        }
    }

    /** As one does whose system call had found the folder before it got its other name. */
    @Test
    void aWriterThatAddsToItsStageWhileThatIsTakenAwayDoesNotHinderTheRaise() throws Exception {
        for (int step = 0; begin(step, 5); step++) {
            disk.at(step, () -> {
                try (Stream<Path> folders = Files.list(directory.resolve(".fencedlease/invoice-closer"))) {
                    for (Path dead : folders.filter(
                                    f -> f.getFileName().toString().startsWith("dead-"))
                            .toList()) {
                        Files.writeString(dead.resolve("late"), "");
                    }
                }
            });
            stepped.raise(tenure(7));
            nothingIsLeftOf(5);
            if (!disk.happened()) {
                return;
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anIoErrorAtAnyStepOfAWriteRefusesItOrComesTooLate(Way way) throws Exception {
        for (int step = 0; begin(step, 0); step++) {
            way.prepare(directory);
            stepped.raise(tenure(7));
            Map<String, String> old = files();
            disk.at(step, SteppedDisk::fail);
            Throwable failure = catchThrowable(() -> write(stepped, 7, way));
            if (!disk.happened()) {
                return;
            }
            if (failure == null || failure.toString().contains("is published, but")) {
                // the first look, repeated by another one; the clearing up; the fsync at last
                assertThat(files().get("a"))
                        .as("step %d of %s", step, disk.steps)
                        .contains("of 7");
            } else {
                assertThat(failure).as("step %d of %s", step, disk.steps).isInstanceOf(FenceUnavailableException.class);
                assertThat(files().get("a")).isEqualTo(old.get("a"));
            }
            write(other, 7, way == Way.FAIL ? Way.REPLACE : way);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 5})
    void aRaiseThatEndsAtAnyStepHarmsNobody(long before) throws Exception {
        for (int step = 0; begin(step, before); step++) {
            Throwable end = killed(step, () -> new FileFence(LEASE, directory, disk).raise(tenure(7)));
            if (end == null) {
                return;
            }
            other.raise(tenure(8));
            write(other, 8, Way.REPLACE);
            fencedOut(other, 5, 8);
            fencedOut(other, 7, 8);
            nothingIsLeftOf(7);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWriteThatEndsAtAnyStepIsWholeOrNotThere(Way way) throws Exception {
        for (int step = 0; begin(step, 0); step++) {
            way.prepare(directory);
            Map<String, String> old = files();
            other.raise(tenure(7));
            FileFence writer = new FileFence(LEASE, directory, disk);
            Throwable end = killed(step, () -> write(writer, 7, way));
            String seen = files().get("a");
            String whole = way.published("of 7");
            assertThat(seen == null ? "" : seen).isIn(old.getOrDefault("a", ""), whole);
            if (end == null) {
                assertThat(seen).isEqualTo(whole);
                return;
            }
            other.raise(tenure(8));
            write(other, 8, way == Way.FAIL ? Way.REPLACE : way);
            nothingIsLeftOf(7);
        }
    }

    /** In this order each is on the disk before it counts; and what is taken away is named so before it shrinks. */
    @Test
    void theStepsOfARaiseAreKnown() throws Exception {
        begin(0, 0);
        stepped.raise(tenure(5));
        assertThat(changes())
                .containsExactly(
                        "createFolder .fencedlease",
                        "force d0",
                        "createFolder .new-invoice-closer-5",
                        "createFolder tenure-5",
                        "write mark",
                        "force mark",
                        "force tenure-5",
                        "force .new-invoice-closer-5",
                        "move .new-invoice-closer-5",
                        "force .fencedlease");

        stepped.raise(tenure(7));
        assertThat(changes())
                .startsWith(
                        "createFolder new-7",
                        "write mark",
                        "force mark",
                        "force new-7",
                        "move new-7",
                        "force invoice-closer",
                        "move tenure-5",
                        "delete mark",
                        "delete dead-5");
    }

    @ParameterizedTest
    @EnumSource
    void aDurableFileIsOnTheDiskBeforeItIsSeenAndItsNameBeforeTheWriteReturns(Way way) throws Exception {
        begin(0, 0);
        way.prepare(directory);
        stepped.raise(tenure(7));
        disk.steps.clear();
        write(stepped, 7, way);

        List<String> steps = disk.steps.stream()
                .map(step -> step.replaceFirst(" .*-.*", " staged"))
                .toList();
        String publication = way == Way.FAIL ? "link staged" : "move staged";
        if (way == Way.APPEND) {
            assertThat(steps).containsSubsequence("append staged", "force staged", publication, "force d0");
        }
        assertThat(steps).containsSubsequence("force staged", publication, "force d0");
    }

    @Test
    void aMarkThatIsTakenAwayWhileItIsReadIsNotTakenForDamaged() throws Exception {
        begin(0, 7);
        for (int step = 0; step < 2; step++) {
            long next = 8 + step;
            disk.at(step, () -> raise(other, next));
            assertThatThrownBy(() -> write(new FileFence(LEASE, directory, disk), 7, Way.REPLACE))
                    .as("%s", disk.steps)
                    .isInstanceOf(FencedOutException.class);
        }
    }

    /** Since the last call, without what tells the folders apart. */
    private List<String> changes() {
        List<String> changes = disk.steps.stream()
                .filter(step -> step.matches("(createFolder|write|force|move|delete) .*"))
                .map(step -> step.replaceFirst("-[0-9a-f-]{36}$", ""))
                .toList();
        disk.steps.clear();
        return changes;
    }

    private Throwable killed(int step, org.assertj.core.api.ThrowableAssert.ThrowingCallable work) {
        disk.killAt(step);
        Throwable end = catchThrowable(work);
        assertThat(end == null || end instanceof SteppedDisk.Killed)
                .as("%s", end)
                .isTrue();
        return end;
    }

    /** A fresh directory, raised for a tenure before; false after the last step. */
    private boolean begin(int step, long before) throws Exception {
        assertThat(step).isLessThan(STEPS);
        directory = Files.createDirectory(temp.resolve("d" + step));
        disk = new SteppedDisk();
        stepped = new FileFence(LEASE, directory, disk);
        other = new FileFence(LEASE, directory, new SteppedDisk());
        if (before > 0) {
            other.raise(tenure(before));
        }
        return true;
    }

    private void write(FileFence fence, long token, Way way) throws Exception {
        fence.guardFiles(tenure(token), staging -> {
            staging.makeDurable();
            return Files.writeString(way.stage(staging, directory), "of " + token);
        });
    }

    private void fencedOut(FileFence fence, long token, long mark) {
        assertThatThrownBy(() -> write(fence, token, Way.REPLACE))
                .isInstanceOfSatisfying(
                        FencedOutException.class, e -> assertThat(e.mark()).isEqualTo(mark));
    }

    private void nothingIsLeftOf(long token) throws IOException {
        try (Stream<Path> left = Files.walk(directory.resolve(FileFence.FOLDER))) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .noneMatch(name -> name.contains("-" + token + "-"));
        }
    }

    private Map<String, String> files() throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                content.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return content;
    }

    private static boolean unavailable(Throwable failure) {
        return failure instanceof FenceUnavailableException;
    }

    private static void raise(FileFence fence, long token) {
        try {
            fence.raise(tenure(token));
        } catch (RaiseRefusedException refused) {
            throw new AssertionError(refused);
        }
    }

    private static Tenure tenure(long token) {
        return new Tenure(LEASE, new FencingToken(token), "nonce-" + token);
    }
}
