package io.fencedlease.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlease.lease.SettingRefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: the delegate stays exactly what it would be on its own. Method: texts in, texts out. */
class FencedLeaseUriTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sql:UPDATE t SET status='closed' WHERE id=:#id?dataSource=#db",
                "sql:select * from t where j->>'a' = 'x:y'::text and d > TIMESTAMP '2020-01-01 00:00:00'?dataSource=#db",
                "sql:query?query=RAW(UPDATE t SET s='a&lease.x=b' WHERE a<=5)&dataSource=#db",
                "seda:x?password=RAW{a&fence.mode=b}}&size=2",
                "sql:select a+b, 'ü' from t where a<>1?dataSource=#db&onConsume=update t set s='a' where id=:#id",
                "timer:t",
            })
    void whatIsNotOursStaysAsItIs(String delegate) {
        assertThat(FencedLeaseUri.parse("fencedlease:L:" + delegate).delegate()).isEqualTo(delegate);
        String ours = "lease.ttl=5s&fence.acceptRisk=RAW(x&y)&lease.lockDelay=4s";
        String joined = delegate + (delegate.contains("?") ? "&" : "?") + ours;
        assertThat(FencedLeaseUri.parse("fencedlease://L:" + joined).delegate()).isEqualTo(delegate);
    }

    @ParameterizedTest
    @CsvSource({
        "fencedlease:L:seda:x?lease.ttl=5s&size=2, seda:x?size=2",
        "fencedlease:L:seda:x?size=2&fence.mode=row&timeout=3, seda:x?size=2&timeout=3",
        "fencedlease:L:seda:x?fence.mode=row, seda:x",
        "fencedlease:L:seda:x?leaseDuration=5&fenced=1, seda:x?leaseDuration=5&fenced=1",
    })
    void ourOptionsAreTakenOut(String uri, String delegate) {
        assertThat(FencedLeaseUri.parse(uri).delegate()).isEqualTo(delegate);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fencedlease:L", "fencedlease:L:", "fencedlease://L"})
    void withoutADelegateItIsRefused(String uri) {
        assertThatThrownBy(() -> FencedLeaseUri.parse(uri))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContainingAll("'L'", "delegateUri", uri, "fencedlease:LEASE:DELEGATE-URI");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fencedlease:my lease:seda:x", "fencedlease:a/b:seda:x", "fencedlease::seda:x"})
    void anIllegalLeaseNameIsRefused(String uri) {
        assertThatThrownBy(() -> FencedLeaseUri.parse(uri))
                .isInstanceOf(SettingRefusedException.class)
                .hasMessageContaining("leaseName");
    }

    @Test
    void schemeAndPathOfTheDelegate() {
        FencedLeaseUri uri = FencedLeaseUri.parse("fencedlease:L:guard:invoices?fence.dataSource=#db");
        assertThat(uri.delegateScheme()).isEqualTo("guard");
        assertThat(uri.delegatePath()).isEqualTo("invoices");
    }
}
