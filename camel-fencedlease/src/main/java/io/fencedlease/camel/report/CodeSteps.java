package io.fencedlease.camel.report;

import io.fencedlease.camel.report.Step.Code;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.camel.model.BeanDefinition;
import org.apache.camel.model.OnExceptionDefinition;
import org.apache.camel.model.ProcessDefinition;
import org.apache.camel.model.ProcessorDefinition;
import org.apache.camel.model.ResumableDefinition;
import org.jspecify.annotations.Nullable;

/** The code that a step of a model names. */
final class CodeSteps {

    private static final String MODEL = "org.apache.camel.";

    private CodeSteps() {}

    static List<Code> of(ProcessorDefinition<?> definition, String node) {
        if (definition instanceof ProcessDefinition process) {
            return process.getProcessor() instanceof WritesNothing
                    ? List.of()
                    : processors(node, name(process.getProcessor(), process.getRef()));
        }
        if (definition instanceof BeanDefinition bean) {
            String ref = bean.getRef() == null ? bean.getBeanType() : bean.getRef();
            Object known = bean.getBean() == null ? bean.getBeanClass() : bean.getBean();
            return List.of(new Code(node, "bean " + name(known, ref)));
        }
        if (definition instanceof OnExceptionDefinition handler) {
            return processors(
                    node,
                    name(handler.getOnRedelivery(), handler.getOnRedeliveryRef()),
                    name(handler.getOnExceptionOccurred(), handler.getOnExceptionOccurredRef()));
        }
        if (definition instanceof ResumableDefinition) {
            return List.of(new Code(node, "resume strategy"));
        }
        return definition.getClass().getName().startsWith(MODEL)
                ? List.of()
                : List.of(new Code(node, definition.getClass().getName()));
    }

    /** @param names null where there is none */
    static List<Code> processors(String node, @Nullable String... names) {
        return Stream.of(names)
                .filter(Objects::nonNull)
                .map(name -> new Code(node, "processor " + name))
                .toList();
    }

    static @Nullable String name(@Nullable Object bean, @Nullable String ref) {
        if (ref != null || bean == null) {
            return ref;
        }
        return bean instanceof Class<?> type ? type.getName() : bean.getClass().getName();
    }
}
