package io.fencedlease.examples.failover;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlease.examples.failover.NodeMessage.Kind;
import org.junit.jupiter.api.Test;

class NodeMessageTest {

    @Test
    void whatANodeSaysArrivesAsItWasSent() {
        NodeMessage sent = new NodeMessage(Kind.REFUSED, 7, "batch 3, FencedOutException: its mark is 9");

        assertThat(NodeMessage.parse(sent.line())).contains(sent);
    }

    @Test
    void warningsAboutTheLeaseArePickedFromTheLog() {
        assertThat(NodeMessage.parse(
                        "[loop] WARN io.fencedlease.lease.HeldLease - lease 'x' token 7 lost: TAKEN (by B)"))
                .contains(new NodeMessage(Kind.WARNED, 7, "lost: TAKEN (by B)"));
        assertThat(NodeMessage.parse("[w] WARN io.fencedlease.fence.sql.Eviction - lease 'x' token 9: raise blocked"))
                .contains(new NodeMessage(Kind.WARNED, 9, "raise blocked"));
    }

    @Test
    void otherLinesAreNoMessages() {
        assertThat(NodeMessage.parse("")).isEmpty();
        assertThat(NodeMessage.parse("[main] INFO io.fencedlease.lease.HeldLease - lease 'x' token 7 closed"))
                .isEmpty();
        assertThat(NodeMessage.parse("[main] WARN org.other.Thing - lease 'x' token 7 lost: no"))
                .isEmpty();
    }
}
