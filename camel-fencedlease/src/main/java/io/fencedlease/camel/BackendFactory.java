package io.fencedlease.camel;

import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.Ticker;
import io.fencedlease.lease.consul.ConsulBackend;
import io.fencedlease.lease.consul.ConsulSettings;
import io.fencedlease.lease.jdbc.JdbcBackend;
import io.fencedlease.lease.jdbc.JdbcSettings;
import io.fencedlease.lease.spi.LeaseBackend;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.apache.camel.CamelContext;
import org.apache.camel.support.CamelContextHelper;
import org.apache.camel.support.jsse.SSLContextParameters;
import org.jspecify.annotations.Nullable;

/** Makes the backend that the component's options name; the only class of this package that knows backends. */
final class BackendFactory {

    private static final String NODE_CHECK = "node:";

    private final CamelContext context;
    private final FencedLeaseComponent component;
    private final FencedLeaseConfiguration options;

    BackendFactory(FencedLeaseComponent component) {
        this.context = component.getCamelContext();
        this.component = component;
        this.options = component.getConfiguration();
    }

    /** @throws SettingRefusedException if the options name no backend, or leave it in doubt */
    LeaseBackend build() throws Exception {
        Optional<ConsulComponentOptions> known = ConsulComponentOptions.of(context);
        boolean consul = options.getConsulUrl() != null || known.isPresent();
        DataSource dataSource = options.getDataSource();
        String backend = options.getBackend();
        // beside a Consul, a DataSource of the registry is for other things unless jdbc is asked for
        if (dataSource == null && (backend == null ? !consul : backend.equals("jdbc"))) {
            dataSource = CamelContextHelper.findSingleByType(context, DataSource.class);
        }
        boolean jdbc = dataSource != null;
        if (backend == null) {
            if (consul == jdbc) {
                throw new SettingRefusedException(
                        "*",
                        "backend",
                        consul ? "both consulUrl and dataSource" : "neither consulUrl nor dataSource",
                        "consul with consulUrl (or a configured consul component), or jdbc with dataSource");
            }
            backend = consul ? "consul" : "jdbc";
            if (jdbc) {
                refuseConsulsOptions();
            }
        }
        return backend.equals("consul") ? consul(known) : jdbc(dataSource);
    }

    /** Whoever names no backend and sets these may well mean a Consul. */
    private void refuseConsulsOptions() {
        Map<String, Boolean> set = new LinkedHashMap<>();
        set.put("consulToken", options.getConsulToken() != null);
        set.put("datacenter", options.getDatacenter() != null);
        set.put("sslContextParameters", options.getSslContextParameters() != null);
        set.put("keyPrefix", !options.getKeyPrefix().equals(ConsulSettings.DEFAULT_KEY_PREFIX));
        set.put("sessionChecks", options.getSessionChecks() != null);
        String given = set.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", "));
        if (!given.isEmpty()) {
            throw new SettingRefusedException(
                    "*",
                    given,
                    "beside dataSource, without consulUrl",
                    "with consulUrl in place of dataSource; or backend=jdbc, which uses none of them");
        }
    }

    private LeaseBackend jdbc(@Nullable DataSource dataSource) {
        if (dataSource == null) {
            throw new SettingRefusedException(
                    "*", "dataSource", "none", "a DataSource, or a single one in the registry");
        }
        JdbcSettings settings =
                JdbcSettings.builder().createTables(options.isCreateTables()).build();
        return new JdbcBackend(dataSource, settings, Ticker.system());
    }

    private LeaseBackend consul(Optional<ConsulComponentOptions> known) throws Exception {
        ConsulSettings.Builder settings = ConsulSettings.builder().keyPrefix(options.getKeyPrefix());
        // addresses of its own mean another Consul: then nothing of the consul component fits
        Optional<ConsulComponentOptions> taken = options.getConsulUrl() == null ? known : Optional.empty();
        String urls = taken.map(ConsulComponentOptions::url).orElse(options.getConsulUrl());
        if (urls == null) {
            throw new SettingRefusedException("*", "consulUrl", "none", "http(s)://host:port, several by comma");
        }
        for (String url : urls.split(",")) {
            settings.address(url.trim());
        }
        either(options.getConsulToken(), taken.map(ConsulComponentOptions::token))
                .ifPresent(settings::token);
        either(options.getDatacenter(), taken.map(ConsulComponentOptions::datacenter))
                .ifPresent(settings::datacenter);
        sessionChecks(settings);
        Optional<SSLContextParameters> tls = either(
                        options.getSslContextParameters(), taken.map(ConsulComponentOptions::tls))
                .or(() -> either(null, Optional.ofNullable(component.retrieveGlobalSslContextParameters())));
        if (tls.isPresent()) {
            settings.sslContext(tls.get().createSSLContext(context));
        }
        return new ConsulBackend(settings.build());
    }

    private void sessionChecks(ConsulSettings.Builder settings) {
        String checks = options.getSessionChecks();
        if (checks == null || checks.isBlank() || checks.trim().equals("none")) {
            return;
        }
        for (String check : checks.split(",")) {
            String id = check.trim();
            if (id.equals("serfHealth")) {
                settings.nodeCheck(id);
            } else if (id.startsWith(NODE_CHECK)) {
                settings.nodeCheck(id.substring(NODE_CHECK.length()));
            } else {
                settings.serviceCheck(id);
            }
        }
    }

    private static <T> Optional<T> either(@Nullable T own, Optional<T> other) {
        return own == null ? other : Optional.of(own);
    }
}
