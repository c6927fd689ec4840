package io.fencedlease.lease.consul;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an ACL token may do.
 *
 * @param sessions with sessions, of any node: {@code read}, {@code write} or empty
 * @param keys the same for the keys of a prefix; the longest prefix counts
 */
public record SimulatedRights(String sessions, Map<String, String> keys) {

    static final SimulatedRights ALL = new SimulatedRights("write", Map.of("", "write"));
    static final SimulatedRights NONE = new SimulatedRights("", Map.of());

    boolean readsSessions() {
        return !sessions.isEmpty();
    }

    boolean writesSessions() {
        return sessions.equals("write");
    }

    boolean reads(String key) {
        return !policy(key).isEmpty();
    }

    boolean writes(String key) {
        return policy(key).equals("write");
    }

    private String policy(String key) {
        String longest = null;
        for (String prefix : keys.keySet()) {
            if (key.startsWith(prefix) && (longest == null || prefix.length() > longest.length())) {
                longest = prefix;
            }
        }
        return longest == null ? "" : keys.getOrDefault(longest, "");
    }

    public static SimulatedRights sessions(String policy) {
        return new SimulatedRights(policy, Map.of());
    }

    public SimulatedRights andKeys(String prefix, String policy) {
        Map<String, String> more = new LinkedHashMap<>(keys);
        more.put(prefix, policy);
        return new SimulatedRights(sessions, more);
    }

    /** The same in Consul's own language. */
    String rules() {
        StringBuilder rules = new StringBuilder();
        if (!sessions.isEmpty()) {
            rules.append("session_prefix \"\" { policy = \"").append(sessions).append("\" } ");
        }
        keys.forEach((prefix, policy) -> rules.append("key_prefix \"")
                .append(prefix)
                .append("\" { policy = \"")
                .append(policy)
                .append("\" } "));
        return rules.toString();
    }
}
