package io.fencedlease.fence.sql;

import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FenceUnavailableException;
import io.fencedlease.fence.FencedKeys;
import io.fencedlease.fence.HashedKey;
import io.fencedlease.fence.KeyEntry;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * {@link FencedKeys} in table {@code fencedlease_keys}. Each operation runs in the guarded transaction of its {@link
 * SqlFence}, or in the current one, which takes it back if it fails.
 */
public final class SqlKeys implements FencedKeys {

    private final SqlFence fence;
    private final FencedDatabase database;
    private final String repository;
    private final Ticker ticker;
    private final JdbcTemplate jdbc;

    /**
     * @param repository 1 to 128 of the characters of a lease's name; two leases share no keys, even under one name
     * @param name the database for people; without secrets
     * @param transactions makes the guarded transactions; it must manage this data source
     * @throws io.fencedlease.lease.SettingRefusedException if the options are out of range
     */
    public SqlKeys(
            LeaseName lease,
            String repository,
            String name,
            DataSource dataSource,
            PlatformTransactionManager transactions,
            SqlFenceOptions options,
            Ticker ticker) {
        this.fence = new SqlFence(lease, name, dataSource, transactions, options);
        this.database = new FencedDatabase(lease, name, dataSource, options, ShippedTables.KEYS);
        this.repository = repository;
        this.ticker = ticker;
        this.jdbc = new JdbcTemplate(database.dataSource);
    }

    @Override
    public String resource() {
        return "repository '" + repository + "' in " + database.resource;
    }

    @Override
    public Fence fence() {
        return fence;
    }

    @Override
    public void prepare() {
        fence.prepare();
        database.dialect();
    }

    @Override
    public Found add(Tenure tenure, String key) {
        return guarded(tenure, () -> put(tenure, new HashedKey(key), false));
    }

    @Override
    public Found addConfirmed(Tenure tenure, String key) {
        return guarded(tenure, () -> {
            Found found = put(tenure, new HashedKey(key), true);
            if (found == Found.OURS) {
                confirmOwn(tenure, new HashedKey(key));
            }
            return found;
        });
    }

    @Override
    public boolean contains(Tenure tenure, String key) {
        return guarded(tenure, () -> find(new HashedKey(key), "")
                .filter(entry -> entry.confirmed() || entry.isOf(tenure, resource()))
                .isPresent());
    }

    @Override
    public boolean confirm(Tenure tenure, String key) {
        return guarded(tenure, () -> confirmOwn(tenure, new HashedKey(key)));
    }

    @Override
    public boolean remove(Tenure tenure, String key) {
        return guarded(
                tenure,
                () -> change(
                        "DELETE FROM fencedlease_keys",
                        new HashedKey(key),
                        tenure.token().value()));
    }

    @Override
    public long cleanup(Duration age) {
        database.dialect();
        try (OwnConnection own = database.connect()) {
            return own.jdbc()
                    .update(
                            "DELETE FROM fencedlease_keys WHERE lease = ? AND repository = ?"
                                    + " AND confirmed_at < ? AND confirmed = TRUE",
                            database.lease.value(),
                            repository,
                            ticker.wallMillis() - age.toMillis());
        } catch (DataAccessException e) {
            throw new FenceUnavailableException(resource() + " could not be cleaned up", e);
        }
    }

    private Found put(Tenure tenure, HashedKey key, boolean done) {
        return KeyEntry.claim(
                tenure,
                resource(),
                // the second look must not be at this transaction's snapshot
                attempt -> find(key, attempt == 0 ? "" : database.dialect().lockClause()),
                found -> found.isPresent() ? takeOver(tenure, key, done, found.get()) : insert(tenure, key, done));
    }

    private Optional<KeyEntry> find(HashedKey key, String lock) {
        return jdbc
                .query(
                        "SELECT token, confirmed FROM fencedlease_keys WHERE lease = ? AND repository = ?"
                                + " AND key_hash = ?" + lock,
                        (row, n) -> new KeyEntry(row.getLong(1), row.getBoolean(2), 0),
                        database.lease.value(),
                        repository,
                        key.hash())
                .stream()
                .findFirst();
    }

    private boolean insert(Tenure tenure, HashedKey key, boolean done) {
        return database.dialect()
                .insertUnlessPresent(
                        jdbc,
                        "INSERT INTO fencedlease_keys(lease, repository, key_hash, key_text, token, confirmed,"
                                + " confirmed_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                        database.lease.value(),
                        repository,
                        key.hash(),
                        key.shown(),
                        tenure.token().value(),
                        done,
                        doneAt(done));
    }

    private boolean takeOver(Tenure tenure, HashedKey key, boolean done, KeyEntry left) {
        return change(
                "UPDATE fencedlease_keys SET token = ?, confirmed = ?, confirmed_at = ?",
                key,
                left.token(),
                tenure.token().value(),
                done,
                doneAt(done));
    }

    private boolean confirmOwn(Tenure tenure, HashedKey key) {
        return change(
                "UPDATE fencedlease_keys SET confirmed = TRUE, confirmed_at = ?",
                key,
                tenure.token().value(),
                doneAt(true));
    }

    /** One statement that changes an unconfirmed entry of a given tenure, or nothing. */
    private boolean change(String statement, HashedKey key, long token, Object... before) {
        Object[] arguments = new Object[before.length + 4];
        System.arraycopy(before, 0, arguments, 0, before.length);
        arguments[before.length] = database.lease.value();
        arguments[before.length + 1] = repository;
        arguments[before.length + 2] = key.hash();
        arguments[before.length + 3] = token;
        return jdbc.update(
                        statement + " WHERE lease = ? AND repository = ? AND key_hash = ? AND token = ?"
                                + " AND confirmed = FALSE",
                        arguments)
                == 1;
    }

    private long doneAt(boolean done) {
        return done ? ticker.wallMillis() : 0;
    }

    private <T> T guarded(Tenure tenure, Supplier<T> work) {
        database.dialect();
        try {
            return fence.guardInTransaction(tenure, transaction -> work.get());
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
