package io.fencedlease.simulation;

import io.fencedlease.lease.Tenure;
import io.fencedlease.lease.Ticker.Tick;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What happened to leases, nodes, fences and the service, in order; simulated or recorded from real processes.
 * Thread-safe.
 */
public final class History {

    /** What happened; in brackets what the event has besides its time. */
    public enum Kind {
        /** A node is about to ask for the next tenure (node, lease). Before the call. */
        ASKED,
        /** A node asks no more, without having got it (node, lease). */
        WITHDRAWN,
        /** The service gave the lease away (node, tenure). Only where the service's own order is known. */
        GRANTED,
        /** A raise hook begins (node, tenure, what = resource). */
        RAISE_BEGUN,
        /** The mark is lifted (node, tenure, what = resource). */
        RAISED,
        /** The fence refused: higher mark, or an equal one of another tenure (node, tenure, what = resource). */
        RAISE_REFUSED,
        /** Outcome unknown; the mark may be lifted (node, tenure, what = resource). */
        RAISE_FAILED,
        /** The node got the tenure (node, tenure). */
        GAINED,
        /** The node looked at its clocks and believed (node, tenure, clocks). */
        BELIEVED,
        /** A renewal or opening was answered well (node, what = session, clocks of before it was asked). */
        SESSION_PROVED,
        /** An acquisition or read showed the tenure's own entry (node, tenure, what = session, clocks as above). */
        LEASE_PROVED,
        /** The node was told the end of its tenure (node, tenure, what = kind of the loss reason). */
        LOST,
        /** A planned stop begins: work is to end while the lease is still held (node, tenure). */
        PLANNED,
        /** A loss reached the work, which is to stop (node, tenure). */
        STOP_TOLD,
        /** Nothing of the tenure runs any more (node, tenure). */
        STOPPED,
        /** The node closes its lease (node, tenure). Before the call. */
        CLOSED,
        /** A write took effect (node, tenure, what = resource). */
        WRITE_ACCEPTED,
        /** A fence refused a write (node, tenure, what = resource). */
        WRITE_REFUSED,
        /** By the service (what = session). */
        SESSION_OPENED,
        /** By the service: destroyed or expired (what = session). */
        SESSION_ENDED,
        /** The service's counter went backwards: no order of tokens from here. */
        REWOUND,
        /** The process is gone for good; it is told nothing any more (node). */
        NODE_KILLED,
        /** Something is broken from here (node or "", what = which fault). */
        FAULT_BEGUN,
        /** The same is mended (node or "", what = which fault). */
        FAULT_ENDED,
        /** All nodes were closed in order and the service had its time: nothing may be left open. */
        ENDED
    }

    /**
     * One event.
     *
     * @param from the earliest moment it may have taken effect, in nanoseconds of one clock for all nodes: the simulated
     *     true time, or one machine's wall clock
     * @param at the latest; equal if the moment is known. Of two events one is before the other if its {@code at} is
     *     before the other's {@code from}; events of known and equal moments are in the order of the list.
     * @param clocks the node's own clocks, where the kind asks for them
     */
    public record Event(
            long from,
            long at,
            Kind kind,
            String node,
            String lease,
            long token,
            String nonce,
            String what,
            @Nullable Tick clocks) {

        boolean isInstant() {
            return from == at;
        }

        Tick ownClocks() {
            return Objects.requireNonNull(clocks, () -> "no clocks: " + this);
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(String.format("%14.6f s  %-14s", at / 1e9, kind));
            if (!isInstant()) {
                text.append(String.format(" (from %.6f)", from / 1e9));
            }
            append(text, node);
            append(text, lease);
            append(text, token == 0 ? "" : "token " + token);
            append(text, nonce.isEmpty() ? "" : "nonce " + nonce.substring(0, Math.min(6, nonce.length())));
            append(text, what);
            return text.toString();
        }

        private static void append(StringBuilder text, String part) {
            if (!part.isEmpty()) {
                text.append("  ").append(part);
            }
        }
    }

    private final List<Event> events = new ArrayList<>();

    public synchronized void add(Event event) {
        events.add(event);
    }

    /** An event of a node with no tenure; node may be empty. */
    public void add(long at, Kind kind, String node, String lease, String what) {
        add(new Event(at, at, kind, node, lease, 0, "", what, null));
    }

    /** An event of a node's tenure at a known moment. */
    public void add(long at, Kind kind, String node, Tenure tenure, String what) {
        add(at, at, kind, node, tenure, what);
    }

    /** An event of a node's tenure between two moments. */
    public void add(long from, long at, Kind kind, String node, Tenure tenure, String what) {
        add(from, at, kind, node, tenure, what, null);
    }

    /** With the node's own clocks. */
    public void add(long from, long at, Kind kind, String node, Tenure tenure, String what, @Nullable Tick clocks) {
        add(new Event(
                from, at, kind, node, tenure.lease().value(), tenure.token().value(), tenure.nonce(), what, clocks));
    }

    /** All events, by the latest moment they may have taken effect; those of one moment as they were added. */
    public synchronized List<Event> events() {
        List<Event> sorted = new ArrayList<>(events);
        sorted.sort(Comparator.comparingLong(Event::at));
        return sorted;
    }
}
