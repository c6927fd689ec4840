package io.fencedlease.camel;

import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.Tenure;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.apache.camel.Message;
import org.jspecify.annotations.Nullable;

/** The tenure that a message from elsewhere presents in its headers. It may be stale, forged, or no tenure at all. */
final class PresentedTenure {

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,19}");

    /** What a receiver can remember. Another one would fail at its database for ever. */
    private static final Pattern NONCE = Pattern.compile("[!-~]{0,128}");

    private PresentedTenure() {}

    /** @throws NoTenureException if the headers are not those of a tenure of this lease */
    static Tenure of(Message message, LeaseName lease, String where) {
        String name = text(message.getHeader(FencingHeaders.LEASE));
        if (!lease.value().equals(name)) {
            throw NoTenureException.unfit(lease, where, FencingHeaders.LEASE, name);
        }
        Object given = message.getHeader(FencingHeaders.TOKEN);
        long token = token(given);
        if (token <= 0) {
            throw NoTenureException.unfit(lease, where, FencingHeaders.TOKEN, given);
        }
        Object nonce = message.getHeader(FencingHeaders.NONCE);
        String known = nonce == null ? "" : text(nonce);
        if (known == null || !NONCE.matcher(known).matches()) {
            throw NoTenureException.unfit(lease, where, FencingHeaders.NONCE, "none of ours");
        }
        return new Tenure(lease, new FencingToken(token), known);
    }

    /** 0 if it is no token. */
    private static long token(@Nullable Object given) {
        if (given instanceof Long || given instanceof Integer) {
            return ((Number) given).longValue();
        }
        String text = text(given);
        if (text != null && DIGITS.matcher(text).matches()) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException beyond64Bits) {
                return 0;
            }
        }
        // as Kafka's producers write a Long; eight digits as text were read above, and are beyond any token
        return given instanceof byte[] bytes && bytes.length == Long.BYTES
                ? ByteBuffer.wrap(bytes).getLong()
                : 0;
    }

    private static @Nullable String text(@Nullable Object given) {
        if (given instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        return given instanceof String text ? text : null;
    }
}
