package io.fencedlease.fence.sql;

import io.fencedlease.fence.Fence;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.Tenure;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionStatus;

/** A fence as one writes it at first, with one mistake. */
final class SinfulSqlFence implements Fence {

    private final SqlFenceSin sin;
    private final SqlFence right;
    private final JdbcTemplate jdbc;
    private final JdbcTransactionManager transactions;

    SinfulSqlFence(SqlFenceSin sin, LeaseName lease, DataSource dataSource, SqlFenceOptions options) {
        this.sin = sin;
        this.right = new SqlFence(lease, "db", dataSource, options.withEvict(sin != SqlFenceSin.NEVER_EVICTS));
        this.jdbc = new JdbcTemplate(dataSource);
        this.transactions = new JdbcTransactionManager(dataSource);
        right.prepare();
    }

    @Override
    public String resource() {
        return right.resource();
    }

    @Override
    public void raise(Tenure tenure) throws RaiseRefusedException {
        if (sin == SqlFenceSin.LOWERS_THE_MARK) {
            jdbc.update("UPDATE fencedlease_fence SET token = 0");
            jdbc.update("UPDATE fencedlease_intent SET token = 0");
        }
        right.raise(tenure);
    }

    @Override
    public <T> T guard(Tenure tenure, Callable<T> write) throws Exception {
        return switch (sin) {
            case READS_WITHOUT_LOCK -> inTransaction(tenure, "", write);
            case CHECKS_OUTSIDE_THE_TRANSACTION -> {
                check(tenure, "");
                yield inTransaction(tenure, "none", write);
            }
            case WRITES_OUTSIDE_THE_TRANSACTION -> {
                right.guard(tenure, () -> "checked");
                yield write.call();
            }
            case COMPARES_TOKENS_ONLY, PASSES_A_LOWER_MARK -> inTransaction(tenure, " FOR UPDATE", write);
            case LETS_EVERYBODY_PASS -> inTransaction(tenure, "none", write);
            case LOWERS_THE_MARK, NEVER_EVICTS -> right.guard(tenure, write);
        };
    }

    private <T> T inTransaction(Tenure tenure, String lock, Callable<T> write) throws Exception {
        TransactionStatus status = transactions.getTransaction(null);
        try {
            check(tenure, lock);
            T result = write.call();
            transactions.commit(status);
            return result;
        } catch (Exception e) {
            if (!status.isCompleted()) {
                transactions.rollback(status);
            }
            throw e;
        }
    }

    private void check(Tenure tenure, String lock) {
        if (lock.equals("none")) {
            return;
        }
        long mark = jdbc
                .queryForList(
                        "SELECT token FROM fencedlease_fence WHERE lease = '" + tenure.lease() + "'" + lock, Long.class)
                .stream()
                .findFirst()
                .orElse(0L);
        boolean lowerPasses = sin == SqlFenceSin.PASSES_A_LOWER_MARK;
        if (lowerPasses ? mark > tenure.token().value() : mark != tenure.token().value()) {
            throw new FencedOutException(resource(), tenure, mark);
        }
    }
}
