package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.file.FileFence;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.file.GenericFileOperationFailedException;
import org.apache.camel.spi.Language;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: behind the fence, options, headers and bodies do what they do in plain {@code file:}. Method: the same message to
 * both, then both directories and both exchanges are compared.
 */
class FencedFileParityTest {

    private static final LeaseDatabase DATABASE = new LeaseDatabase();
    private static final LeasedNode NODE = new LeasedNode(DATABASE, "a");

    @TempDir
    private static Path temp;

    /** A message that a case sends. */
    interface Filled {
        void fill(Message message) throws Exception;
    }

    /** What is in the directory before. */
    interface Prepared {
        void prepare(Path directory) throws IOException;
    }

    /** One configuration, and one message to it. */
    record Case(String name, String options, Prepared before, Filled message) {
        Path directory(String side) {
            return temp.resolve(side).resolve(name.replace(' ', '-'));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static final Prepared NOTHING = directory -> {};
    private static final Prepared OLD = directory -> Files.writeString(directory.resolve("a.txt"), "old");
    private static final Filled A = named("a.txt");

    static final List<Case> CASES = List.of(
            new Case("by header", "", NOTHING, A),
            new Case("override", "", OLD, A),
            new Case("override with prefix", "tempPrefix=.tmp-", OLD, A),
            new Case("override without eager", "tempPrefix=.tmp-&eagerDeleteTargetFile=false", OLD, A),
            new Case("temp name", "tempFileName=x-${file:onlyname}", NOTHING, named("deep/er/a.txt")),
            new Case("file name", "fileName=sub/dir/${header.who}.txt", NOTHING, m -> m.setHeader("who", "me")),
            new Case("file name beats header", "fileName=fix.txt", NOTHING, A),
            new Case("overruled", "fileName=fix.txt", NOTHING, m -> {
                A.fill(m);
                m.setHeader("CamelOverruleFileName", "other.txt");
            }),
            new Case("name by expression", "", NOTHING, m -> m.setHeader("CamelFileName", simple("${body}.txt"))),
            new Case("flatten", "flatten=true", NOTHING, named("deep/er/a.txt")),
            new Case("absolute name", "", NOTHING, named("/abs/a.txt")),
            new Case("outside", "", NOTHING, named("../../outside.txt")),
            new Case("charset", "charset=iso-8859-1", NOTHING, body("h\u00e9")),
            new Case("done", "doneFileName=done", NOTHING, named("sub/a.txt")),
            new Case("done by name", "doneFileName=${file:name}.done", NOTHING, named("sub/a.txt")),
            new Case("done by name without extension", "doneFileName=.${file:name.noext}.done", NOTHING, A),
            new Case("done again", "doneFileName=a.done", d -> Files.writeString(d.resolve("a.done"), "old"), A),
            new Case("append", "fileExist=Append", OLD, A),
            new Case("append with chars", "fileExist=Append&appendChars=;", OLD, A),
            new Case("append with charset", "fileExist=Append&appendChars=;&charset=utf-16be", OLD, A),
            new Case("append to nothing", "fileExist=Append&appendChars=;", NOTHING, body(stream("bytes"))),
            new Case("append nothing", "fileExist=Append&allowNullBody=true", OLD, body(null)),
            new Case("fail", "fileExist=Fail", OLD, A),
            new Case("fail with prefix", "fileExist=Fail&tempPrefix=.t", OLD, A),
            new Case("fail not", "fileExist=Fail&tempPrefix=.t", NOTHING, A),
            new Case("ignore", "fileExist=Ignore", OLD, A),
            new Case("ignore with prefix", "fileExist=Ignore&tempPrefix=.t&doneFileName=done", OLD, A),
            new Case("ignore not", "fileExist=Ignore&doneFileName=done", NOTHING, A),
            new Case("move", "fileExist=Move&moveExisting=backup/", OLD, A),
            new Case(
                    "move in sub folder",
                    "fileExist=Move&moveExisting=../b-${file:onlyname}",
                    d -> {
                        Files.createDirectory(d.resolve("sub"));
                        Files.writeString(d.resolve("sub/a.txt"), "old");
                    },
                    named("sub/a.txt")),
            new Case("move nothing", "fileExist=Move&moveExisting=backup/", NOTHING, A),
            new Case("move onto", "fileExist=Move&moveExisting=backup/", FencedFileParityTest::backup, A),
            new Case(
                    "move not onto",
                    "fileExist=Move&moveExisting=backup/&eagerDeleteTargetFile=false",
                    FencedFileParityTest::backup,
                    A),
            new Case("try rename", "fileExist=TryRename&tempPrefix=.t", OLD, A),
            new Case("null", "", NOTHING, body(null)),
            new Case("null allowed", "allowNullBody=true", OLD, body(null)),
            new Case("chmod", "chmod=640", NOTHING, A),
            new Case("chmod of folders", "chmodDirectory=750", NOTHING, named("sub/a.txt")),
            new Case("folders stepwise", "autoCreateStepwise=true", NOTHING, named("sub/er/a.txt")),
            new Case("last modified", "keepLastModified=true", NOTHING, m -> {
                A.fill(m);
                m.setHeader("CamelFileLastModified", 86_400_000L);
            }),
            new Case("checksum", "checksumFileAlgorithm=MD5&doneFileName=done", NOTHING, A),
            new Case(
                    "checksum again",
                    "checksumFileAlgorithm=SHA-256",
                    d -> {
                        OLD.prepare(d);
                        Files.writeString(d.resolve("a.txt.SHA-256"), "old");
                    },
                    A),
            new Case("no folder made", "autoCreate=false", NOTHING, named("sub/a.txt")),
            new Case("no folder needed", "autoCreate=false", NOTHING, A),
            new Case("bytes", "bufferSize=3", NOTHING, body("0123456789".getBytes())),
            new Case("stream", "bufferSize=3", NOTHING, body(stream("0123456789"))),
            new Case("a file", "", NOTHING, m -> body(Files.writeString(temp.resolve("body"), "f")
                            .toFile())
                    .fill(m)),
            new Case("a local work file", "", NOTHING, m -> {
                Path work = Files.writeString(temp.resolve("work"), "w");
                body(work.toFile()).fill(m);
                m.setHeader("CamelFileLocalWorkPath", work.toString());
            }),
            new Case("unconvertible", "", NOTHING, body(new Object() {})),
            new Case("onto a folder", "", d -> Files.createDirectories(d.resolve("a.txt/x")), A));

    @BeforeAll
    static void start() throws Exception {
        for (Case each : CASES) {
            for (String side : List.of("plain", "fenced")) {
                each.before().prepare(Files.createDirectories(each.directory(side)));
            }
        }
        NODE.component.setTtl(60_000);
        NODE.routes(new RouteBuilder() {
                    @Override
                    public void configure() {
                        for (Case each : CASES) {
                            String query = each.options().isEmpty() ? "" : "?" + each.options();
                            from("direct:plain-" + each).to("file:" + each.directory("plain") + query);
                            from("fencedlease:L:direct:fenced-" + each)
                                    .to("fencedlease:L:file:" + each.directory("fenced") + query);
                        }
                    }
                })
                .start();
        eventually().until(NODE::holds);
    }

    @AfterAll
    static void stop() {
        NODE.close();
        DATABASE.close();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void bothDoTheSame(Case each) throws Exception {
        Exchange plain = send("direct:plain-" + each, each);
        Exchange fenced = send("direct:fenced-" + each, each);

        assertThat(tree(each.directory("fenced"))).isEqualTo(tree(each.directory("plain")));
        assertThat(kind(fenced)).isEqualTo(kind(plain));
        assertThat(headers(fenced, each.directory("fenced"))).isEqualTo(headers(plain, each.directory("plain")));
    }

    static List<Case> cases() {
        return CASES;
    }

    private static Exchange send(String uri, Case each) {
        return NODE.context.createProducerTemplate().request(uri, exchange -> {
            exchange.getMessage().setBody("new");
            each.message().fill(exchange.getMessage());
        });
    }

    private static String kind(Exchange exchange) {
        Exception failed = exchange.getException();
        // the name of a disk's refusal when publishing
        boolean refused = failed instanceof FenceUnavailableException;
        return failed == null
                ? ""
                : (refused ? GenericFileOperationFailedException.class : failed.getClass()).getName();
    }

    /** Each path with its content, rights, and whether it is of the 1970s. */
    private static Map<String, String> tree(Path directory) throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.filter(p -> !p.startsWith(directory.resolve(FileFence.FOLDER)))
                    .toList()) {
                found.put(
                        directory.relativize(path).toString(),
                        (Files.isDirectory(path) ? "" : new String(Files.readAllBytes(path), "iso-8859-1"))
                                + " " + PosixFilePermissions.toString(Files.getPosixFilePermissions(path))
                                + (Files.getLastModifiedTime(path).toMillis() == 86_400_000L ? " old" : ""));
            }
        }
        return found;
    }

