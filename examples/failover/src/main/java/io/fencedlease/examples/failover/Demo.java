package io.fencedlease.examples.failover;

import io.fencedlease.lease.LeaseSettings;
import io.fencedlease.lease.Ticker;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The director: starts the database and the nodes, follows the script, judges, draws the page. */
public final class Demo {

    private static final int HOLDS = 0;
    private static final int FAILS = 1;
    private static final int WRONG_OPTIONS = 2;

    private final DemoOptions options;
    private final Timeline timeline = new Timeline(Ticker.system(), System.out);

    private Demo(DemoOptions options) {
        this.options = options;
    }

    /** @param args see {@code --help}; the system property {@code page} says where the page is written */
    public static void main(String[] args) throws Exception {
        List<String> arguments = List.of(args);
        if (arguments.contains("--help")) {
            System.out.print(DemoOptions.USAGE);
            System.exit(HOLDS);
        }
        try {
            DemoOptions options = DemoOptions.parse(arguments);
            if (options.consul().isPresent()) {
                ConsulProbe.requireLeader(options.consul().get());
            }
            System.exit(new Demo(options).run() ? HOLDS : FAILS);
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage() + "; see --help");
            System.exit(WRONG_OPTIONS);
        }
    }

    private boolean run() throws IOException, InterruptedException {
        LeaseSettings settings =
                LeaseSettings.builder("invoice-closer").ttl(options.ttl()).build();
        Bounds bounds = Bounds.of(options, settings);
        System.out.print(Report.opening(options, bounds));
        Path folder = Files.createTempDirectory("fencedlease-failover-");
        String password = UUID.randomUUID().toString();
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread daemon = new Thread(task, "demo-events");
            daemon.setDaemon(true);
            return daemon;
        });
        try (Children children = new Children(folder, Map.of(Database.PASSWORD, password))) {
            String url = Database.url(startDatabase(children));
            Ledger ledger = new Ledger(new DriverManagerDataSource(url, Database.USER, password));
            int batches = ledger.books().batches();
            LedgerWatch watch = new LedgerWatch(ledger, timeline);
            watch.start(thread);
            Script script = new Script(
                    options,
                    bounds,
                    timeline,
                    new Cast(children, NodeSettings.properties(options, url), timeline, watch, thread));
            boolean played = play(script, batches, children);
            thread.shutdownNow();
            return judge(played, ledger.books(), script.handovers());
        }
    }

    private int startDatabase(Children children) throws IOException {
        Process process = children.start(
                "database", Database.class, List.of(), List.of(children.folder().toString()));
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        if (line == null || !line.startsWith(Database.READY)) {
            throw new IOException("no database: " + Files.readString(children.log("database")));
        }
        return Integer.parseInt(line.substring(Database.READY.length()));
    }

    private boolean play(Script script, int batches, Children children) throws IOException, InterruptedException {
        try {
            script.run(batches);
            return true;
        } catch (ScriptFailedException failed) {
            timeline.note("The script failed: " + failed.getMessage());
            children.printLogs(System.out);
            return false;
        }
    }

    private boolean judge(boolean played, Books books, List<Handover> handovers) throws IOException {
        Verdict verdict = Verdict.of(books, timeline.events(), handovers, Script.HANDOVERS);
        boolean holds = played && (options.fenced() ? verdict.clean() : verdict.showsDamage());
        System.out.print(Report.closing(options, verdict, holds));
        Path page = Path.of(System.getProperty("page.folder", "."))
                .resolve(options.fenced() ? "failover.html" : "failover-unfenced.html")
                .toAbsolutePath()
                .normalize();
        Files.writeString(page, Page.of(options, timeline.events(), handovers, verdict, holds));
        System.out.println("\nThe timeline, drawn: " + page);
        return holds;
    }
}
