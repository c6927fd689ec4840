package io.fencedlease.examples.failover;

/** What the demo says before and after its timeline. */
final class Report {

    private Report() {}

    static String opening(DemoOptions options, Bounds bounds) {
        String lease = options.consul()
                .map(url -> "the lease is kept in Consul at " + url)
                .orElse("the lease is kept in the demo's own database");
        String fence = options.fenced()
                ? "fencedlease:invoice-closer:sql, behind the fence"
                : "plain sql, UNFENCED: this run is meant to go wrong";
        return """
                %d nodes compete for the lease 'invoice-closer', TTL %s; %s.
                Sink: %s.

                What to expect, at most:
                  %-8s until somebody takes over from a paused holder
                           (%s)
                  %-8s if it is paused inside its transaction%s
                  %-8s if it stops politely
                """.formatted(
                        options.nodes(),
                        Bounds.s(options.ttl()),
                        lease,
                        fence,
                        Bounds.s(bounds.afterPause()),
                        bounds.explained(),
                        Bounds.s(bounds.afterPauseInside()),
                        options.fenced() ? " (the database session that blocks the fence is ended)" : "",
                        Bounds.s(bounds.afterStop()));
    }

    static String closing(DemoOptions options, Verdict verdict, boolean holds) {
        StringBuilder text = new StringBuilder("\nVerdict, from the database and the events:\n");
        for (Verdict.Check check : verdict.checks()) {
            text.append("  %-5s %-64s %s%n".formatted(check.holds() ? "ok" : "FAIL", check.claim(), check.found()));
        }
        verdict.staleWrites()
                .forEach(line -> text.append("  stale: ").append(line).append('\n'));
        verdict.doubled().forEach(line -> text.append("  twice: ").append(line).append('\n'));
        return text.append('\n').append(conclusion(options, holds)).append('\n').toString();
    }

    static String conclusion(DemoOptions options, boolean holds) {
        if (options.fenced()) {
            return holds
                    ? "HOLDS: paused holders woke up, wrote, and were refused; every batch was closed exactly once."
                    : "FAILS: see the lines marked FAIL.";
        }
        return holds
                ? "DAMAGE SHOWN, as it should be without a fence: stale writes were accepted. Run it without --unfenced."
                : "NO DAMAGE SHOWN: this run was meant to go wrong and did not.";
    }
}
