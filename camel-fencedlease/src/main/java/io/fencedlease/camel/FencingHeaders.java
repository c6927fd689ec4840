package io.fencedlease.camel;

import org.apache.camel.spi.Metadata;

/**
 * The headers that tell sinks and other services under which tenure a message was made. Output only: overwritten when an
 * exchange enters a leased route and restored before each step; only a receiver reads them, which
 * holds no lease itself.
 */
public final class FencingHeaders {

    @Metadata(description = "The fencing token of the tenure", javaType = "Long")
    public static final String TOKEN = "FencingToken";

    @Metadata(description = "The lease that the token belongs to", javaType = "String")
    public static final String LEASE = "FencingLease";

    @Metadata(description = "What tells two tenures with equal tokens apart", javaType = "String")
    public static final String NONCE = "FencingNonce";

    @Metadata(description = "In a dead letter of a receiver: why it was refused", javaType = "String")
    public static final String REFUSAL = "FencingRefusal";

    private FencingHeaders() {}
}
