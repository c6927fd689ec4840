package io.fencedlease.lease.consul;

import io.fencedlease.lease.LeaseName;
import java.util.Optional;

/** Where a lease is in Consul's key space. Lease names and prefix hold only characters that need no escaping. */
record ConsulKeys(String prefix) {

    /** Parent of everything; its folders are few whatever the number of leases. */
    String root() {
        return prefix + "/";
    }

    String leases() {
        return prefix + "/leases/";
    }

    String lease(LeaseName lease) {
        return leases() + lease;
    }

    String generation(LeaseName lease) {
        return prefix + "/generation/" + lease;
    }

    /** The name of the lease that this key is, if it is one. */
    Optional<String> leaseOf(String key) {
        return key.startsWith(leases()) ? Optional.of(key.substring(leases().length())) : Optional.empty();
    }
}
