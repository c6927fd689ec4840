package io.fencedlease.faults;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Signals that Java itself cannot send. */
public final class Signals {

    private Signals() {}

    /**
     * Sends a signal, such as {@code STOP}, and waits until it was sent.
     *
     * @throws IllegalStateException if the process is gone
     */
    public static void send(String signal, Process to) {
        try {
            int answer = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + to.pid())
                    .inheritIO()
                    .start()
                    .waitFor();
            if (answer != 0) {
                throw new IllegalStateException("kill -" + signal + " answered " + answer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