    private static Map<String, String> headers(Exchange exchange, Path directory) {
        Map<String, String> headers = new TreeMap<>();
        exchange.getMessage().getHeaders().forEach((name, value) -> {
            // the local work file is copied, so that it is still there if the fence refuses
            if (!name.startsWith("Fencing") && !name.equals("CamelFileLocalWorkPath")) {
                headers.put(name, String.valueOf(value).replace(directory.toString(), "DIRECTORY"));
            }
        });
        return headers;
    }

    private static void backup(Path directory) throws IOException {
        OLD.prepare(directory);
        Files.createDirectory(directory.resolve("backup"));
        Files.writeString(directory.resolve("backup/a.txt"), "older");
    }

    private static Filled named(String name) {
        return message -> message.setHeader("CamelFileName", name);
    }

    private static Filled body(Object body) {
        return message -> {
            A.fill(message);
            message.setBody(body instanceof Stream2 s ? s.open() : body);
        };
    }

    /** A stream for each of the two. */
    private record Stream2(String text) {
        InputStream open() {
            return new ByteArrayInputStream(text.getBytes());
        }
    }

    private static Stream2 stream(String text) {
        return new Stream2(text);
    }

    private static org.apache.camel.Expression simple(String text) {
        Language simple = NODE.context.resolveLanguage("simple");
        return simple.createExpression(text);
    }
}
