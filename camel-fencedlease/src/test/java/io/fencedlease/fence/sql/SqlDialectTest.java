package io.fencedlease.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import java.time.Duration;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlDialectTest {

    @ParameterizedTest
    @CsvSource({
        "PostgreSQL, 17.10, 17, FOR SHARE",
        "MariaDB, 11.4.5-MariaDB, 11, LOCK IN SHARE MODE",
        "MySQL, 5.5.5-10.11.6-MariaDB, 5, LOCK IN SHARE MODE",
        "MySQL, 8.4.2, 8, FOR SHARE",
        "H2, 2.4.240, 2, FOR UPDATE",
    })
    void eachDatabaseHasItsLockingRead(String product, String version, int major, String lock) {
        assertThat(SqlDialect.of(product, version, major, "x").lockClause().trim())
                .isEqualTo(lock);
    }

    @ParameterizedTest
    @CsvSource({"Oracle, 23", "Microsoft SQL Server, 16", "MySQL, 5"})
    void anUnknownDatabaseIsRefusedByName(String product, int major) {
        assertThatThrownBy(() -> SqlDialect.of(product, major + ".7", major, "invoice-closer"))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("invoice-closer")
                .hasMessageContaining(product)
                .hasMessageContaining("PostgreSQL");
    }

    @ParameterizedTest
    @CsvSource({"999", "600001", "0", "-1"})
    void aRaiseTimeoutOutOfRangeIsRefused(long millis) {
        SqlFenceOptions options = SqlFenceOptions.defaults().withRaiseTimeout(Duration.ofMillis(millis));

        assertThatThrownBy(() -> new SqlFence(new LeaseName("invoice-closer"), "db", new JdbcDataSource(), options))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContainingAll("'invoice-closer'", "fence.raiseTimeout", millis + "ms", "1s to 10m");
    }

    @Test
    void theDefaultsAreThoseOfTheDocumentation() {
        assertThat(SqlFenceOptions.defaults())
                .isEqualTo(new SqlFenceOptions(Duration.ofSeconds(5), true, true, SqlFenceOptions.Lock.SHARE));
    }
}
