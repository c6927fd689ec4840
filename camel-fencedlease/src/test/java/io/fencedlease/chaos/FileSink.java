package io.fencedlease.chaos;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.camel.CamelContext;
import org.apache.camel.Message;
import org.apache.camel.model.RouteDefinition;

/** A new file for each write, in the lease's directory, behind the file fence or without it; pauses hit it half written. */
record FileSink(Predicate<String> fenced) implements ChaosSink {

    private static final int LONGEST_WAIT_MILLIS = Integer.getInteger("chaos.wait", 0);

    @Override
    public String resource() {
        return FILES;
    }

    @Override
    public void prepare(CamelContext node) {
        // the directories are there
    }

    @Override
    public RouteDefinition write(RouteDefinition route, String lease, String node) {
        String file = "file:" + System.getProperty("chaos.files") + "/" + lease + "?tempPrefix=.half-";
        // what caches a body would have waited for it before the write begins
        return route.noStreamCaching()
                .process(e -> {
                    Message message = e.getMessage();
                    String attempt = message.getHeader(ATTEMPT, String.class);
                    message.setHeader("CamelFileName", attempt);
                    message.setBody(new Slow(String.join(
                            " ",
                            message.getHeader("FencingToken", String.class),
                            message.getHeader("FencingNonce", String.class),
                            node,
                            attempt)));
                })
                .to((fenced.test(lease) ? "fencedlease:" + lease + ":" : "") + file);
    }

    /** Waits before its last byte. */
    private static final class Slow extends InputStream {

        private final byte[] text;
        private int read;

        Slow(String text) {
            this.text = text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public int read() {
            if (read == text.length - 1) {
                try {
                    TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(LONGEST_WAIT_MILLIS + 1));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return read < text.length ? text[read++] : -1;
        }
    }
}
