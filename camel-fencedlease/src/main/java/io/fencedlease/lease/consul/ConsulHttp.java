package io.fencedlease.lease.consul;

import io.fencedlease.lease.Timers;
import io.fencedlease.lease.Timers.Pending;
import io.fencedlease.lease.spi.BackendUnavailableException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends requests to one agent after the other: to the same one until it fails. Two threads, one selector and one timer,
 * whatever the number of leases. Thread-safe.
 */
final class ConsulHttp implements ConsulTransport {

    private static final int THREADS = 2;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;

    private final ConsulSettings settings;
    private final LastingClient client;
    private final Timers timers = Timers.system("fencedlease-consul-timer");
    private final AtomicInteger agent = new AtomicInteger();
    private final Set<CompletableFuture<?>> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    ConsulHttp(ConsulSettings settings) {
        this.settings = settings;
        HttpClient.Builder builder = HttpClient.newBuilder()
                // no upgrade offer: Consul ignores it on plain connections
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(executor());
        settings.sslContext().ifPresent(builder::sslContext);
        this.client = new LastingClient(builder::build);
    }

    @Override
    public CompletableFuture<ConsulAnswer> send(ConsulRequest request, Duration limit) {
        int used = agent.get();
        CompletableFuture<HttpResponse<String>> exchange;
        try {
            exchange = client.get().sendAsync(build(request, used, limit), HttpResponse.BodyHandlers.ofString());
        } catch (BackendUnavailableException noClient) {
            return CompletableFuture.failedFuture(noClient);
        }
        open.add(exchange);
        CompletableFuture<ConsulAnswer> answer = exchange.whenComplete((response, error) -> {
                    open.remove(exchange);
                    if (request.movesOn() && (error != null || unwell(response.statusCode()))) {
                        agent.compareAndSet(
                                used, (used + 1) % settings.addresses().size());
                    }
                })
                .thenApply(response -> new ConsulAnswer(response.statusCode(), response.body(), index(response)));
        answer.whenComplete((given, error) -> exchange.cancel(true));
        if (closed) {
            exchange.cancel(true);
        }
        return answer;
    }

    private static long index(HttpResponse<?> response) {
        try {
            return response.headers().firstValueAsLong("X-Consul-Index").orElse(0);
        } catch (NumberFormatException notConsul) {
            return 0;
        }
    }

    @Override
    public Pending after(Duration delay, Runnable task) {
        return timers.after(delay, task);
    }

    private HttpRequest build(ConsulRequest request, int used, Duration limit) {
        String datacenter = settings.datacenter().isEmpty() ? "" : "dc=" + settings.datacenter();
        String query = String.join(
                "&",
                List.of(request.query(), datacenter).stream()
                        .filter(part -> !part.isEmpty())
                        .toList());
        URI uri = URI.create(
                settings.addresses().get(used) + "/v1/" + request.path() + (query.isEmpty() ? "" : "?" + query));
        HttpRequest.Builder builder = HttpRequest.newBuilder(uri)
                .timeout(limit)
                // a body of known length: Consul ignores a chunked one when a session is created
                .method(request.method(), BodyPublishers.ofString(request.body()));
        return settings.token().isEmpty()
                ? builder.build()
                : builder.header("X-Consul-Token", settings.token()).build();
    }

    private static boolean unwell(int status) {
        return status == TOO_MANY || status >= SERVER_ERROR;
    }

    @Override
    public void close() {
        closed = true;
        timers.close();
        open.forEach(exchange -> exchange.cancel(true));
    }

    /** Its threads end by themselves when idle, for the client gives no sign when it is done with them. */
    private static ThreadPoolExecutor executor() {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "fencedlease-consul-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
