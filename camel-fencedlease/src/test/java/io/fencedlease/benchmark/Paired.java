package io.fencedlease.benchmark;

import java.util.Arrays;

/**
 * Two ways of doing the same, measured in turns in one run, so that whatever else the machine does meets both. The ratio
 * is that of the medians.
 */
final class Paired {

    private static final int ROUNDS = Integer.getInteger("benchmark.rounds", 30);
    private static final int WARM_UP = 5;

    private final int repetitions;

    /** @param repetitions of the work in a round */
    Paired(int repetitions) {
        this.repetitions = repetitions;
    }

    /** Throughput of the fenced way, as a fraction of the plain one's. */
    double ratio(String what, Runnable plain, Runnable fenced) {
        double[] plainNanos = new double[ROUNDS];
        double[] fencedNanos = new double[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            // in turns, so that neither always comes first
            double first = nanos(round % 2 == 0 ? plain : fenced);
            double second = nanos(round % 2 == 0 ? fenced : plain);
            if (round >= 0) {
                plainNanos[round] = round % 2 == 0 ? first : second;
                fencedNanos[round] = round % 2 == 0 ? second : first;
            }
        }
        double ratio = median(plainNanos) / median(fencedNanos);
        System.out.printf(
                "%s: plain %.0f us, fenced %.0f us, throughput ratio %.2f%n",
                what, median(plainNanos) / 1000, median(fencedNanos) / 1000, ratio);
        return ratio;
    }

    private double nanos(Runnable work) {
        long before = System.nanoTime();
        for (int i = 0; i < repetitions; i++) {
            work.run();
        }
        return (double) (System.nanoTime() - before) / repetitions;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
