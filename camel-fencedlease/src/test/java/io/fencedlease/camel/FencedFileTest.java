package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.fence.file.FileFence;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.Tenure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.file.GenericFileOperationFailedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: files through a fence are written by the tenure and by nobody else. Method: a real context, its leases on H2. */
class FencedFileTest {

    @TempDir
    Path out;

    private final LeaseDatabase database = new LeaseDatabase();
    private final LeasedNode node = new LeasedNode(database, "a");
    private final AtomicInteger tries = new AtomicInteger();

    @BeforeEach
    void start() throws Exception {
        // a paused machine shall not cost it
        node.component.setTtl(60_000);
        node.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        errorHandler(defaultErrorHandler()
                                .maximumRedeliveries(3)
                                .redeliveryDelay(1)
                                .onRedelivery(e -> tries.incrementAndGet()));
                        String to = "fencedlease:L:file:" + out;
                        from("fencedlease:L:direct:file")
                                .noStreamCaching()
                                .to(to + "/d?doneFileName=${file:name}.done");
                        from("fencedlease:L:direct:append").to(to + "/d?fileExist=Append&fence.file.fsync=true");
                        from("fencedlease:L:direct:once").noStreamCaching().to(to + "/d?fileExist=Fail");
                        from("fencedlease:L:direct:dynamic").toD(to + "/${header.to}");
                    }
                })
                .start();
        eventually().until(node::holds);
    }

    @AfterEach
    void stop() {
        node.close();
        database.close();
    }

    private Exchange call(String route, Object... headers) {
        return node.context.createProducerTemplate().request("direct:" + route, exchange -> {
            exchange.getMessage().setBody("new");
            exchange.getMessage().setHeader("CamelFileName", "a.txt");
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getMessage().setHeader((String) headers[i], headers[i + 1]);
            }
        });
    }

    /** What a successor's raise does, so that this node's tenure is fenced out. */
    private void anotherTenureRaises(Path directory) throws Exception {
        new FileFence(new LeaseName("L"), directory)
                .raise(new Tenure(new LeaseName("L"), new FencingToken(Long.MAX_VALUE), "later"));
    }

    private List<String> files(String directory) throws IOException {
        try (Stream<Path> files = Files.list(out.resolve(directory))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void theTenureWrites() throws Exception {
        Exchange exchange = call("file");

        assertThat(exchange.getException()).isNull();
        assertThat(exchange.getMessage().getHeader("CamelFileNameProduced"))
                .isEqualTo(out.resolve("d/a.txt").toString());
        assertThat(files("d")).containsExactly("a.txt", "a.txt.done");
        assertThat(out.resolve("d/a.txt")).hasContent("new");
    }

    @Test
    void withFsyncAFileIsForcedToTheDiskAndWithoutItIsNot() throws Exception {
        assertThat(forced("append"))
                .anyMatch(path -> path.startsWith(out.resolve("d").toString()));
        assertThat(forced("file")).noneMatch(path -> path.startsWith(out.toString()));
    }

    /** What this JVM forces to the disk during a call. */
    private List<String> forced(String route) throws Exception {
        Path events = out.resolve(route + ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
            recording.start();
            assertThat(call(route).getException()).isNull();
            recording.stop();
            recording.dump(events);
        }
        return RecordingFile.readAllEvents(events).stream()
                .map(event -> event.getString("path"))
                .filter(Objects::nonNull)
                .toList();
    }

    @Test
    void aDirectoryThatIsNotThereYetHoldsUpTheLeaseAndNotTheStart() throws Exception {
        try (LeasedNode other = new LeasedNode(database, "other")) {
            other.routes(new RouteBuilder() {
                        @Override
                        public void configure() {
                            from("fencedlease:M:direct:m").to("fencedlease:M:file:" + out + "/later?autoCreate=false");
                        }
                    })
                    .start();
            eventually().until(() -> other.report()
                    .problem()
                    .filter(problem -> problem.contains("later"))
                    .isPresent());
            assertThat(other.holds()).isFalse();
            Files.createDirectory(out.resolve("later"));
            eventually().until(other::holds);
        }
    }

    /** Only the first one: the routes that write there stop after it. */
    @ParameterizedTest
    @ValueSource(strings = {"file", "append"})
    void aFencedOutTenureWritesNothingAndIsNotRedelivered(String route) throws Exception {
        call("append");
        anotherTenureRaises(out.resolve("d"));

        Exchange exchange = call(route);
        assertThat(exchange.getException()).isInstanceOf(FencedOutException.class);
        assertThat(exchange.getMessage().getHeaders()).doesNotContainKey("CamelFileNameProduced");
        assertThat(tries).hasValue(0);
        assertThat(files("d")).containsExactly("a.txt");
        assertThat(out.resolve("d/a.txt")).hasContent("new");
    }

    @Test
    void theSuccessorsTokenInTheHeaderOpensNothing() throws Exception {
        call("file");
        Files.delete(out.resolve("d/a.txt"));
        anotherTenureRaises(out.resolve("d"));
        assertThat(call("file", "FencingToken", Long.MAX_VALUE, "FencingNonce", "later")
                        .getException())
                .isInstanceOf(FencedOutException.class);
        assertThat(files("d")).containsExactly("a.txt.done");
    }

    @Test
    void aDirectoryMetDuringATenureIsRaisedOnceBeforeItsFirstWrite() throws Exception {
        Files.createDirectory(out.resolve("taken"));
        anotherTenureRaises(out.resolve("taken"));
        assertThat(call("dynamic", "to", "taken").getException()).isInstanceOf(RaiseRefusedException.class);
        assertThat(files("taken")).isEmpty();

        assertThat(call("dynamic", "to", "late").getException()).isNull();
        assertThat(files("late")).containsExactly("a.txt");
        anotherTenureRaises(out.resolve("late"));
        assertThat(call("dynamic", "to", "late").getException()).isInstanceOf(FencedOutException.class);
    }

    @Test
    void aDoneFileDoesNotAppearBeforeItsFile() throws Exception {
        Files.createDirectory(out.resolve("d/a.txt"));

        assertThat(call("file").getException()).isInstanceOf(FenceUnavailableException.class);
        assertThat(files("d")).containsExactly("a.txt");
    }

    @Test
    void aFileThatAppearsDuringAWriteThatMayNotReplaceItStays() throws Exception {
        Path file = out.resolve("d/a.txt");
        InputStream body = new InputStream() {
            @Override
            public int read() throws IOException {
                Files.writeString(file, "of another one");
                return -1;
            }
        };
        Exchange exchange = node.context.createProducerTemplate().request("direct:once", e -> {
            e.getMessage().setBody(body);
            e.getMessage().setHeader("CamelFileName", "a.txt");
        });

        assertThat(exchange.getException())
                .isInstanceOf(GenericFileOperationFailedException.class)
                .hasMessageContaining("already exist");
        assertThat(file).hasContent("of another one");
    }

    @Test
    void aLocalWorkFileIsThereStillWhateverTheFenceSays() throws Exception {
        Path work = Files.writeString(out.resolve("work"), "work");
        String header = "CamelFileLocalWorkPath";
        Exchange written = call("file", header, work.toFile());
        assertThat(written.getException()).isNull();
        assertThat(written.getMessage().getHeader(header)).isEqualTo(work.toFile());
        anotherTenureRaises(out.resolve("d"));

        assertThat(call("file", header, work.toFile()).getException()).isInstanceOf(FencedOutException.class);
        assertThat(work).hasContent("work");
    }

    @Test
    void aDamagedMarkRefusesWithARemedyAndIsTriedAgain() throws Exception {
        try (Stream<Path> marks = Files.walk(out.resolve("d"))) {
            for (Path mark : marks.filter(p -> p.endsWith("mark")).toList()) {
                Files.writeString(mark, "");
            }
        }

        assertThat(call("file").getException())
                .isInstanceOf(FenceUnavailableException.class)
                .hasMessageContaining("To mend it");
        assertThat(tries).hasValue(3);
        assertThat(files("d")).isEmpty();
    }

    @Test
    void twoThreadsWriteSideBySide() throws Exception {
        List<CompletableFuture<Void>> writers = IntStream.range(0, 2)
                .mapToObj(n -> CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 50; i++) {
                        assertThat(call("file", "CamelFileName", n + "/" + i).getException())
                                .isNull();
                        assertThat(call("append").getException()).isNull();
                    }
                }))
                .toList();
        CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).get(120, TimeUnit.SECONDS);

        assertThat(files("d/0")).hasSize(100);
        assertThat(files("d/1")).hasSize(100);
        assertThat(out.resolve("d/a.txt")).hasSize(300);
    }

    @Test
    void aLargeBodyIsStreamed() throws Exception {
        long size = 8 << 20;
        AtomicLong read = new AtomicLong();
        AtomicLong seen = new AtomicLong();
        InputStream body = new InputStream() {
            @Override
            public int read() {
                return read.incrementAndGet() > size ? -1 : 'x';
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                if (read.get() > size / 2 && seen.get() == 0) {
                    // half of it must be on the disk, and nothing under its name
                    seen.set(staged());
                    assertThat(files("d")).isEmpty();
                }
                long left = size - read.get();
                int given = (int) Math.min(left, length);
                read.addAndGet(given);
                return given == 0 ? -1 : given;
            }
        };
        Exchange exchange = node.context.createProducerTemplate().request("direct:file", e -> {
            e.getMessage().setBody(body);
            e.getMessage().setHeader("CamelFileName", "large");
        });

        assertThat(exchange.getException()).isNull();
        assertThat(seen.get()).isBetween(size / 3, size);
        assertThat(out.resolve("d/large")).hasSize(size);
    }

    private long staged() throws IOException {
        try (Stream<Path> files = Files.walk(out.resolve("d/.fencedlease"))) {
            return files.mapToLong(file -> file.toFile().length()).max().orElse(0);
        }
    }
}
