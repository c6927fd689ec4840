package io.fencedlease.camel;

import static io.fencedlease.camel.LeasedNode.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.faults.ConsulProcess;
import io.fencedlease.faults.NeedsConsul;
import io.fencedlease.lease.LeaseReport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.consul.ConsulComponent;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Goal: a leased route outlives what ends Camel's own Consul clustering. Method: one real Consul, a lease per test. */
@NeedsConsul
class LeasedRouteConsulIT {

    private static ConsulProcess consul;

    private final List<Long> tokens = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void startConsul() {
        consul = ConsulProcess.start();
    }

    @AfterAll
    static void stopConsul() {
        consul.close();
    }

    private DefaultCamelContext node(String lease, List<Long> seen) throws Exception {
        DefaultCamelContext context = new DefaultCamelContext();
        component(context).setTtl(3000);
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("fencedlease:" + lease + ":timer:t?period=50&delay=0")
                        .process(e -> seen.add(e.getMessage().getHeader(FencingHeaders.TOKEN, Long.class)));
            }
        });
        return context;
    }

    private static FencedLeaseComponent component(DefaultCamelContext context) {
        return context.getComponent("fencedlease", FencedLeaseComponent.class);
    }

    private static DefaultCamelContext at(String url, DefaultCamelContext context) {
        component(context).getConfiguration().setConsulUrl(url);
        context.start();
        return context;
    }

    @Test
    void runsAgainWithAHigherTokenAfterEverySessionWasDestroyed() throws Exception {
        try (DefaultCamelContext a = at(consul.url().toString(), node("destroyed", tokens))) {
            eventually().until(() -> !tokens.isEmpty());
            long first = tokens.get(0);
            consul.admin().sessions().forEach(consul.admin()::destroySession);
            eventually().until(() -> tokens.get(tokens.size() - 1) > first);
            assertThat(a.isStarted()).isTrue();
        }
    }

    @Test
    void stopsAndRegainsWhenTheKeyIsDeletedWhileHeld() throws Exception {
        try (DefaultCamelContext a = at(consul.url().toString(), node("deleted", tokens))) {
            eventually().until(() -> !tokens.isEmpty());
            long first = tokens.get(0);
            consul.admin().deleteKey("fencedlease/leases/deleted");
            eventually().until(() -> tokens.get(tokens.size() - 1) > first);
            assertThat(a.isStarted()).isTrue();
        }
    }

    @Test
    void aPlannedStopHandsOverAtOnce() throws Exception {
        List<Long> seenByB = new CopyOnWriteArrayList<>();
        DefaultCamelContext a = at(consul.url().toString(), node("handed", tokens));
        eventually().until(() -> !tokens.isEmpty());
        try (DefaultCamelContext b = at(consul.url().toString(), node("handed", seenByB))) {
            eventually()
                    .until(() -> component(b).reports().size() == 1
                            && component(b).reports().get(0).holder().isPresent());
            a.stop();
            eventually().until(() -> !seenByB.isEmpty());
            assertThat(seenByB.get(0)).isGreaterThan(tokens.get(tokens.size() - 1));
        }
    }

    @Test
    void aContextStartsWithoutConsulAndRunsOnceItIsThere() throws Exception {
        try (ConsulProcess late = ConsulProcess.start()) {
            late.stop();
            try (DefaultCamelContext a = at(late.url().toString(), node("late", tokens))) {
                assertThat(a.isStarted()).isTrue();
                late.restart();
                eventually().until(() -> !tokens.isEmpty());
            }
        }
    }

    @Test
    void whatTheConsulComponentKnowsIsTakenOver() throws Exception {
        try (DefaultCamelContext a = node("taken", tokens)) {
            ConsulComponent component = a.getComponent("consul", ConsulComponent.class);
            component.getConfiguration().setUrl(consul.url().toString());
            a.start();
            eventually().until(() -> !tokens.isEmpty());
            assertThat(component(a).reports().get(0).state()).isEqualTo(LeaseReport.State.HOLDING);
            assertThat(consul.admin().entry("fencedlease/leases/taken")).isPresent();
        }
    }
}
