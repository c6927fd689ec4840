package io.fencedlease.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.fence.FencedOutException;
import io.fencedlease.fence.NoRowWrittenException;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.Tenure;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowTokenStatementTest {

    private static final LeaseName LEASE = new LeaseName("invoice-closer");
    private static final Tenure TENURE = new Tenure(LEASE, new FencingToken(7), "n");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE b SET status='closed', fencing_token=:#FencingToken WHERE id=:#id AND fencing_token <= :#FencingToken",
                "update b set fencing_token = :#FencingToken where fencing_token<:#FencingToken and id=:#id;",
                "UPDATE s.b AS x SET x.tok=:#FencingToken, n=n+1 WHERE x.id IN (:#in:ids) AND :#FencingToken >= x.tok",
                "UPDATE b SET tok=:#FencingToken WHERE (a=1 OR c=2) AND tok<=:#FencingToken AND id=:#${body[id]}",
                "UPDATE b -- it's closed\n SET tok=:#FencingToken /* twice: :#x */ WHERE TOK<=:#FencingToken",
                "UPDATE \"B\" SET \"Tok\"=:#FencingToken, t='a;b '' OR' WHERE \"Tok\"<=:#FencingToken",
                "UPDATE b SET n=(SELECT max(n) FROM c WHERE c.x=1), tok=:#FencingToken WHERE tok<=:#FencingToken",
                "UPDATE b SET d=now()::date, j=j->>'x', tok=:#FencingToken WHERE id <> 3 AND tok<=:#FencingToken LIMIT 1",
            })
    void aStatementThatWritesAndComparesTheTokenIsTaken(String sql) {
        assertThatCode(() -> RowTokenStatement.of(LEASE, sql)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO b (tok) VALUES (:#FencingToken)",
                "DELETE FROM b WHERE tok <= :#FencingToken",
                "SELECT * FROM b",
                "",
                "WITH c AS (SELECT 1) UPDATE b SET tok=:#FencingToken WHERE tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken WHERE id=:#id",
                "UPDATE b SET status='x' WHERE tok<=:#FencingToken",
                "UPDATE b SET other=:#FencingToken WHERE tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken+1 WHERE tok<=:#FencingToken",
                "UPDATE b SET tok=1+:#FencingToken WHERE tok<=:#FencingToken",
                "UPDATE b SET tok=coalesce(:#FencingToken) WHERE tok<=:#FencingToken",
                "UPDATE b SET \"TOK\"=:#FencingToken WHERE tok<=:#FencingToken",
                "UPDATE b SET `tok`=:#FencingToken WHERE tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken, tok=0 WHERE tok<=:#FencingToken",
                "UPDATE b SET b.tok=0, tok=:#FencingToken WHERE tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken, \"tok\"=0 WHERE tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken, (tok, n)=(0, 1) WHERE tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken WHERE tok>=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken WHERE tok=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken WHERE tok<=:#FencingToken+1",
                "UPDATE b SET tok=:#FencingToken WHERE tok-1<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken WHERE NOT tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken WHERE id=1 OR tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken WHERE tok<=:#FencingToken OR id=1",
                "UPDATE b SET tok=:#FencingToken WHERE tok<=:#FencingToken || id=1",
                "UPDATE b SET tok=:#FencingToken WHERE (id=1 OR tok<=:#FencingToken)",
                "UPDATE b SET tok=:#FencingToken WHERE id BETWEEN 1 AND tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken WHERE x = tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken WHERE note='AND tok<=:#FencingToken'",
                "UPDATE b SET tok=:#FencingToken WHERE id=1 -- AND tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken WHERE id=1 /* AND tok<=:#FencingToken */",
                "UPDATE b SET tok=':#FencingToken' WHERE tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken WHERE tok<=':#FencingToken'",
                "UPDATE b SET tok=:#fencingtoken WHERE tok<=:#fencingtoken",
                "UPDATE b SET tok=:#FencingTokens WHERE tok<=:#FencingTokens",
                "UPDATE b SET tok=:#FencingToken FROM c WHERE c.tok<=:#FencingToken",
                "UPDATE b JOIN c SET tok=:#FencingToken WHERE tok<=:#FencingToken",
                "UPDATE b, c SET b.tok=:#FencingToken WHERE c.tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken WHERE tok<=:#FencingToken; DELETE FROM b",
                "UPDATE b SET tok=:#FencingToken WHERE id=1 AND (tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken WHERE tok<=:#FencingToken RETURNING id",
                "UPDATE b SET tok=:#FencingToken WHERE tok<=:#FencingToken LIMIT 1 returning (id)",
                // what databases read differently
                "UPDATE b SET tok=:#FencingToken WHERE a='\\' AND tok<=:#FencingToken AND b=' '",
                "UPDATE b SET tok=:#FencingToken WHERE a=$$x$$ AND tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken WHERE a=1 --1 AND tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken WHERE a=1 /*! OR 1=1 */ AND tok<=:#FencingToken",
                "UPDATE b SET tok=:#FencingToken WHERE a=1 /* /* */ AND tok<=:#FencingToken -- */",
                "UPDATE b SET tok=:#FencingToken WHERE a=1 # AND tok<=:#FencingToken",
            })
    void anyOtherIsRefused(String sql) {
        assertThatThrownBy(() -> RowTokenStatement.of(LEASE, sql))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("invoice-closer")
                .hasMessageContaining("fence.mode=row")
                .hasMessageContaining(sql)
                .hasMessageContaining(":#FencingToken");
    }

    @Test
    void aRowThatWasWrittenPasses() {
        RowTokenStatement.requireRow("table b", TENURE, 1);
        RowTokenStatement.requireRow("table b", TENURE, 1, () -> {
            throw new AssertionError("asked without need");
        });
    }

    @Test
    void noRowIsNotCalledFencedOutWithoutEvidence() {
        assertThatThrownBy(() -> RowTokenStatement.requireRow("table b", TENURE, 0))
                .isInstanceOf(NoRowWrittenException.class)
                .hasMessageContaining("fenced out or no such row");
    }

    // T88: KAFKA-9911
    @Test
    void theCheckTellsAHigherTokenFromAMissingRow() {
        assertThatThrownBy(() -> RowTokenStatement.requireRow("table b", TENURE, 0, () -> OptionalLong.of(9)))
                .isInstanceOfSatisfying(FencedOutException.class, e -> {
                    assertThat(e.token()).isEqualTo(7);
                    assertThat(e.mark()).isEqualTo(9);
                });
        assertThatThrownBy(() -> RowTokenStatement.requireRow("table b", TENURE, 0, OptionalLong::empty))
                .isInstanceOf(NoRowWrittenException.class)
                .hasMessageContaining("no such row");
        assertThatThrownBy(() -> RowTokenStatement.requireRow("table b", TENURE, 0, () -> OptionalLong.of(7)))
                .isInstanceOf(NoRowWrittenException.class)
                .hasMessageContaining("another condition");
    }
}
