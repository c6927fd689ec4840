package io.fencedlease.lease.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlFailuresTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "No suitable driver found for jdbc:postgresql://db/x?user=joe&password=s3cret",
                "Failed to get driver instance for jdbcUrl=jdbc:h2:tcp://db/x;PASSWORD=s3cret;WRITE_DELAY=0",
                "cannot connect to mariadb://joe:s3cret@db:3306/x",
                "pwd = s3cret refused"
            })
    void noPasswordThatADriverQuotesGetsIntoOurWords(String quoted) {
        RuntimeException said = SqlFailures.translated(new SQLException(quoted, "08001"), "database", "");

        assertThat(said.getMessage()).doesNotContain("s3cret").contains("xxxxxx");
    }
}
