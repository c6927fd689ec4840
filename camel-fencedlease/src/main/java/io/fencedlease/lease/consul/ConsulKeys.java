package io.fencedlease.lease.consul;

import io.fencedlease.lease.LeaseName;

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

    String mark(LeaseName lease) {
        return prefix + "/mark/" + lease;
    }

    String generation(LeaseName lease) {
        return prefix + "/generation/" + lease;
    }
}
