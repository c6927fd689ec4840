package io.fencedlease.lease.jdbc;

import io.fencedlease.lease.spi.BackendRefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcOperations;

/** Does an acknowledged commit survive the death of the database? If not, a token can be given twice. */
final class DurabilityCheck {

    private static final Logger LOG = LoggerFactory.getLogger(DurabilityCheck.class);

    private final JdbcOperations jdbc;
    private final String url;

    DurabilityCheck(JdbcOperations jdbc, String url) {
        this.jdbc = jdbc;
        this.url = url;
    }

    void warnUnless(String query, Predicate<String> good, String found, String allowed) {
        String value = String.valueOf(jdbc.queryForObject(query, String.class));
        if (!good.test(value)) {
            LOG.warn(
                    "leases in {}: {} lets a crash of the server forget acknowledged tokens; set it to {}",
                    url,
                    String.format(found, value),
                    allowed);
        }
    }

    /** Measured: H2 forgets acknowledged commits when its JVM is killed, unless WRITE_DELAY is 0. */
    void h2() {
        if (url.startsWith("jdbc:h2:mem:")) {
            return; // lives and dies with this JVM, and so does every client of it
        }
        String path = jdbc.queryForObject("SELECT DATABASE_PATH()", String.class);
        if (path == null) {
            throw new BackendRefusedException("leases in " + url
                    + ": an H2 server's in-memory database forgets tokens at its restart; use one on disk");
        }
        List<String> delays = jdbc.queryForList(
                "SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'WRITE_DELAY'",
                String.class);
        if (delays.isEmpty() || delays.stream().anyMatch(delay -> !delay.equals("0"))) {
            throw new BackendRefusedException("leases in " + url + ": H2 with WRITE_DELAY " + delays
                    + " ms forgets acknowledged tokens when its process is killed; add ;WRITE_DELAY=0 to every URL");
        }
        if (!url.startsWith("jdbc:h2:tcp:")
                && !url.startsWith("jdbc:h2:ssl:")
                && Files.exists(Path.of(path + ".lock.db"))) {
            LOG.warn(
                    "leases in {}: H2 with AUTO_SERVER=TRUE: the first node is the database; pausing it pauses everyone",
                    url);
        }
    }
}
