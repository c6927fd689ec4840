package io.fencedlease.fence.file;

import io.fencedlease.lease.FencingToken;
import io.fencedlease.lease.LeaseName;
import io.fencedlease.lease.RaiseRefusedException;
import io.fencedlease.lease.Tenure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * A tenure that a directory was raised for.
 *
 * @param folder where it stages; never comes back under this name once it is gone
 */
record Mark(Tenure tenure, Path folder) {

    /** The file in the folder that says whose it is. */
    static final String FILE = "mark";

    private static final Pattern TEXT =
            Pattern.compile("fencedlease 1\nlease (.+)\ntoken (\\d{1,19})\nnonce (.*)\n.*\n");

    static String newFolderName(String kind, Tenure tenure) {
        return kind + "-" + tenure.token() + "-" + UUID.randomUUID();
    }

    static byte[] content(Tenure tenure) {
        if (tenure.nonce().indexOf('\n') >= 0) {
            throw new IllegalArgumentException(tenure + ": a nonce of several lines");
        }
        String text = "fencedlease 1\nlease " + tenure.lease() + "\ntoken " + tenure.token() + "\nnonce "
                + tenure.nonce() + "\n";
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return (text + "crc32 " + Long.toHexString(sum.getValue()) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * @param token of the folder's name
     * @throws DamagedMarkException if the content is not that of a mark of this lease and token
     */
    static Mark parse(Path folder, byte[] content, LeaseName lease, long token) throws DamagedMarkException {
        Path file = folder.resolve(FILE);
        Matcher text = TEXT.matcher(new String(content, StandardCharsets.UTF_8));
        if (!text.matches()) {
            throw new DamagedMarkException(file + " is not complete");
        }
        if (!text.group(1).equals(lease.value())) {
            throw new DamagedMarkException(file + " is of lease '" + text.group(1)
                    + "': two leases whose names differ in case only, on a file system that ignores case?");
        }
        Tenure tenure = new Tenure(lease, new FencingToken(token), text.group(3));
        if (!java.util.Arrays.equals(content(tenure), content)) {
            throw new DamagedMarkException(file + " was changed");
        }
        return new Mark(tenure, folder);
    }

    long token() {
        return tenure.token().value();
    }

    /** @throws RaiseRefusedException if a raise for this tenure would have to lower it, or meets an equal stranger */
    void refuseRaise(Tenure other, String resource) throws RaiseRefusedException {
        if (token() >= other.token().value() && !tenure.equals(other)) {
            throw new RaiseRefusedException(resource, other, token());
        }
    }
}
