package io.fencedlease.lease.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.contract.Answers;
import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.spi.BackendRefusedException;
import io.fencedlease.lease.spi.LeaseSession;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** What cannot work is refused, with the way to mend it. */
class RefusalsTest {

    @Test
    void h2OnDiskIsRefusedUnlessItsCommitsAreOnDiskWhenAcknowledged(@TempDir Path folder) {
        assertThatThrownBy(() -> open(h2("jdbc:h2:" + folder + "/lazy"), JdbcSettings.defaults()))
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining("WRITE_DELAY=0");

        assertThat(open(h2("jdbc:h2:" + folder + "/eager;WRITE_DELAY=0"), JdbcSettings.defaults()))
                .isNotNull();
        assertThatThrownBy(() -> open(h2("jdbc:h2:" + folder + "/eager"), JdbcSettings.defaults()))
                .as("whoever opens it next without the option gets the delay back (measured)")
                .isInstanceOf(BackendRefusedException.class);
    }

    @Test
    void missingTablesThatMayNotBeCreatedAreRefusedWithTheNameOfTheirStatements() {
        JdbcSettings settings = JdbcSettings.builder().createTables(false).build();

        assertThatThrownBy(() -> open(JdbcH2ContractTest.inMemory(), settings))
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining("createTables")
                .hasMessageContaining("io/fencedlease/lease/jdbc/h2.sql");
    }

    @Test
    void aMissingRightIsRefusedWithTheNameOfTheStatements() {
        JdbcDataSource database = (JdbcDataSource) JdbcH2ContractTest.inMemory();
        JdbcTemplate admin = new JdbcTemplate(database);
        admin.execute("CREATE USER poor PASSWORD 'secret-of-poor'");
        JdbcDataSource poor = h2(database.getURL().replaceFirst(";.*", ""));
        poor.setUser("poor");
        poor.setPassword("secret-of-poor");

        assertThatThrownBy(() -> open(poor, JdbcSettings.defaults()))
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageContaining("h2.sql")
                .hasMessageNotContaining("secret-of-poor");
    }

    @Test
    void aWrongPasswordIsRefusedAndNotTold() {
        JdbcDataSource database = (JdbcDataSource) JdbcH2ContractTest.inMemory();
        JdbcTemplate admin = new JdbcTemplate(database);
        admin.execute("CREATE USER rich PASSWORD 'right-one'");
        JdbcDataSource wrong = h2(database.getURL());
        wrong.setUser("rich");
        wrong.setPassword("wrong-one");

        assertThatThrownBy(() -> open(wrong, JdbcSettings.defaults()))
                .isInstanceOf(BackendRefusedException.class)
                .hasMessageNotContaining("wrong-one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1st_", "a-b", "x; DROP TABLE y; --", "a.b_", "prefix_longer_than_thirty_chars_"})
    void anIllegalTablePrefixIsRefusedAtConstruction(String prefix) {
        assertThatThrownBy(() -> JdbcSettings.builder().tablePrefix(prefix).build())
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("tablePrefix");
    }

    @Test
    void aPollIntervalOrThreadCountThatCannotWorkIsRefusedAtConstruction() {
        assertThatThrownBy(
                        () -> JdbcSettings.builder().pollInterval(Duration.ZERO).build())
                .isInstanceOf(SettingRefusedException.class);
        assertThatThrownBy(() -> JdbcSettings.builder().threads(1).build()).isInstanceOf(SettingRefusedException.class);
    }

    @Test
    void twoPrefixesAreTwoSetsOfTables() {
        DataSource database = JdbcH2ContractTest.inMemory();
        open(database, JdbcSettings.builder().tablePrefix("one_").build());
        open(database, JdbcSettings.builder().tablePrefix("two_").build());

        assertThat(new JdbcTemplate(database).queryForObject("SELECT COUNT(*) FROM one_session", Long.class))
                .isEqualTo(1);
    }

    private static LeaseSession open(DataSource database, JdbcSettings settings) {
        try (JdbcBackend backend = new JdbcBackend(database, settings, new FakeTicker())) {
            return Answers.of(() -> backend.openSession(Node.TTL_30S, "node"));
        }
    }

    private static JdbcDataSource h2(String url) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(url);
        source.setUser("");
        source.setPassword("");
        return source;
    }
}
