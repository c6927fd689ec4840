package io.fencedlease.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** The examples of a page, as written there. */
final class Readme {

    private final String text;

    Readme() {
        this("README.md");
    }

    Readme(String page) {
        try {
            text = Files.readString(Path.of("..", page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String text() {
        return text;
    }

    /** The fenced code blocks of a language, in order. */
    List<String> blocks(String language) {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** Compiles a block that is a whole class and loads it. */
    Class<?> compile(String block, Path folder) throws Exception {
        String name = block.replaceFirst("(?s).*?public class (\\w+).*", "$1");
        Path source = Files.writeString(folder.resolve(name + ".java"), block);
        int outcome = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-classpath",
                        System.getProperty("java.class.path"),
                        "-d",
                        folder.toString(),
                        source.toString());
        if (outcome != 0) {
            throw new IllegalStateException("README: " + name + " does not compile");
        }
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader()).loadClass(name);
    }
}
