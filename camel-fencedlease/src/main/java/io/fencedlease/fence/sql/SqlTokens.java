package io.fencedlease.fence.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tokens of a statement that every supported database reads in the same way. What they read differently (backslashes
 * in literals, dollar quotes, nested or executable comments) is refused, not guessed.
 */
final class SqlTokens {

    private static final Pattern BLANK =
            Pattern.compile("\\s+|--(?=\\s|$)[^\\n]*|/\\*(?![!+M])(?:(?!/\\*|\\*/).)*\\*/", Pattern.DOTALL);
    private static final Pattern LITERAL = Pattern.compile("'(?:[^'\\\\]|'')*'");
    private static final Pattern QUOTED = Pattern.compile("\"[^\"\\\\]+\"|`[^`\\\\]+`");
    private static final Pattern PARAMETER =
            Pattern.compile(":[#?](?:[$](?:simple)?[{][^{}]*[}]|(?:in:)?[A-Za-z_][A-Za-z0-9_.]*)");
    private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+(?:[.][0-9]*)?");
    private static final Pattern SYMBOL = Pattern.compile("<=|>=|<>|!=|::|\\|\\||&&|->>?|[-+*/%=<>(),.;|&\\[\\]^~@]");

    private static final Set<String> KEYWORDS = Set.of(
            "UPDATE",
            "SET",
            "FROM",
            "WHERE",
            "AND",
            "OR",
            "XOR",
            "BETWEEN",
            "CASE",
            "NOT",
            "ORDER",
            "LIMIT",
            "RETURNING");

    private static final List<Kind> KINDS = List.of(
            new Kind("literal", LITERAL),
            new Kind("quoted", QUOTED),
            new Kind("parameter", PARAMETER),
            new Kind("word", WORD),
            new Kind("number", NUMBER),
            new Kind("symbol", SYMBOL));

    private SqlTokens() {}

    /** @throws UnreadableException if the text can be read in more than one way, or not at all */
    static List<Token> of(String sql) throws UnreadableException {
        List<Token> tokens = new ArrayList<>();
        int depth = 0;
        int at = skip(sql, 0);
        while (at < sql.length()) {
            Token token = next(sql, at, depth);
            if (token.is("(")) {
                depth++;
            } else if (token.is(")") && --depth < 0) {
                throw new UnreadableException("a ) too many");
            }
            tokens.add(token);
            at = skip(sql, at + token.text.length());
        }
        if (depth != 0) {
            throw new UnreadableException("a ( without )");
        }
        return tokens;
    }

    private static Token next(String sql, int at, int depth) throws UnreadableException {
        if (sql.startsWith("--", at) || sql.startsWith("/*", at)) {
            throw new UnreadableException("a comment that databases read differently, at: " + rest(sql, at));
        }
        for (Kind kind : KINDS) {
            Matcher match = kind.pattern.matcher(sql).region(at, sql.length());
            if (match.lookingAt()) {
                return new Token(kind.name, match.group(), depth);
            }
        }
        throw new UnreadableException("text that databases read differently, at: " + rest(sql, at));
    }

    private static int skip(String sql, int from) {
        int at = from;
        Matcher blank = BLANK.matcher(sql);
        while (blank.region(at, sql.length()).lookingAt()) {
            at = blank.end();
        }
        return at;
    }

    private static String rest(String sql, int at) {
        return sql.substring(at, Math.min(sql.length(), at + 20));
    }

    private record Kind(String name, Pattern pattern) {}

    /** @param depth how many parentheses are open before it */
    record Token(String kind, String text, int depth) {

        /** A keyword or symbol, not the same text in quotes. */
        boolean is(String keyword) {
            return (kind.equals("word") || kind.equals("symbol")) && text.equalsIgnoreCase(keyword);
        }

        /** Keywords in upper case, other names in lower case, and nothing of what a literal says. */
        String canonical() {
            return switch (kind) {
                case "word" ->
                    KEYWORDS.contains(text.toUpperCase(Locale.ROOT))
                            ? text.toUpperCase(Locale.ROOT)
                            : text.toLowerCase(Locale.ROOT);
                case "quoted" -> text.replace(' ', '_'); // another name than without the quotes, to some databases
                case "literal" -> "''";
                default -> text;
            };
        }
    }

    static final class UnreadableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnreadableException(String message) {
            super(message);
        }
    }
}
