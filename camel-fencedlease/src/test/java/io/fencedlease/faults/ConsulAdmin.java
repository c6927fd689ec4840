package io.fencedlease.faults;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What an operator, or a vandal, does to a Consul behind our back. Blocking; every call is bounded. */
public final class ConsulAdmin {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI url;
    private final String token;

    ConsulAdmin(URI url, String token) {
        this.url = url;
        this.token = token;
    }

    public void destroySession(String id) {
        good(send("PUT", "/v1/session/destroy/" + id, ""));
    }

    /** The ids of all sessions. */
    public List<String> sessions() {
        return json(good(send("GET", "/v1/session/list?consistent", ""))).findValuesAsText("ID");
    }

    /** The stored session, as Consul shows it. */
    public Optional<JsonNode> session(String id) {
        return Optional.ofNullable(
                json(good(send("GET", "/v1/session/info/" + id, ""))).get(0));
    }

    public void deleteKey(String key) {
        good(send("DELETE", "/v1/kv/" + key, ""));
    }

    /** A plain write, as by somebody who knows nothing of leases. */
    public void put(String key, String value) {
        good(send("PUT", "/v1/kv/" + key, value));
    }

    /** The entry of a key as Consul shows it ({@code Session}, {@code ModifyIndex}, {@code Value} in base64). */
    public Optional<JsonNode> entry(String key) {
        HttpResponse<String> answer = send("GET", "/v1/kv/" + key + "?consistent", "");
        return answer.statusCode() == 404
                ? Optional.empty()
                : Optional.of(json(good(answer)).get(0));
    }

    /** The names of all keys that begin so. */
    public List<String> keys(String prefix) {
        HttpResponse<String> answer = send("GET", "/v1/kv/" + prefix + "?keys&consistent", "");
        if (answer.statusCode() == 404) {
            return List.of();
        }
        List<String> keys = new ArrayList<>();
        json(good(answer)).forEach(key -> keys.add(key.asText()));
        return keys;
    }

    /** A service with a check that is critical unless somebody confirms it every so many seconds. */
    public void registerService(String name, String check, int seconds) {
        Map<String, String> alive = Map.of("CheckID", check, "TTL", seconds + "s", "Status", "passing");
        good(send("PUT", "/v1/agent/service/register", text(Map.of("Name", name, "Check", alive))));
    }

    /** The whole state of the cluster, for {@link #restore}. */
    public byte[] snapshot() {
        return good(send("GET", "/v1/snapshot", BodyPublishers.noBody(), BodyHandlers.ofByteArray()))
                .body();
    }

    /** Brings an earlier state back, old sessions and locks included. */
    public void restore(byte[] snapshot) {
        good(send("PUT", "/v1/snapshot", BodyPublishers.ofByteArray(snapshot), BodyHandlers.ofString()));
    }

    public void deleteToken(String secret) {
        good(send("DELETE", "/v1/acl/token/" + accessor(secret), ""));
    }

    /** Creates a token with these rules and answers its secret. Works only on a server with ACLs. */
    public String createToken(String rules) {
        return createToken(rules, UUID.randomUUID().toString());
    }

    /** The same with a secret that may have been another token's before. */
    public String createToken(String rules, String secret) {
        good(send("PUT", "/v1/acl/token", text(Map.of("Policies", policies(rules), "SecretID", secret))));
        return secret;
    }

    /** Gives a token other rules. */
    public void changeToken(String secret, String rules) {
        String accessor = accessor(secret);
        good(send(
                "PUT", "/v1/acl/token/" + accessor, text(Map.of("AccessorID", accessor, "Policies", policies(rules)))));
    }

    private List<Map<String, String>> policies(String rules) {
        String name = "p" + UUID.randomUUID();
        good(send("PUT", "/v1/acl/policy", text(Map.of("Name", name, "Rules", rules))));
        return List.of(Map.of("Name", name));
    }

    private String accessor(String secret) {
        ConsulAdmin itself = new ConsulAdmin(url, secret);
        return json(good(itself.send("GET", "/v1/acl/token/self", "")))
                .get("AccessorID")
                .asText();
    }

    String bootstrapAcls() {
        HttpResponse<String> answer = await().atMost(Duration.ofSeconds(60))
                .until(() -> send("PUT", "/v1/acl/bootstrap", ""), a -> a.statusCode() == 200);
        return json(answer).get("SecretID").asText();
    }

    /** A consistent read is answered, be it by "no such key" or "permission denied". */
    boolean hasLeader() {
        try {
            int status = send("GET", "/v1/kv/ready?consistent", "").statusCode();
            return status == 404 || status == 403;
        } catch (UncheckedIOException notUpYet) {
            return false;
        }
    }

    /** The address of the Raft leader as this server sees it; empty if it sees none or does not answer. */
    String raftLeader() {
        try {
            return json(good(send("GET", "/v1/status/leader", ""))).asText();
        } catch (UncheckedIOException | IllegalStateException notUpYet) {
            return "";
        }
    }

    private HttpResponse<String> send(String method, String path, String body) {
        return send(method, path, BodyPublishers.ofString(body), BodyHandlers.ofString());
    }

    private <T> HttpResponse<T> send(String method, String path, BodyPublisher body, BodyHandler<T> handler) {
        HttpRequest request = HttpRequest.newBuilder(url.resolve(path))
                .timeout(Duration.ofSeconds(20))
                .header("X-Consul-Token", token)
                .method(method, body)
                .build();
        try {
            return http.send(request, handler);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static <T> HttpResponse<T> good(HttpResponse<T> answer) {
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(answer.uri().getPath() + ": " + answer.statusCode() + " " + answer.body());
        }
        return answer;
    }

    private static JsonNode json(HttpResponse<String> answer) {
        try {
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
