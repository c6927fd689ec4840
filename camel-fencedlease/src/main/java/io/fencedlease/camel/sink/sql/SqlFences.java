package io.fencedlease.camel.sink.sql;

import io.fencedlease.camel.sink.NamedBeans;
import io.fencedlease.camel.sink.Sink;
import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.sql.SqlFence;
import io.fencedlease.fence.sql.SqlFenceOptions;
import io.fencedlease.fence.sql.SqlReceiver;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.camel.support.CamelContextHelper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.PlatformTransactionManager;

/** From a sink's options to the fence of its database. */
final class SqlFences {

    private static final Logger LOG = LoggerFactory.getLogger(SqlFences.class);

    static final String RAISE_TIMEOUT = "raiseTimeout";
    static final String EVICT = "sql.evict";
    static final String LOCK = "sql.lock";
    static final String TRANSACTION_MANAGER = "transactionManager";

    /** What every SQL fence understands. */
    static final Set<String> OPTIONS = Set.of(RAISE_TIMEOUT, EVICT, LOCK, TRANSACTION_MANAGER);

    /** For those that have one mode only, and may say so. */
    static final Set<String> OPTIONS_AND_MODE =
            Stream.concat(OPTIONS.stream(), Stream.of("mode")).collect(Collectors.toUnmodifiableSet());

    private SqlFences() {}

    private record Resource(
            DataSource dataSource,
            SqlFenceOptions options,
            @Nullable PlatformTransactionManager transactions) {}

    static SqlFence of(Sink sink, DataSource dataSource) throws Exception {
        SqlFenceOptions options = options(sink);
        PlatformTransactionManager transactions = sink.options()
                .text(TRANSACTION_MANAGER)
                .map(ref -> bean(sink, "fence." + TRANSACTION_MANAGER, ref, PlatformTransactionManager.class))
                .orElse(null);
        String name = NamedBeans.nameOf(sink.context(), dataSource);
        return sink.fences()
                .shared(
                        new Resource(dataSource, options, transactions),
                        SqlFence.class,
                        () -> transactions == null
                                ? new SqlFence(sink.lease(), name, dataSource, options)
                                : new SqlFence(sink.lease(), name, dataSource, transactions, options));
    }

    static SqlReceiver receiver(Sink sink, DataSource dataSource) {
        return new SqlReceiver(
                sink.lease(), sink.path(), NamedBeans.nameOf(sink.context(), dataSource), dataSource, options(sink));
    }

    private static SqlFenceOptions options(Sink sink) {
        return new SqlFenceOptions(
                raiseTimeout(sink), evict(sink), sink.defaults().createTables(), lock(sink));
    }

    /** Refuses a database that cannot be fenced; one that is away now is looked at again before the first write. */
    static void prepare(Runnable preparation) {
        try {
            preparation.run();
        } catch (FenceUnavailableException away) {
            LOG.warn("{}; started all the same, and looked at again before the first write", away.getMessage(), away);
        }
    }

    private static Duration raiseTimeout(Sink sink) {
        String text = sink.options().text(RAISE_TIMEOUT).orElse(null);
        if (text == null) {
            return Duration.ofMillis(sink.defaults().raiseTimeoutMillis());
        }
        try {
            Duration parsed = CamelContextHelper.parseDuration(sink.context(), text);
            if (parsed != null && !parsed.isZero()) {
                return parsed;
            }
        } catch (RuntimeException notADuration) {
            // refused below
        }
        throw sink.refused("fence." + RAISE_TIMEOUT, text, "a duration of 1s to 10m, such as 5s");
    }

    private static boolean evict(Sink sink) {
        return sink.options().text(EVICT).isEmpty()
                ? sink.defaults().evict()
                : sink.options().oneOf(EVICT, "true", "false").equals("true");
    }

    private static SqlFenceOptions.Lock lock(Sink sink) {
        return sink.options().oneOf(LOCK, "share", "update").equals("share")
                ? SqlFenceOptions.Lock.SHARE
                : SqlFenceOptions.Lock.UPDATE;
    }

    /** A bean of the registry, named with or without {@code #}. */
    static <T> T bean(Sink sink, String option, String ref, Class<T> type) {
        return NamedBeans.find(sink.context(), ref, type)
                .orElseThrow(
                        () -> sink.refused(option, ref, "the name of a " + type.getSimpleName() + " in the registry"));
    }
}
