package io.fencedlease.camel.sink.consul;

import io.fencedlease.camel.sink.DelegatingSink;
import io.fencedlease.fence.Fence;
import io.fencedlease.fence.consul.ConsulFence;
import io.fencedlease.fence.consul.KvWrites;
import io.fencedlease.lease.Tenure;
import java.util.Optional;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.NoSuchHeaderException;
import org.apache.camel.Producer;
import org.apache.camel.component.consul.ConsulConfiguration;
import org.apache.camel.component.consul.ConsulConstants;
import org.apache.camel.component.consul.endpoint.ConsulKeyValueActions;
import org.kiwiproject.consul.option.PutOptions;

/** Does the writing actions itself; leaves the reading ones to the delegate, unfenced. */
final class ConsulSink extends DelegatingSink {

    private final ConsulFence fence;
    private final KvWrites writes;
    private final ConsulConfiguration options;

    ConsulSink(ConsulFence fence, KvWrites writes, Producer delegate, ConsulConfiguration options) {
        super(delegate);
        this.fence = fence;
        this.writes = writes;
        this.options = options;
    }

    @Override
    public Optional<Fence> fence() {
        return Optional.of(fence);
    }

    @Override
    public boolean write(Exchange exchange, Tenure tenure) throws Exception {
        Message message = exchange.getMessage();
        String action = message.getHeader(ConsulConstants.CONSUL_ACTION, options.getAction(), String.class);
        switch (action == null ? "" : action) {
            case ConsulKeyValueActions.PUT -> put(message, tenure);
            case ConsulKeyValueActions.DELETE_KEY -> {
                writes.delete(tenure, key(message));
                message.setHeader(ConsulConstants.CONSUL_RESULT, true);
            }
            case ConsulKeyValueActions.DELETE_KEYS -> {
                writes.deleteTree(tenure, key(message));
                message.setHeader(ConsulConstants.CONSUL_RESULT, true);
            }
            case ConsulKeyValueActions.GET_VALUE,
                    ConsulKeyValueActions.GET_VALUES,
                    ConsulKeyValueActions.GET_KEYS,
                    ConsulKeyValueActions.GET_SESSIONS -> {
                callDelegate(exchange);
                return false;
            }
            default ->
                throw new IllegalArgumentException("action '" + action + "' is refused behind a fence; allowed: PUT,"
                        + " DELETE_KEY, DELETE_KEYS, and the reading ones. Locks are the lease's business");
        }
        return true;
    }

    private void put(Message message, Tenure tenure) throws NoSuchHeaderException {
        PutOptions how = message.getHeader(ConsulConstants.CONSUL_OPTIONS, PutOptions.BLANK, PutOptions.class);
        if (how.getAcquire().isPresent()
                || how.getRelease().isPresent()
                || how.getDc().isPresent()
                || how.getToken().isPresent()) {
            throw new IllegalArgumentException(
                    "header " + ConsulConstants.CONSUL_OPTIONS + " is refused behind a fence, but for cas");
        }
        String body = message.getBody(String.class);
        String value = body == null ? "" : body;
        long flags = message.getHeader(ConsulConstants.CONSUL_FLAGS, 0L, Long.class);
        boolean written = true;
        if (how.getCas().isPresent()) {
            written = writes.putIf(
                    tenure, key(message), value, flags, how.getCas().get());
        } else {
            writes.put(tenure, key(message), value, flags);
        }
        message.setHeader(ConsulConstants.CONSUL_RESULT, written);
    }

    private String key(Message message) throws NoSuchHeaderException {
        String key = message.getHeader(ConsulConstants.CONSUL_KEY, options.getKey(), String.class);
        if (key == null) {
            throw new NoSuchHeaderException(message.getExchange(), ConsulConstants.CONSUL_KEY, String.class);
        }
        return key;
    }
}
