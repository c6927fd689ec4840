package io.fencedlease.lease.consul;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** What one row of {@link MeasuredAnswers} is written with: fresh names, requests, and what is expected of answers. */
final class Scene {

    /** An id that no session has. */
    static final String NOBODY = "11111111-1111-1111-1111-111111111111";

    final AnsweringConsul consul;
    final String folder = "table/" + UUID.randomUUID() + "/";
    final String key = folder + "k";
    private final ConsulTransport transport;

    Scene(AnsweringConsul consul) {
        this(consul, consul.manager());
    }

    private Scene(AnsweringConsul consul, ConsulTransport transport) {
        this.consul = consul;
        this.transport = transport;
    }

    /** Somebody with fewer rights; has names of its own. */
    Scene with(SimulatedRights rights) {
        return as(consul.grant(rights));
    }

    Scene as(String token) {
        return new Scene(consul, consul.as(token));
    }

    // ---- requests

    CompletableFuture<ConsulAnswer> begin(String method, String pathAndQuery, String body) {
        int query = pathAndQuery.indexOf('?');
        return transport.send(
                new ConsulRequest(
                        method,
                        query < 0 ? pathAndQuery : pathAndQuery.substring(0, query),
                        query < 0 ? "" : pathAndQuery.substring(query + 1),
                        body,
                        true),
                AnsweringConsul.LONG);
    }

    ConsulAnswer ask(String method, String pathAndQuery, String body) {
        return consul.settled(begin(method, pathAndQuery, body));
    }

    ConsulAnswer put(String pathAndQuery, String body) {
        return ask("PUT", pathAndQuery, body);
    }

    ConsulAnswer put(String pathAndQuery) {
        return put(pathAndQuery, "");
    }

    ConsulAnswer get(String pathAndQuery) {
        return ask("GET", pathAndQuery, "");
    }

    ConsulAnswer delete(String pathAndQuery) {
        return ask("DELETE", pathAndQuery, "");
    }

    /** A new session without lock-delay and checks, that nobody needs to renew. */
    String session() {
        return session("\"LockDelay\":\"0s\"");
    }

    /** A new session with these fields besides, and no checks. */
    String session(String fields) {
        ConsulAnswer answer = put("session/create", "{\"NodeChecks\":[]," + fields + "}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json().path("ID").asText();
    }

    /** The session as stored. */
    JsonNode stored(String session) {
        return put("session/renew/" + session).json().path(0);
    }

    ConsulAnswer acquire(String session, String value) {
        return put("kv/" + key + "?acquire=" + session, value);
    }

    void acquired(String session, String value) {
        is(acquire(session, value), 200, "true");
    }

    void destroy(String session) {
        is(put("session/destroy/" + session), 200, "true");
    }

    /** The key's entry; missing if there is none. */
    JsonNode entry() {
        return entry(key);
    }

    JsonNode entry(String of) {
        return get("kv/" + of + "?consistent").json().path(0);
    }

    long modifyIndex() {
        return entry().path("ModifyIndex").asLong();
    }

    ConsulAnswer txn(List<Map<String, Object>> operations) {
        return txn("txn", operations);
    }

    ConsulAnswer txn(String pathAndQuery, List<Map<String, Object>> operations) {
        return put(
                pathAndQuery,
                ConsulJson.write(operations.stream().map(o -> Map.of("KV", o)).toList()));
    }

    Map<String, Object> op(String verb, Object... fields) {
        return op(verb, key, fields);
    }

    Map<String, Object> op(String verb, String of, Object... fields) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("Verb", verb);
        operation.put("Key", of);
        for (int i = 0; i < fields.length; i += 2) {
            operation.put((String) fields[i], fields[i + 1]);
        }
        return operation;
    }

    Map<String, Object> lock(String session, String value) {
        return op("lock", key, "Session", session, "Value", ConsulJson.toBase64(value));
    }

    // ---- expectations

    static void is(ConsulAnswer answer, int status, String body) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.body().strip()).isEqualTo(body);
    }

    static void says(ConsulAnswer answer, int status, String part) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.body()).contains(part);
    }

    /** Refused as a whole, for exactly these reasons: {@code number: text}. */
    static void conflict(ConsulAnswer answer, String... reasons) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(409);
        assertThat(answer.json().path("Results").isNull()).isTrue();
        List<String> errors = new ArrayList<>();
        answer.json()
                .path("Errors")
                .forEach(error -> errors.add(error.path("OpIndex").asInt() + ": "
                        + error.path("What").asText()));
        assertThat(errors).containsExactly(reasons);
    }

    static JsonNode result(ConsulAnswer answer, int number) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json().path("Results").path(number).path("KV");
    }

    /** A poll that has nothing to tell yet, and waits longer than anybody here has patience. */
    CompletableFuture<ConsulAnswer> poll(String pathAndQuery) {
        long index = get(pathAndQuery).index();
        String more = (pathAndQuery.contains("?") ? "&" : "?") + "index=" + index + "&wait=150s";
        CompletableFuture<ConsulAnswer> poll = begin("GET", pathAndQuery + more, "");
        consul.aWhile();
        assertThat(poll).isNotDone();
        return poll;
    }

    /** Lets this happen, and the poll sleeps on. */
    void sleepsOver(CompletableFuture<ConsulAnswer> poll, Runnable event) {
        event.run();
        consul.aWhile();
        assertThat(poll).isNotDone();
    }

    /** Lets this happen; what the poll then answers. */
    ConsulAnswer wokenBy(CompletableFuture<ConsulAnswer> poll, Runnable event) {
        event.run();
        return consul.settled(poll);
    }
}
