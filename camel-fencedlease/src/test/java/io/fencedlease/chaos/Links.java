package io.fencedlease.chaos;

import io.fencedlease.faults.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The network of one node: a proxy to each Consul server, and one to the database. */
final class Links implements AutoCloseable {

    /** What a fault is done to. */
    enum Target {
        CONSUL,
        DATABASE
    }

    private final List<TcpProxy> consul;
    private final TcpProxy database;

    Links(List<URI> consulUrls, int databasePort) {
        consul = consulUrls.stream().map(url -> proxy(url.getPort())).toList();
        database = proxy(databasePort);
    }

    private static TcpProxy proxy(int port) {
        try {
            return new TcpProxy(port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String consulUrls() {
        return consul.stream().map(proxy -> proxy.url().toString()).collect(Collectors.joining(","));
    }

    int databasePort() {
        return database.port();
    }

    void each(Target target, Consumer<TcpProxy> fault) {
        (target == Target.CONSUL ? consul : List.of(database)).forEach(fault);
    }

    @Override
    public void close() {
        for (Target target : Target.values()) {
            each(target, proxy -> {
                try {
                    proxy.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
