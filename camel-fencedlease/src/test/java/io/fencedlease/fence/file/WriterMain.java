package io.fencedlease.fence.file;

import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.Tenure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A node with a file fence in a JVM of its own, which obeys line by line and answers each line with one. Ends with its
 * input.
 */
final class WriterMain {

    static final LeaseName LEASE = new LeaseName("invoice-closer");

    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final StoppingDisk disk = new StoppingDisk(this::wait);
    private Path directory = Path.of("");
    private FileFence fence = new FileFence(LEASE, directory);
    private BusyWriters writers = new BusyWriters(fence, directory, tenure(1));

    private WriterMain() {}

    public static void main(String[] args) throws IOException {
        new WriterMain().obey();
        Runtime.getRuntime().halt(0);
    }

    private void obey() throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(answer(line.split(" ", 2)));
        }
    }

    private void wait(String step) throws IOException {
        System.out.println("at " + step);
        if (!"go".equals(in.readLine())) {
            Runtime.getRuntime().halt(1);
        }
    }

    private String answer(String[] command) {
        try {
            return "done" + obey(command[0], command[1]);
        } catch (RaiseRefusedException refused) {
            return "raise refused by " + refused.mark();
        } catch (FencedOutException refused) {
            return "fenced out by " + refused.mark();
        } catch (Exception failed) {
            return "failed: " + failed;
        }
    }

    private String obey(String command, String what) throws Exception {
        switch (command) {
            case "open" -> {
                directory = Path.of(what);
                fence = new FileFence(LEASE, directory, disk);
            }
            case "stopAt" -> disk.stopAt(Integer.parseInt(what));
            case "raise" -> fence.raise(tenure(Long.parseLong(what)));
            case "write" -> write(what.split(" "));
            case "begin" -> begin(tenure(Long.parseLong(what)));
            case "takeOver" -> {
                return " " + takeOver(Long.parseLong(what));
            }
            default -> throw new IllegalArgumentException(command);
        }
        return "";
    }

    /** Token and way. */
    private void write(String[] what) throws Exception {
        fence.guardFiles(tenure(Long.parseLong(what[0])), staging -> {
            staging.makeDurable();
            Path staged = Way.valueOf(what[1]).stage(staging, directory);
            Files.writeString(staged, "of ");
            disk.before("stage on", staged);
            Files.writeString(staged, what[0], StandardOpenOption.APPEND);
            disk.before("staged", staged);
            return null;
        });
    }

    private void begin(Tenure tenure) throws Exception {
        writers = new BusyWriters(fence, directory, tenure);
        writers.begin();
    }

    /** Raises; how many files of the tenure before there are as soon as that has returned. */
    private int takeOver(long token) throws Exception {
        writers.requireRefused();
        fence.raise(tenure(token));
        return BusyWriters.published(directory, token - 1).size();
    }

    static Tenure tenure(long token) {
        return new Tenure(LEASE, new FencingToken(token), "nonce-" + token);
    }
}
