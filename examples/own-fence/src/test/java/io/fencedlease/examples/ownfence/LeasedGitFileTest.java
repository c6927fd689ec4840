package io.fencedlease.examples.ownfence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlease.camel.FencedLeaseComponent;
import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leased route publishes into a repository by the fence of this example, until a later tenure has raised it. */
class LeasedGitFileTest {

    @Test
    void theSinkOfALeasedRouteIsFoundByItsScheme(@TempDir Path folder) throws Exception {
        GitRepository repository = new GitRepository(folder.resolve("feed.git"));
        repository.init();
        JdbcDataSource leases = new JdbcDataSource();
        leases.setURL("jdbc:h2:mem:own-fence;DB_CLOSE_DELAY=-1");
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            context.getComponent("fencedlease", FencedLeaseComponent.class)
                    .getConfiguration()
                    .setDataSource(leases);
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    from("fencedlease:feed:direct:publish").to("fencedlease:feed:gitfile:" + repository.path());
                }
            });
            context.start();
            await().atMost(Duration.ofSeconds(60)).until(() -> publish(context).getException() == null);
            assertThat(repository.files()).containsExactly("news.txt");

            new GitFence(new LeaseName("feed"), repository)
                    .raise(new Tenure(new LeaseName("feed"), new FencingToken(1_000_000), "a later tenure"));
            String before = repository.ref(GitRepository.BRANCH);
            assertThat(publish(context).getException()).isInstanceOf(FencedOutException.class);
            assertThat(repository.ref(GitRepository.BRANCH)).isEqualTo(before);
        }
    }

    private static Exchange publish(DefaultCamelContext context) {
        return context.createProducerTemplate().request("direct:publish", exchange -> {
            exchange.getMessage().setHeaders(new java.util.HashMap<>(Map.of(Exchange.FILE_NAME, "news.txt")));
            exchange.getMessage().setBody("news");
        });
    }
}
