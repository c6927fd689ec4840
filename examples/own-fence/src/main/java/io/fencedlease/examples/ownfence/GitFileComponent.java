package io.fencedlease.examples.ownfence;

import java.nio.file.Path;
import java.util.Map;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.DefaultComponent;

/** {@code gitfile:/path/to/bare.git}: writes the body as a file of the main branch, one commit each. Knows no fences. */
@Component("gitfile")
public final class GitFileComponent extends DefaultComponent {

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) {
        return new GitFileEndpoint(uri, this, new GitRepository(Path.of(remaining)));
    }
}
