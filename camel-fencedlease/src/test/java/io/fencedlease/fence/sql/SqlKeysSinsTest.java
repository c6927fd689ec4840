package io.fencedlease.fence.sql;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.fencedlease.fence.FencedKeys;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Ticker;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Proves that the contract of fenced keys can fail: each sin is refused by its sentence. */
class SqlKeysSinsTest {

    private static volatile SqlKeysSin committed;

    @ParameterizedTest
    @EnumSource
    void everySinIsRefusedByItsSentence(SqlKeysSin sin) {
        committed = sin;
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(Sinner.class, sin.refusedBy))
                .execute()
                .testEvents()
                .assertStatistics(count -> count.started(1).failed(1));
    }

    static final class Sinner extends H2KeysTest {
        @Override
        protected FencedKeys keys(LeaseName lease, String repository, Ticker ticker) {
            String name = committed == SqlKeysSin.ONE_FOR_ALL_REPOSITORIES ? "one" : repository;
            return new SinfulSqlKeys(committed, super.keys(lease, name, ticker), dataSource());
        }
    }
}
