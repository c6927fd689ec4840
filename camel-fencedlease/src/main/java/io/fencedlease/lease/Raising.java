package io.fencedlease.lease;

import java.util.List;

/** Runs the raise hooks of a new tenure on a worker and tells the loop how it went. */
final class Raising {

    /** Told on the loop, one of them, exactly once. */
    interface Outcome {
        void raised();

        void refused(RaiseRefusedException why);

        void failed(Throwable why);
    }

    private Raising() {}

    static void start(Loop loop, List<RaiseHook> hooks, Tenure tenure, Outcome outcome) {
        if (hooks.isEmpty()) {
            outcome.raised();
            return;
        }
        try {
            loop.workers().execute(() -> run(loop, hooks, tenure, outcome));
        } catch (RuntimeException noWorker) {
            outcome.failed(noWorker);
        }
    }

    private static void run(Loop loop, List<RaiseHook> hooks, Tenure tenure, Outcome outcome) {
        Runnable told = outcome::raised;
        try {
            for (RaiseHook hook : hooks) {
                hook.raise(tenure);
            }
        } catch (RaiseRefusedException refused) {
            told = () -> outcome.refused(refused);
        } catch (Throwable failure) {
            told = () -> outcome.failed(failure);
        }
        loop.timers().execute(told);
    }
}
