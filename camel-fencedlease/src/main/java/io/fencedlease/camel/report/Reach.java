package io.fencedlease.camel.report;

import io.fencedlease.camel.report.Classifier.Verdict;
import io.fencedlease.camel.report.Step.Send;
import io.fencedlease.lease.LeaseName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.camel.model.RouteDefinition;

/** Follows one leased route from hop to hop. Used once. */
final class Reach {

    private final Function<RouteDefinition, List<Step>> steps;
    private final SinkRules rules;
    private final LeasedUri.Cutter cutter;
    private final Classifier classifier;
    private final Hops hops;
    private final LeaseName lease;
    private final String start;
    private final Deque<Visit> open = new ArrayDeque<>();
    private final Set<RouteDefinition> seen = new HashSet<>();
    private final List<ReachedSink> sinks = new ArrayList<>();

    private record Visit(RouteDefinition route, List<String> via) {}

    Reach(
            Function<RouteDefinition, List<Step>> steps,
            SinkRules rules,
            LeasedUri.Cutter cutter,
            Hops hops,
            LeaseName lease,
            String start) {
        this.steps = steps;
        this.rules = rules;
        this.cutter = cutter;
        this.classifier = new Classifier(rules, cutter);
        this.hops = hops;
        this.lease = lease;
        this.start = start;
    }

    List<ReachedSink> sinks(RouteDefinition leased) {
        go(leased, List.of());
        while (!open.isEmpty()) {
            Visit visit = open.remove();
            input(visit);
            for (Step step : steps.apply(visit.route())) {
                take(visit, step);
            }
        }
        return sinks;
    }

    private void go(RouteDefinition route, List<String> via) {
        if (seen.add(route)) {
            open.add(new Visit(route, via));
        }
    }

    private void input(Visit visit) {
        EndpointText source = delegate(EndpointText.fixed(hops.input(visit.route())));
        Rule rule = rules.from(source.scheme()).with(source.options());
        if (rule.kind() != SinkClass.INTERNAL) {
            add(visit, "from", rule.kind(), source.shown(), source.text(), rule.note());
        }
        // the other half of a source Kamelet
        follow(visit, hops.kamelets(source));
    }

    private void take(Visit visit, Step step) {
        Verdict verdict = classifier.verdict(step, lease);
        if (!(step instanceof Send send)) {
            add(visit, step.node(), verdict.kind(), Classifier.what(step), "", verdict.note());
            return;
        }
        EndpointText target = delegate(send.target());
        if (hops.isOuterEnd(target)) {
            return;
        }
        Optional<List<RouteDefinition>> next = next(target);
        next.ifPresent(routes -> follow(visit, routes));
        boolean plain = target == send.target();
        if (plain && next.isPresent()) {
            if (next.get().isEmpty()) {
                SinkClass kind = rules.to(target.scheme()).otherwise();
                String nobody = kind.isOpen() ? "no route of this context consumes from it" : "";
                add(visit, step.node(), kind, target.shown(), "", nobody);
            }
            return;
        }
        add(
                visit,
                step.node(),
                verdict.kind(),
                send.target().shown(),
                send.target().evaluated() ? "" : send.target().text(),
                verdict.note());
    }

    /** The routes behind a hop; empty if it is none. */
    private Optional<List<RouteDefinition>> next(EndpointText target) {
        if (target.dynamic()) {
            return Optional.empty();
        }
        if (!rules.to(target.scheme()).hop()) {
            return Optional.empty();
        }
        return Optional.of(target.scheme().equals(Hops.KAMELET) ? hops.kamelets(target) : hops.consumers(target));
    }

    private EndpointText delegate(EndpointText text) {
        return cutter.cut(text.text())
                .map(leased -> text.dynamic()
                        ? EndpointText.evaluated(leased.delegate())
                        : EndpointText.fixed(leased.delegate()))
                .orElse(text);
    }

    private void follow(Visit visit, List<RouteDefinition> routes) {
        for (RouteDefinition route : routes) {
            go(
                    route,
                    Stream.concat(visit.via().stream(), Stream.of(route.getId()))
                            .toList());
        }
    }

    private void add(Visit visit, String node, SinkClass kind, String what, String uri, String note) {
        sinks.add(new ReachedSink(new ReportedSink(kind, what, start, visit.via(), node, note), uri));
    }
}
