package io.fencedlease.examples.failover;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks a Consul whether it is there, so that a mistyped address is not found out by waiting for the nodes. */
final class ConsulProbe {

    private static final Duration LIMIT = Duration.ofSeconds(5);

    private ConsulProbe() {}

    /** @throws IllegalArgumentException if it does not answer, or knows of no leader */
    static void requireLeader(URI consul) throws InterruptedException {
        URI leader = consul.resolve("/v1/status/leader");
        try {
            HttpClient client = HttpClient.newBuilder().connectTimeout(LIMIT).build();
            String answer = client.send(
                            HttpRequest.newBuilder(leader).timeout(LIMIT).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
            if (!answer.matches("\"[^\"]+\"\\s*")) {
                throw new IllegalArgumentException(
                        "--consul: given " + consul + ", and " + leader + " names no leader");
            }
        } catch (IOException away) {
            throw new IllegalArgumentException("--consul: given " + consul + ", which does not answer: " + away, away);
        }
    }
}
