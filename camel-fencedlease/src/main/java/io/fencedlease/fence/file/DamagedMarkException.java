package io.fencedlease.fence.file;

import java.io.IOException;

/** The mark cannot be what a raise has left: somebody deleted, cut or changed it. */
final class DamagedMarkException extends IOException {

    private static final long serialVersionUID = 1L;

    DamagedMarkException(String what) {
        super(what);
    }
}
