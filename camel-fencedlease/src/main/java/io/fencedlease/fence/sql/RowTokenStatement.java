package io.fencedlease.fence.sql;

import io.fencedlease.fence.FencedOutException;
import io.fencedlease.fence.NoRowWrittenException;
import io.fencedlease.fence.sql.SqlTokens.Token;
import io.fencedlease.fence.sql.SqlTokens.UnreadableException;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.SettingRefusedException;
import io.fencedlease.lease.Tenure;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A statement that carries the token in the row it updates: {@code UPDATE t SET .., fencing_token = :#FencingToken WHERE
 * .. AND fencing_token <= :#FencingToken}. Immutable.
 *
 * <p>Promises less than {@link SqlFence}: no lower token is accepted for a row <em>that has seen a higher one</em>. Rows a
 * later tenure has not touched yet can still be written by an earlier one.
 */
public final class RowTokenStatement {

    /** The parameter as it must be written. */
    public static final String PARAMETER = ":#FencingToken";

    private static final String ALLOWED = "one UPDATE with \"<column> = " + PARAMETER
            + "\" in SET and \"AND <column> <= " + PARAMETER + "\" (or <) at the top of WHERE, and no OR beside it";

    private static final String NAME = "(?:[^ ]+ \\. )*";

    /** One table only: another one's column of the same name would fence nothing. */
    private static final Pattern PARTS = Pattern.compile("UPDATE " + NAME + "[^ ,(]+(?: as)?(?: [^ ,(]+)?"
            + " SET (?<set>(?:(?! SET | WHERE | FROM ).)+)"
            + " WHERE (?<where>(?:(?! SET | WHERE | FROM | ORDER | LIMIT ).)+)"
            + "(?: (?:ORDER|LIMIT) (?:(?! SET | WHERE ).)+)?");

    private static final Pattern WRITTEN = Pattern.compile(NAME + "(?<column>[^ ]+) = " + PARAMETER);

    private static final Pattern TARGET = Pattern.compile(NAME + "(?<column>[^ ]+) =");

    private static final Pattern COMPARED = Pattern.compile(
            NAME + "(?<left>[^ ]+) <=? " + PARAMETER + "|" + PARAMETER + " >=? " + NAME + "(?<right>[^ ]+)");

    /** What binds less than AND, or has an AND of its own, or is one to some databases only. */
    private static final Pattern UNCLEAR = Pattern.compile(" (?:OR|XOR|\\|\\||&&|BETWEEN|CASE) ");

    private final String lease;
    private final String sql;

    private RowTokenStatement(LeaseName lease, String sql) {
        this.lease = lease.value();
        this.sql = sql;
        try {
            check(SqlTokens.of(sql));
        } catch (UnreadableException e) {
            throw refused(e.getMessage());
        }
    }

    /**
     * Checks that a statement compares and writes the token.
     *
     * @param sql as camel-sql gets it, with {@code :#name} parameters
     * @throws SettingRefusedException if it does not, or cannot be read with certainty
     */
    public static RowTokenStatement of(LeaseName lease, String sql) {
        return new RowTokenStatement(lease, sql);
    }

    /**
     * Returns if the statement changed a row.
     *
     * @param rows how many rows it changed
     * @param tokenInRow asks for the row's token now, without one if there is no row; called only if no row was changed
     * @throws FencedOutException if a row with a higher token is there
     * @throws NoRowWrittenException if there is no row, or another condition did not hold
     */
    public static void requireRow(String resource, Tenure tenure, int rows, Supplier<OptionalLong> tokenInRow) {
        requireRowOr(rows, () -> {
            OptionalLong inRow = tokenInRow.get();
            if (inRow.isPresent() && inRow.getAsLong() > tenure.token().value()) {
                throw new FencedOutException(resource, tenure, inRow.getAsLong(), "in the row");
            }
            throw new NoRowWrittenException(
                    resource,
                    tenure,
                    inRow.isPresent()
                            ? "the row's token is " + inRow.getAsLong() + ", so another condition did not hold"
                            : "no such row");
        });
    }

    /**
     * Returns if the statement changed a row.
     *
     * @throws NoRowWrittenException if not: fenced out or no such row
     */
    public static void requireRow(String resource, Tenure tenure, int rows) {
        requireRowOr(rows, () -> {
            throw new NoRowWrittenException(resource, tenure);
        });
    }

    private static void requireRowOr(int rows, Runnable refuse) {
        if (rows <= 0) {
            refuse.run();
        }
    }

    private void check(List<Token> tokens) {
        String text = topLevel(tokens);
        refuseIf(!text.startsWith("UPDATE "), "not an UPDATE");
        refuseIf(text.contains(" ; "), "several statements");
        refuseIf(text.contains(" RETURNING "), "RETURNING, which answers rows in place of how many were changed");
        Matcher parts = PARTS.matcher(text);
        refuseIf(!parts.matches(), "not UPDATE table SET .. WHERE .. of one table");
        List<String> conditions = List.of(parts.group("where").split(" AND "));
        for (String condition : conditions) {
            refuseIf(UNCLEAR.matcher(" " + condition + " ").find(), "beside the token in WHERE: " + condition);
        }
        List<String> assigned = List.of(parts.group("set").split(" , "));
        List<String> written = assigned.stream()
                .map(WRITTEN::matcher)
                .filter(Matcher::matches)
                .map(match -> match.group("column"))
                .filter(column -> conditions.stream().anyMatch(c -> compares(c, column)))
                .toList();
        refuseIf(written.isEmpty(), "the token is not both written and compared in one column");
        // some databases take the last assignment
        refuseIf(
                assigned.stream()
                                .filter(assignment -> sets(assignment, written.get(0)))
                                .count()
                        > 1,
                "the token's column is set twice, or columns are set in parentheses");
    }

    private static boolean sets(String assignment, String column) {
        Matcher target = TARGET.matcher(assignment);
        return !target.lookingAt()
                || target.group("column").equals("(")
                || unquoted(target.group("column")).equalsIgnoreCase(unquoted(column));
    }

    private static String unquoted(String name) {
        return name.replaceAll("[\"`]", "");
    }

    private static boolean compares(String condition, String column) {
        Matcher compared = COMPARED.matcher(condition);
        return compared.matches()
                && column.equals(compared.group("left") == null ? compared.group("right") : compared.group("left"));
    }

    /** The statement without what is in parentheses, one blank between tokens, names and keywords told apart by case. */
    private static String topLevel(List<Token> tokens) {
        String text = tokens.stream()
                .filter(token -> token.depth() == 0 && !token.is(")"))
                .map(Token::canonical)
                .collect(Collectors.joining(" "));
        return text.endsWith(" ;") ? text.substring(0, text.length() - 2) : text;
    }

    private void refuseIf(boolean bad, String why) {
        if (bad) {
            throw refused(why);
        }
    }

    private SettingRefusedException refused(String why) {
        return new SettingRefusedException(lease, "fence.mode=row", why + ", in: " + sql, ALLOWED);
    }
}
