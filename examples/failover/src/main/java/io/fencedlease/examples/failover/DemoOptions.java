package io.fencedlease.examples.failover;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What the command line asks for.
 *
 * @param nodes how many JVMs compete
 * @param fenced false: the writes go to the database without the fence
 * @param consul where the lease is kept; empty: in the demo's own database
 */
record DemoOptions(int nodes, boolean fenced, Optional<URI> consul, Duration ttl) {

    static final String USAGE = """
            usage: examples/failover/run.sh [options]

              --nodes N       how many JVMs compete for the lease, 2 to 6 (default 2)
              --unfenced      the same with the fence off: shows the damage
              --consul URL    keep the lease in this Consul (default: in the demo's own database)
              --ttl SECONDS   the lease's TTL, 3 to 60 (default 4; with Consul 10, its usual minimum)
              --help          this text

            Exit code: 0 the verdict holds, 1 it does not, 2 wrong options.
            With --unfenced the verdict is that stale writes were accepted.
            """;

    private static final int DEFAULT_TTL = 4;
    private static final int DEFAULT_CONSUL_TTL = 10;

    /** @throws IllegalArgumentException names the option, what was given and what is allowed */
    static DemoOptions parse(List<String> arguments) {
        int nodes = 2;
        boolean fenced = true;
        Optional<URI> consul = Optional.empty();
        Optional<Integer> ttl = Optional.empty();
        Deque<String> rest = new ArrayDeque<>(arguments);
        while (!rest.isEmpty()) {
            String option = rest.pop();
            switch (option) {
                case "--nodes" -> nodes = number(option, rest, 2, 6);
                case "--unfenced" -> fenced = false;
                case "--consul" -> consul = Optional.of(url(option, value(option, rest)));
                case "--ttl" -> ttl = Optional.of(number(option, rest, 3, 60));
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        int seconds = ttl.orElse(consul.isPresent() ? DEFAULT_CONSUL_TTL : DEFAULT_TTL);
        return new DemoOptions(nodes, fenced, consul, Duration.ofSeconds(seconds));
    }

    private static String value(String option, Deque<String> rest) {
        if (rest.isEmpty()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return rest.pop();
    }

    private static int number(String option, Deque<String> rest, int least, int most) {
        String given = value(option, rest);
        String allowed = option + ": given " + given + ", allowed: " + least + " to " + most;
        try {
            int number = Integer.parseInt(given);
            if (number < least || number > most) {
                throw new IllegalArgumentException(allowed);
            }
            return number;
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(allowed, notANumber);
        }
    }

    private static URI url(String option, String given) {
        String allowed = option + ": given " + given + ", allowed: http://HOST:PORT or https://HOST:PORT";
        try {
            URI uri = URI.create(given);
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            boolean path = uri.getPath() != null && !uri.getPath().matches("/?");
            if (!http || uri.getHost() == null || path) {
                throw new IllegalArgumentException(allowed);
            }
            return uri;
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(allowed, malformed);
        }
    }
}
