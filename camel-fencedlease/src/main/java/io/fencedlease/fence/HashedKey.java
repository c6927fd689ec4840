package io.fencedlease.fence;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A key as stores have it: by its hash, since texts of any length and alphabet must stay apart in every collation. */
public record HashedKey(String text) {

    private static final int SHOWN = 255;

    /** SHA-256 of the text, in hexadecimal. */
    public String hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException everyJvmHasIt) {
            throw new IllegalStateException(everyJvmHasIt);
        }
    }

    /** For people who look into the store. */
    public String shown() {
        return text.substring(0, Math.min(text.length(), SHOWN)).replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
    }
}
