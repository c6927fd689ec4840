package io.fencedlease.camel;

import io.fencedlease.lease.Tenure;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** What somebody may put into the headers of a tenure, and what a receiver that has just heard of that tenure says. */
enum Forgery {
    NONE(Verdict.ADMITTED, Verdict.ADMITTED, (own, h) -> {}),
    AS_INTEGER(Verdict.ADMITTED, Verdict.ADMITTED, (own, h) -> h.token(Math.toIntExact(token(own)))),
    AS_TEXT(Verdict.ADMITTED, Verdict.ADMITTED, (own, h) -> h.token("" + token(own))),
    WITH_LEADING_ZEROS(Verdict.ADMITTED, Verdict.ADMITTED, (own, h) -> h.token("00" + token(own))),

    LOWER(Verdict.STALE, Verdict.STALE, (own, h) -> h.token(token(own) - 1)),
    HIGHER(Verdict.ADMITTED, Verdict.UNFIT, (own, h) -> h.token(token(own) + 1)),
    HIGHEST(Verdict.ADMITTED, Verdict.UNFIT, (own, h) -> h.token(Long.MAX_VALUE)),
    OTHER_NONCE(Verdict.STALE, Verdict.UNFIT, (own, h) -> h.nonce("guessed")),
    NO_NONCE(Verdict.ADMITTED, Verdict.UNFIT, (own, h) -> h.nonce(Headers.MISSING)),

    NO_TOKEN(Verdict.UNFIT, Verdict.UNFIT, (own, h) -> h.token(Headers.MISSING)),
    EMPTY(Verdict.UNFIT, Verdict.UNFIT, (own, h) -> h.token("")),
    ZERO(Verdict.UNFIT, Verdict.UNFIT, (own, h) -> h.token(0L)),
    ZERO_AS_INTEGER(Verdict.UNFIT, Verdict.UNFIT, (own, h) -> h.token(0)),
    NEGATIVE(Verdict.UNFIT, Verdict.UNFIT, (own, h) -> h.token(-token(own))),
    LOWEST(Verdict.UNFIT, Verdict.UNFIT, (own, h) -> h.token(Long.MIN_VALUE)),
    NEGATIVE_AS_TEXT(Verdict.UNFIT, Verdict.UNFIT, (own, h) -> h.token("-7")),
    OVERFLOWING(Verdict.UNFIT, Verdict.UNFIT, (own, h) -> h.token("9223372036854775808")),
    OVERFLOWING_TO_OWN(Verdict.UNFIT, Verdict.UNFIT, (own, h) -> h.token(wrappedAround(own))),
    NOT_A_NUMBER(Verdict.UNFIT, Verdict.UNFIT, (own, h) -> h.token("seven")),
    FRACTION(Verdict.UNFIT, Verdict.UNFIT, (own, h) -> h.token(token(own) + 0.5)),

    OTHER_LEASE(Verdict.UNFIT, Verdict.UNFIT, (own, h) -> h.lease("other")),
    NO_LEASE(Verdict.UNFIT, Verdict.UNFIT, (own, h) -> h.lease(Headers.MISSING)),
    NOTHING(Verdict.UNFIT, Verdict.UNFIT, (own, h) -> h.lease(Headers.MISSING)
            .token(Headers.MISSING)
            .nonce(Headers.MISSING));

    /** What a receiver does. */
    enum Verdict {
        ADMITTED,
        STALE,
        DROPPED,
        /** No tenure at all. */
        UNFIT
    }

    /** By a receiver that only compares. A higher token is believed: that is why it can verify. */
    final Verdict unverified;

    /** By one with {@code fence.verify=true}. */
    final Verdict verified;

    private final BiConsumer<Tenure, Headers> forge;

    Forgery(Verdict unverified, Verdict verified, BiConsumer<Tenure, Headers> forge) {
        this.unverified = unverified;
        this.verified = verified;
        this.forge = forge;
    }

    /** Those of this tenure, but for what is forged; {@link Headers#MISSING} for one to be taken away. */
    Map<String, Object> headers(Tenure own) {
        Headers headers = new Headers(new HashMap<>())
                .lease(own.lease().value())
                .token(token(own))
                .nonce(own.nonce());
        forge.accept(own, headers);
        return headers.all();
    }

    private static long token(Tenure own) {
        return own.token().value();
    }

    /** 2^64 more. */
    private static String wrappedAround(Tenure own) {
        return BigInteger.ONE.shiftLeft(64).add(BigInteger.valueOf(token(own))).toString();
    }

    record Headers(Map<String, Object> all) {

        static final String MISSING = "missing";

        Headers lease(String lease) {
            all.put(FencingHeaders.LEASE, lease);
            return this;
        }

        Headers token(Object token) {
            all.put(FencingHeaders.TOKEN, token);
            return this;
        }

        Headers nonce(String nonce) {
            all.put(FencingHeaders.NONCE, nonce);
            return this;
        }
    }
}
