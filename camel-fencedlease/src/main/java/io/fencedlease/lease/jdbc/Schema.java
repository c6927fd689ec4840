package io.fencedlease.lease.jdbc;

import io.fencedlease.lease.spi.BackendRefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/** Finds the tables, or creates them where allowed; several nodes may do so at once. */
final class Schema {

    private static final Logger LOG = LoggerFactory.getLogger(Schema.class);

    /** As in the DDL, which so can be run by hand as it is. */
    private static final String DEFAULT_PREFIX = "fencedlease_";

    private static final int STATEMENTS = 4;

    private final JdbcSettings settings;
    private final Dialect dialect;

    Schema(JdbcSettings settings, Dialect dialect) {
        this.settings = settings;
        this.dialect = dialect;
    }

    void prepare(JdbcOperations jdbc) {
        if (present(jdbc)) {
            return;
        }
        if (!settings.createTables()) {
            throw new BackendRefusedException("no tables " + settings.tablePrefix() + "*, and createTables is false;"
                    + " they are created by the resource " + dialect.ddl());
        }
        for (int others = 0; !created(jdbc, others < STATEMENTS); others++) {
            LOG.debug("another node creates tables {}* as well", settings.tablePrefix());
        }
        LOG.info("tables {}* created", settings.tablePrefix());
    }

    /** False if it failed, which may be another node's doing: PostgreSQL fails then, once for each statement. */
    private boolean created(JdbcOperations jdbc, boolean mayFail) {
        try {
            create(jdbc);
            return true;
        } catch (DataAccessException failure) {
            if (mayFail) {
                return false;
            }
            throw failure;
        }
    }

    private boolean present(JdbcOperations jdbc) {
        try {
            jdbc.queryForList("SELECT lease FROM " + settings.tablePrefix() + "lease WHERE 1 = 0");
            jdbc.queryForList("SELECT id FROM " + settings.tablePrefix() + "session WHERE 1 = 0");
            return !jdbc.queryForList("SELECT id FROM " + settings.tablePrefix() + "token")
                    .isEmpty();
        } catch (DataAccessException failure) {
            if (SqlFailures.refused(failure)) {
                return false;
            }
            throw failure;
        }
    }

    private void create(JdbcOperations jdbc) {
        String text = load().lines().filter(line -> !line.startsWith("--")).collect(Collectors.joining("\n"));
        Arrays.stream(text.replace(DEFAULT_PREFIX, settings.tablePrefix()).split(";"))
                .filter(statement -> !statement.isBlank())
                .forEach(jdbc::execute);
    }

    private String load() {
        try (InputStream ddl = Schema.class.getClassLoader().getResourceAsStream(dialect.ddl())) {
            if (ddl == null) {
                throw new IllegalStateException("resource missing: " + dialect.ddl());
            }
            return new String(ddl.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
