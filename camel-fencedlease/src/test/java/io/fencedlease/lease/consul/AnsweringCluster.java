package io.fencedlease.lease.consul;

/** Three servers without ACLs; {@link #manager()} asks one that does not lead, and goes on asking it. */
interface AnsweringCluster extends AnsweringConsul {

    /** The one that is asked leads after all. */
    boolean asksLeader();

    /** The others elect another one. */
    void killLeader();

    /** Only the one that is asked is left. */
    void loseQuorum();

    /** All servers that were killed are there again. */
    void regainQuorum();

    /** All servers with nothing: another cluster at the same place. */
    void wipe();

    /** For {@link #restore}. */
    void snapshot();

    /** What the last snapshot kept. */
    void restore();
}
