package io.fencedlease.lease;

import java.util.regex.Pattern;

/** Failures in one line for people: what failed and the deepest cause of it, without secrets. */
public final class FailureText {

    /** Drivers and pools quote the URL they were given. */
    private static final Pattern SECRETS =
            Pattern.compile("((?i:passw(?:or)?d|pwd|passphrase)\\s*=\\s*|//[^/\\s:@]*:(?=[^/\\s]*@))[^;&,)\\s/]+");

    private static final Pattern LINE_BREAK = Pattern.compile("\\s*\\R\\s*");

    private FailureText() {}

    public static String of(Throwable failure) {
        String what = words(failure);
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        String why = words(deepest);
        return what.contains(why) ? what : what + ": " + why;
    }

    private static String words(Throwable failure) {
        String text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        return LINE_BREAK.matcher(withoutSecrets(text)).replaceAll(" ");
    }

    /** What a driver or another library said, with passwords masked. */
    public static String withoutSecrets(String text) {
        return SECRETS.matcher(text).replaceAll("$1xxxxxx");
    }
}
