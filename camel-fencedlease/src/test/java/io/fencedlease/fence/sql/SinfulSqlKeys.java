package io.fencedlease.fence.sql;

import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FencedKeys;
import io.fencedlease.fence.HashedKey;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.Tenure;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Keys as one writes them at first, with one mistake. */
final class SinfulSqlKeys implements FencedKeys {

    private final SqlKeysSin sin;
    private final FencedKeys right;
    private final JdbcTemplate jdbc;

    SinfulSqlKeys(SqlKeysSin sin, FencedKeys right, DataSource dataSource) {
        this.sin = sin;
        this.right = right;
        this.jdbc = new JdbcTemplate(dataSource);
        right.prepare();
    }

    @Override
    public String resource() {
        return right.resource();
    }

    @Override
    public Fence fence() {
        return right.fence();
    }

    @Override
    public void prepare() {
        right.prepare();
    }

    @Override
    public Found add(Tenure tenure, String key) {
        boolean looks = sin == SqlKeysSin.LOOKS_BEFORE_IT_CLAIMS || sin == SqlKeysSin.LOOKS_BEFORE_IT_TAKES_OVER;
        if (looks && !right.contains(tenure, key)) {
            LockSupport.parkNanos(20_000_000);
            Found found = right.add(tenure, key);
            return sin == SqlKeysSin.LOOKS_BEFORE_IT_CLAIMS ? Found.NEW : found == Found.OURS ? Found.HALF_DONE : found;
        }
        if (sin == SqlKeysSin.NEVER_TAKES_OVER && count("token < " + tenure.token(), key) > 0) {
            return Found.OURS;
        }
        Found found = right.add(asked(tenure), text(key));
        return sin == SqlKeysSin.CLAIMS_TWICE && found == Found.OURS ? Found.NEW : found;
    }

    @Override
    public Found addConfirmed(Tenure tenure, String key) {
        return sin == SqlKeysSin.ADDS_AFTER_WORK_UNCONFIRMED
                ? right.add(tenure, key)
                : right.addConfirmed(asked(tenure), text(key));
    }

    @Override
    public boolean contains(Tenure tenure, String key) {
        boolean half = sin == SqlKeysSin.CONTAINS_WHAT_IS_HALF_DONE && count("token > 0", key) > 0;
        return half || right.contains(asked(tenure), text(key));
    }

    @Override
    public boolean confirm(Tenure tenure, String key) {
        if (sin == SqlKeysSin.FORGETS_CONFIRMATIONS) {
            return count("confirmed = FALSE", key) > 0;
        }
        if (sin == SqlKeysSin.CONFIRMS_FOR_OTHERS) {
            return change("UPDATE fencedlease_keys SET confirmed = TRUE", key);
        }
        return right.confirm(asked(tenure), text(key));
    }

    @Override
    public boolean remove(Tenure tenure, String key) {
        if (sin == SqlKeysSin.ABORT_REMOVES_CONFIRMED) {
            return change("DELETE FROM fencedlease_keys", key);
        }
        if (sin == SqlKeysSin.ABORT_LEAVES_THE_KEY) {
            return count("confirmed = FALSE", key) > 0;
        }
        return right.remove(asked(tenure), text(key));
    }

    @Override
    public long cleanup(Duration age) {
        if (sin == SqlKeysSin.CLEANS_UP_WHAT_IS_UNDER_WAY) {
            jdbc.update("DELETE FROM fencedlease_keys WHERE confirmed = FALSE");
        }
        return sin == SqlKeysSin.CLEANS_UP_NOTHING ? 0 : right.cleanup(age);
    }

    /** The tenure that passes whatever fence there is. */
    private Tenure asked(Tenure given) {
        boolean any = sin == SqlKeysSin.ASKS_NO_FENCE || sin == SqlKeysSin.ASKS_NO_FENCE_IN_A_RACE;
        if (!any && sin != SqlKeysSin.COMPARES_TOKENS_ONLY) {
            return given;
        }
        return jdbc
                .query(
                        "SELECT token, nonce FROM fencedlease_fence WHERE lease = ? AND token > 0",
                        (row, n) -> new Tenure(given.lease(), new FencingToken(row.getLong(1)), row.getString(2)),
                        given.lease().value())
                .stream()
                .filter(mark -> any || mark.token().equals(given.token()))
                .findFirst()
                .orElse(given);
    }

    private String text(String key) {
        return sin == SqlKeysSin.IGNORES_CASE ? key.toLowerCase(Locale.ROOT) : key;
    }

    private int count(String condition, String key) {
        return jdbc.queryForList(
                        "SELECT 1 FROM fencedlease_keys WHERE key_hash = ? AND " + condition, new HashedKey(key).hash())
                .size();
    }

    private boolean change(String statement, String key) {
        return jdbc.update(statement + " WHERE key_hash = ?", new HashedKey(key).hash()) > 0;
    }
}
