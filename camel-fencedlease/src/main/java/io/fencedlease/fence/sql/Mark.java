package io.fencedlease.fence.sql;

import io.fencedlease.fence.FencedOutException;
import io.fencedlease.lease.Tenure;

/** What the database remembers of the latest raise; token 0 if there was none. */
record Mark(long token, String nonce) {

    static final Mark NONE = new Mark(0, "");

    boolean isOf(Tenure tenure) {
        return token == tenure.token().value() && nonce.equals(tenure.nonce());
    }

    /** @throws FencedOutException unless it is this tenure's, token and nonce */
    void require(Tenure own, String resource) {
        if (!isOf(own)) {
            throw new FencedOutException(resource, own, token);
        }
    }
}
