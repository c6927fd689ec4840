package io.fencedlease.camel.report;

import io.fencedlease.camel.report.Step.Code;
import io.fencedlease.camel.report.Step.Keep;
import io.fencedlease.camel.report.Step.Poll;
import io.fencedlease.camel.report.Step.Send;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.camel.CamelContext;
import org.apache.camel.ErrorHandlerFactory;
import org.apache.camel.model.CatchDefinition;
import org.apache.camel.model.ChoiceDefinition;
import org.apache.camel.model.CircuitBreakerDefinition;
import org.apache.camel.model.DynamicRouterDefinition;
import org.apache.camel.model.EndpointRequiredDefinition;
import org.apache.camel.model.EnrichDefinition;
import org.apache.camel.model.ExpressionNode;
import org.apache.camel.model.FinallyDefinition;
import org.apache.camel.model.IdempotentConsumerDefinition;
import org.apache.camel.model.InterceptSendToEndpointDefinition;
import org.apache.camel.model.KameletDefinition;
import org.apache.camel.model.PollDefinition;
import org.apache.camel.model.PollEnrichDefinition;
import org.apache.camel.model.ProcessorDefinition;
import org.apache.camel.model.RecipientListDefinition;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.model.RoutingSlipDefinition;
import org.apache.camel.model.SagaActionUriDefinition;
import org.apache.camel.model.SagaDefinition;
import org.apache.camel.model.ScriptDefinition;
import org.apache.camel.model.ThreadsDefinition;
import org.apache.camel.model.ToDynamicDefinition;
import org.apache.camel.model.WhenDefinition;
import org.apache.camel.model.WireTapDefinition;
import org.apache.camel.model.language.ExpressionDefinition;
import org.jspecify.annotations.Nullable;

/** Finds the {@link Step}s of one route in its model, with what Camel has merged into it: interceptors, error handlers. */
final class RouteSteps {

    private final CamelContext context;
    private final LeasedUri.Cutter cutter;
    private final RouteTexts texts;
    private final List<Step> steps = new ArrayList<>();
    private Set<String> guarded = Set.of();
    private boolean goesOn;

    private RouteSteps(CamelContext context, LeasedUri.Cutter cutter, RouteTexts texts) {
        this.context = context;
        this.cutter = cutter;
        this.texts = texts;
    }

    /** @param vanished what was taken out of the model when the route was created */
    static List<Step> of(
            CamelContext context,
            LeasedUri.Cutter cutter,
            RouteDefinition route,
            List<ProcessorDefinition<?>> vanished) {
        RouteSteps found = new RouteSteps(context, cutter, new RouteTexts(context, route));
        found.goesOn = Outputs.within(route.getOutputs()).anyMatch(Guards::continuesAfterErrors);
        found.source(route);
        found.walk(
                vanished.stream()
                        .filter(gone -> !route.getOutputs().contains(gone))
                        .toList(),
                false);
        found.walk(route.getOutputs(), true);
        ErrorHandlers.of(context, found.texts, route).ifPresent(found::handler);
        return found.steps;
    }

    private void source(RouteDefinition route) {
        if (route.getInput() != null && route.getInput().getEndpointUri() != null) {
            String uri = texts.uri(route.getInput().getEndpointUri());
            EndpointText source =
                    EndpointText.fixed(cutter.cut(uri).map(LeasedUri::delegate).orElse(uri));
            steps.addAll(Repositories.of(context, "from", source));
        }
    }

    private void handler(ErrorHandlerFactory handler) {
        ErrorHandlers.deadLetterUri(handler).ifPresent(uri -> fixed("deadLetterChannel", uri));
        steps.addAll(ErrorHandlers.code(handler));
    }

    private void walk(List<ProcessorDefinition<?>> outputs, boolean inOrder) {
        Set<String> before = guarded;
        for (ProcessorDefinition<?> output : outputs) {
            if (!texts.isTrue(output.getDisabled())) {
                Set<String> outside = guarded;
                if (output instanceof CatchDefinition || output instanceof FinallyDefinition) {
                    guarded = before; // the guard in the doTry may not have been reached
                }
                step(output);
                guarded = output instanceof ThreadsDefinition ? Set.of() : outside;
                if (inOrder && !goesOn) {
                    Guards.dataSource(output, texts, cutter).ifPresent(this::guardedFromHere);
                }
            }
        }
        guarded = before;
    }

    private void step(ProcessorDefinition<?> definition) {
        Set<String> inside = Guards.inside(definition, guarded, texts);
        if (definition instanceof RecipientListDefinition || definition instanceof CircuitBreakerDefinition) {
            guarded = inside; // its targets are inside of it too
        } else if (definition instanceof WireTapDefinition) {
            guarded = Set.of();
        }
        visit(definition, node(definition));
        guarded = inside;
        if (definition instanceof ChoiceDefinition choice) {
            ways(choice);
        } else {
            walk(Outputs.of(definition), Guards.inOrder(definition, texts));
        }
    }

