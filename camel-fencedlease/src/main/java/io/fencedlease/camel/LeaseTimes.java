package io.fencedlease.camel;

import io.fencedlease.lease.SettingRefusedException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.Metadata;
import org.apache.camel.support.DefaultComponent;

/** The component's options that are times. In milliseconds; what is not set follows from the TTL. */
public abstract class LeaseTimes extends DefaultComponent {

    @Metadata(
            javaType = "java.time.Duration",
            label = "lease",
            description =
                    "How long the service keeps a session that is not renewed (30s); what else is not set follows")
    private long ttl;

    @Metadata(javaType = "java.time.Duration", label = "lease", description = "Between two renewals; TTL/6")
    private long renewalInterval;

    @Metadata(
            javaType = "java.time.Duration",
            label = "lease",
            description = "Limit of one call to the service; TTL/15")
    private long attemptLimit;

    @Metadata(
            javaType = "java.time.Duration",
            label = "lease",
            description =
                    "How long stopping may take after a loss; belief in the lease ends this much before the TTL; TTL/10")
    private long lossStopTimeout;

    @Metadata(
            javaType = "java.time.Duration",
            label = "lease",
            description = "How long a lease stays shut after its session ended without release; TTL/3")
    private long lockDelay;

    @Metadata(
            javaType = "java.time.Duration",
            label = "lease",
            description =
                    "How long fences may take to be raised and routes to start before the lease is given back; 30s")
    private long startTimeout;

    @Metadata(
            javaType = "java.time.Duration",
            label = "lease",
            description =
                    "How long a planned stop waits for work in flight before it ends the tenure; Camel's shutdown timeout")
    private long drainTimeout;

    LeaseTimes() {}

    LeaseTimes(CamelContext context) {
        super(context);
    }

    /** The times set here, as options that endpoints may override. */
    LeaseOptions leaseOptions() {
        Map<String, Duration> given = new LinkedHashMap<>();
        long[] millis = {ttl, renewalInterval, attemptLimit, lossStopTimeout, lockDelay, startTimeout, drainTimeout};
        for (int i = 0; i < millis.length; i++) {
            if (millis[i] != 0) {
                given.put(LeaseOptions.NAMES.get(i), Duration.ofMillis(millis[i]));
            }
        }
        return new LeaseOptions(Map.copyOf(given));
    }

    /** What is not set stays 0; to set it to 0 would be to repair a mistake silently. */
    static long aboveZero(String option, long millis) {
        if (millis <= 0) {
            // Camel makes 0 of a text that it cannot read
            throw new SettingRefusedException(
                    "*",
                    option,
                    millis == 0 ? "0, or a text that is no duration" : millis + "ms",
                    "a duration above 0 such as 10s, 2m or 500 (milliseconds)");
        }
        return millis;
    }

    public long getTtl() {
        return ttl;
    }

    public void setTtl(long ttl) {
        this.ttl = aboveZero("ttl", ttl);
    }

    public long getRenewalInterval() {
        return renewalInterval;
    }

    public void setRenewalInterval(long renewalInterval) {
        this.renewalInterval = aboveZero("renewalInterval", renewalInterval);
    }

    public long getAttemptLimit() {
        return attemptLimit;
    }

    public void setAttemptLimit(long attemptLimit) {
        this.attemptLimit = aboveZero("attemptLimit", attemptLimit);
    }

    public long getLossStopTimeout() {
        return lossStopTimeout;
    }

    public void setLossStopTimeout(long lossStopTimeout) {
        this.lossStopTimeout = aboveZero("lossStopTimeout", lossStopTimeout);
    }

    public long getLockDelay() {
        return lockDelay;
    }

    public void setLockDelay(long lockDelay) {
        this.lockDelay = aboveZero("lockDelay", lockDelay);
    }

    public long getStartTimeout() {
        return startTimeout;
    }

    public void setStartTimeout(long startTimeout) {
        this.startTimeout = aboveZero("startTimeout", startTimeout);
    }

    public long getDrainTimeout() {
        return drainTimeout;
    }

    public void setDrainTimeout(long drainTimeout) {
        this.drainTimeout = aboveZero("drainTimeout", drainTimeout);
    }
}
