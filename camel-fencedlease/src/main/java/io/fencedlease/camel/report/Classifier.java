package io.fencedlease.camel.report;

import io.fencedlease.camel.report.Step.Code;
import io.fencedlease.camel.report.Step.Keep;
import io.fencedlease.camel.report.Step.Poll;
import io.fencedlease.camel.report.Step.Send;
import io.fencedlease.lease.LeaseName;
import java.util.Map;
import java.util.Optional;

/** Classes single steps. Immutable. */
final class Classifier {

    private final SinkRules rules;
    private final LeasedUri.Cutter cutter;

    /** A class and why. */
    record Verdict(SinkClass kind, String note) {}

    Classifier(SinkRules rules, LeasedUri.Cutter cutter) {
        this.rules = rules;
        this.cutter = cutter;
    }

    Verdict verdict(Step step, LeaseName lease) {
        if (step instanceof Send send) {
            return send.guarded()
                    ? new Verdict(SinkClass.FENCED, "by the guard in its transaction")
                    : ofProducer(send.target(), lease);
        }
        if (step instanceof Poll poll) {
            return ofPoll(poll.source());
        }
        if (step instanceof Keep keep) {
            return ofRepository(keep.repository());
        }
        return new Verdict(SinkClass.OPAQUE, "look yourself");
    }

    static String what(Step step) {
        if (step instanceof Send send) {
            return send.target().shown();
        }
        if (step instanceof Poll poll) {
            return "poll of " + poll.source().shown();
        }
        if (step instanceof Keep keep) {
            return "repository "
                    + (keep.repository() instanceof String name
                            ? name
                            : keep.repository().getClass().getName());
        }
        return ((Code) step).what();
    }

    private Verdict ofProducer(EndpointText target, LeaseName lease) {
        Optional<LeasedUri> leased = cutter.cut(target.text());
        if (leased.isPresent()) {
            return target.evaluated() && !acceptedWhereverItGoes(leased.get())
                    ? new Verdict(
                            SinkClass.UNKNOWN, "an expression may bring options of the fence with it: write it down")
                    : ofFence(leased.get(), lease);
        }
        Rule rule = rules.to(target.scheme());
        if (target.scheme().isEmpty() || target.scheme().equals("fencedlease") || rule.hop() && target.dynamic()) {
            return new Verdict(SinkClass.UNKNOWN, "give it a constant scheme, or write down the targets one by one");
        }
        return verdict(target.evaluated() ? rule : rule.with(target.options()));
    }

    private static Verdict verdict(Rule rule) {
        return new Verdict(rule.kind(), rule.note());
    }

    /** Nothing that an expression brings makes it worse than what is written down, unless another route is behind it. */
    private boolean acceptedWhereverItGoes(LeasedUri uri) {
        String reason = uri.fence().get("acceptRisk");
        String scheme = EndpointText.evaluated(uri.delegate()).scheme();
        return reason != null
                && !EndpointText.evaluates(reason)
                && !scheme.isEmpty()
                && !rules.to(scheme).hop();
    }

    private static Verdict ofFence(LeasedUri uri, LeaseName lease) {
        Map<String, String> fence = uri.fence();
        if (!uri.lease().equals(lease)) {
            return new Verdict(SinkClass.FENCED, "by lease '" + uri.lease() + "': it refuses what comes from here");
        }
        if (fence.containsKey("acceptRisk")) {
            return new Verdict(SinkClass.ACCEPTED_RISK, fence.get("acceptRisk"));
        }
        if (fence.containsKey("idempotencyKey")) {
            return new Verdict(
                    SinkClass.IDEMPOTENT, "as far as the receiver drops repeats by " + fence.get("idempotencyKey"));
        }
        if ("receiver".equals(fence.get("mode"))) {
            return new Verdict(
                    SinkClass.INTERNAL, "compares what it has heard; fences nothing before a later tenure wrote");
        }
        return "row".equals(fence.get("mode"))
                ? new Verdict(SinkClass.ROW_TOKEN, "fence.mode=row")
                : new Verdict(SinkClass.FENCED, "");
    }

    private Verdict ofPoll(EndpointText source) {
        if (source.scheme().isEmpty()) {
            return new Verdict(SinkClass.UNKNOWN, "give it a constant scheme");
        }
        Rule rule = rules.from(source.scheme());
        Rule known = source.evaluated() ? rule : rule.with(source.options());
        return known.kind() == SinkClass.AFTER_EFFECT ? new Verdict(SinkClass.UNFENCED, known.note()) : verdict(known);
    }

    private Verdict ofRepository(Object repository) {
        if (repository instanceof String) {
            return new Verdict(SinkClass.UNKNOWN, "no such bean yet");
        }
        return verdict(rules.repository(repository.getClass()));
    }
}