    /** Its outputs by themselves are those of all ways in one list. */
    private void ways(ChoiceDefinition choice) {
        for (WhenDefinition when : choice.getWhenClauses()) {
            if (!texts.isTrue(when.getDisabled())) {
                walk(when.getOutputs(), true);
            }
        }
        if (choice.getOtherwise() != null && !texts.isTrue(choice.getOtherwise().getDisabled())) {
            walk(choice.getOtherwise().getOutputs(), true);
        }
    }

    private void guardedFromHere(String dataSource) {
        Set<String> more = new HashSet<>(guarded);
        more.add(dataSource);
        guarded = more;
    }

    private static String node(ProcessorDefinition<?> definition) {
        return definition.getId() == null ? definition.getShortName() : definition.getId();
    }

    private void visit(ProcessorDefinition<?> definition, String node) {
        if (definition instanceof WireTapDefinition<?> tap && "false".equals(tap.getDynamicUri())) {
            fixed(node, tap.getUri());
        } else if (definition instanceof ToDynamicDefinition dynamic) {
            steps.add(new Send(node, EndpointText.evaluated(texts.uri(uri(dynamic))), false));
        } else if (definition instanceof PollDefinition poll) {
            poll(node, EndpointText.evaluated(texts.uri(poll.getEndpointUri())));
        } else if (definition instanceof EndpointRequiredDefinition endpoint) {
            fixed(node, endpoint.getEndpointUri());
        } else if (definition instanceof KameletDefinition kamelet) {
            fixed(node, "kamelet:" + kamelet.getName());
        } else if (definition instanceof ExpressionNode expression) {
            byExpression(expression, node);
        } else {
            other(definition, node);
        }
    }

    private static String uri(ToDynamicDefinition dynamic) {
        return dynamic.getUri() == null ? dynamic.getEndpointProducerBuilder().getRawUri() : dynamic.getUri();
    }

    private void fixed(String node, @Nullable String uri) {
        if (uri != null) {
            EndpointText target = EndpointText.fixed(texts.uri(uri));
            steps.add(new Send(node, target, Guards.cover(guarded, target)));
        }
    }

    private void poll(String node, EndpointText source) {
        steps.add(new Poll(node, source));
        steps.addAll(Repositories.of(context, node, source));
    }

    private void byExpression(ExpressionNode definition, String node) {
        ExpressionDefinition expression = definition.getExpression();
        if (definition instanceof EnrichDefinition) {
            steps.add(new Send(node, target(expression), false));
        } else if (definition instanceof PollEnrichDefinition) {
            poll(node, target(expression));
        } else if (definition instanceof RecipientListDefinition<?> list) {
            targets(node, expression, list.getDelimiter());
        } else if (definition instanceof RoutingSlipDefinition<?> slip) {
            targets(node, expression, slip.getUriDelimiter());
        } else if (definition instanceof DynamicRouterDefinition<?> router) {
            targets(node, expression, router.getUriDelimiter());
        } else if (definition instanceof ScriptDefinition) {
            steps.add(new Code(node, "script " + expression.getLanguage()));
        } else if (definition instanceof IdempotentConsumerDefinition idempotent) {
            steps.add(new Keep(node, Repositories.of(context, texts, idempotent)));
        }
    }

    private EndpointText target(ExpressionDefinition expression) {
        String text = text(expression);
        boolean constant = "constant".equals(expression.getLanguage());
        if (constant || "simple".equals(expression.getLanguage())) {
            return constant ? EndpointText.fixed(texts.uri(text)) : EndpointText.evaluated(texts.uri(text));
        }
        return EndpointText.evaluated("${" + expression.getLanguage() + ": " + text + "}");
    }

    /** An expression may bring delimiters with it, so that a list is known if it is constant, or not at all. */
    private void targets(String node, ExpressionDefinition expression, @Nullable String delimiter) {
        String text = texts.resolved(text(expression));
        boolean constant = "constant".equals(expression.getLanguage())
                || "simple".equals(expression.getLanguage()) && !text.contains("${") && !text.contains("$simple{");
        if (!constant) {
            steps.add(
                    new Send(node, EndpointText.evaluated("${" + expression.getLanguage() + ": " + text + "}"), false));
            return;
        }
        for (String target : text.split(Pattern.quote(delimiter == null ? "," : delimiter))) {
            fixed(node, target.strip());
        }
    }

    private static String text(ExpressionDefinition expression) {
        return expression.getExpression() == null ? String.valueOf(expression) : expression.getExpression();
    }

    private void other(ProcessorDefinition<?> definition, String node) {
        if (definition instanceof SagaDefinition saga) {
            saga(node, saga.getCompensation());
            saga(node, saga.getCompletion());
        } else if (definition instanceof InterceptSendToEndpointDefinition intercept) {
            fixed(node, intercept.getAfterUri());
        } else {
            steps.addAll(CodeSteps.of(definition, node));
        }
    }

    private void saga(String node, @Nullable SagaActionUriDefinition action) {
        if (action != null) {
            fixed(node, action.getEndpointUri());
        }
    }
}
