package io.fencedlease.examples.ownfence;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** A bare git repository, by git's plumbing commands. Thread-safe; blocks. */
final class GitRepository {

    static final String BRANCH = "refs/heads/main";
    /** What git takes for "this ref does not exist". */
    static final String NOTHING = "0".repeat(40);

    private static final String EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

    /** What this thread writes to each repository while it is collected. */
    private static final ThreadLocal<Map<Path, Map<String, String>>> COLLECTED = ThreadLocal.withInitial(HashMap::new);

    private final Path path;

    GitRepository(Path path) {
        this.path = path.toAbsolutePath().normalize();
    }

    Path path() {
        return path;
    }

    /** Writes a file: at once, or with what else is written inside {@link #collect}. */
    void write(String file, String content) throws IOException {
        Map<String, String> files = COLLECTED.get().get(path);
        if (files != null) {
            files.put(file, content);
            return;
        }
        String head;
        do {
            head = ref(BRANCH);
        } while (!update("update " + BRANCH + " " + commit(head, Map.of(file, content)) + " " + head));
    }

    /** Runs what writes, and keeps what it wrote in the given map instead. */
    <T> T collect(Map<String, String> files, Callable<T> writing) throws Exception {
        COLLECTED.get().put(path, files);
        try {
            return writing.call();
        } finally {
            COLLECTED.get().remove(path);
        }
    }

    /** Makes a commit on top of another; nobody sees it until a ref points to it. */
    String commit(String parent, Map<String, String> files) throws IOException {
        Map<String, String> tree = new LinkedHashMap<>();
        if (!parent.equals(NOTHING)) {
            git("", "ls-tree", parent).orElse("").lines().forEach(l -> tree.put(l.substring(l.indexOf('\t') + 1), l));
        }
        for (Map.Entry<String, String> file : files.entrySet()) {
            tree.put(file.getKey(), "100644 blob " + blob(file.getValue()) + "\t" + file.getKey());
        }
        String root = tree.isEmpty() ? EMPTY_TREE : must(String.join("\n", tree.values()) + "\n", "mktree");
        return parent.equals(NOTHING)
                ? must("", "commit-tree", root, "-m", "write")
                : must("", "commit-tree", root, "-p", parent, "-m", "write");
    }

    String blob(String content) throws IOException {
        return must(content, "hash-object", "-w", "--stdin");
    }

    String content(String object) throws IOException {
        return must("", "cat-file", "blob", object);
    }

    /** What a ref points to; {@link #NOTHING} if there is no such ref. */
    String ref(String name) throws IOException {
        // every failure of git is not "no such ref": then the repository is there but the ref is not
        Optional<String> found = git("", "rev-parse", "--verify", "--quiet", name);
        if (found.isEmpty()) {
            must("", "rev-parse", "--git-dir");
        }
        return found.orElse(NOTHING);
    }

    /** All of these instructions to git's update-ref take effect, or none; false if a ref was not as expected. */
    boolean update(String... instructions) throws IOException {
        return git(String.join("\n", instructions) + "\n", "update-ref", "--stdin")
                .isPresent();
    }

    List<String> files() throws IOException {
        return git("", "ls-tree", "--name-only", BRANCH).orElse("").lines().toList();
    }

    void init() throws IOException {
        must("", "init", "--bare", "--quiet");
    }

    private String must(String stdin, String... arguments) throws IOException {
        return git(stdin, arguments)
                .orElseThrow(() -> new IOException("git " + String.join(" ", arguments) + " failed in " + path));
    }

    /** Git's output, empty if it answered that it could not. */
    private Optional<String> git(String stdin, String... arguments) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(Stream.concat(Stream.of("git", "--git-dir=" + path), Stream.of(arguments))
                        .toList());
        // as whoever runs this has it configured must not matter
        builder.environment()
                .putAll(Map.of(
                        "GIT_CONFIG_NOSYSTEM", "1",
                        "GIT_CONFIG_GLOBAL", "/dev/null",
                        "GIT_AUTHOR_NAME", "gitfile",
                        "GIT_AUTHOR_EMAIL", "gitfile@localhost",
                        "GIT_COMMITTER_NAME", "gitfile",
                        "GIT_COMMITTER_EMAIL", "gitfile@localhost"));
        Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (var in = process.getOutputStream()) {
            in.write(stdin.getBytes(StandardCharsets.UTF_8));
        }
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            return process.waitFor() == 0 ? Optional.of(out.stripTrailing()) : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
