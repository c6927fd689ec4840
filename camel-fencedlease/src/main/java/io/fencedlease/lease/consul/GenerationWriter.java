package io.fencedlease.lease.consul;

import com.fasterxml.jackson.databind.JsonNode;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.lease.spi.NextGeneration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Lifts the number in a lease's generation key, only if it is still the one compared. */
final class GenerationWriter {

    private static final int TRIES = 5;

    private final Attempt attempt;
    private final ConsulKeys keys;
    private int tries = TRIES;

    GenerationWriter(Attempt attempt, ConsulKeys keys) {
        this.attempt = attempt;
        this.keys = keys;
    }

    /** Computed from marks, never from the number stored: every call would lift it further. */
    CompletableFuture<Long> open(LeaseName lease, long highest) {
        String key = keys.generation(lease);
        if (tries-- == 0) {
            throw new BackendUnavailableException(key + " changes all the time");
        }
        return MarkWriter.read(attempt, keys, lease)
                .thenApply(mark -> Math.max(highest, mark.map(ConsulMark::token).orElse(0L)))
                .thenCompose(known -> attempt.send(
                                ConsulRequest.get("kv/" + key, "").consistent())
                        .thenCompose(answer -> lift(
                                lease, known, NextGeneration.above(lease, known), ConsulVerdicts.entry(answer, key))));
    }

    private CompletableFuture<Long> lift(LeaseName lease, long known, long offset, Optional<JsonNode> stored) {
        long before = stored.map(ConsulVerdicts::offset).orElse(-1L);
        if (before >= offset) {
            return CompletableFuture.completedFuture(before);
        }
        String key = keys.generation(lease);
        long index = stored.map(entry -> entry.path("ModifyIndex").asLong()).orElse(0L);
        return attempt.send(new ConsulRequest("PUT", "kv/" + key, "cas=" + index, String.valueOf(offset), true))
                .thenCompose(answer -> {
                    ConsulVerdicts.written(answer, ConsulVerdicts.keyRight("write", key));
                    return answer.json().asBoolean() ? CompletableFuture.completedFuture(offset) : open(lease, known);
                });
    }
}
