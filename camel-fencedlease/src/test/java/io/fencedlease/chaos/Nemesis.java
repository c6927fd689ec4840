package io.fencedlease.chaos;

import io.fencedlease.chaos.Fault.Blow;
import io.fencedlease.chaos.Fault.Lane;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Strikes in three lanes at once. The seed decides which fault comes when and for how long; each lane deals all of its
 * faults before it repeats one. Whom it hits depends on who holds at that moment.
 */
final class Nemesis {

    /** What was done, to whom, from when to when. */
    record Struck(Fault fault, String target, long from, long to) {}

    private static final int MIN_GAP_MILLIS = 500;

    private final Scene scene;
    private final Queue<Struck> struck = new ConcurrentLinkedQueue<>();
    private final CountDownLatch over = new CountDownLatch(1);

    Nemesis(Scene scene) {
        this.scene = scene;
    }

    /** Returns when time is up and everything is healed. */
    List<Struck> torment() throws Exception {
        List<CompletableFuture<Void>> lanes = Arrays.stream(Lane.values())
                .map(lane -> CompletableFuture.runAsync(() -> strikeAlong(lane), task -> thread(lane, task)))
                .toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(lanes.toArray(CompletableFuture[]::new));
        CompletableFuture<Object> firstFailure = new CompletableFuture<>();
        lanes.forEach(lane -> lane.whenComplete((ok, failure) -> {
            if (failure != null) {
                firstFailure.completeExceptionally(failure);
            }
        }));
        try {
            firstFailure
                    .completeOnTimeout(over, scene.options().time().toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } finally {
            over.countDown();
        }
        all.get(3, TimeUnit.MINUTES);
        return List.copyOf(struck);
    }

    private static void thread(Lane lane, Runnable task) {
        Thread thread = new Thread(task, "nemesis-" + lane);
        thread.setDaemon(true);
        thread.start();
    }

    private void strikeAlong(Lane lane) {
        Random random = new Random(31 * scene.options().seed() + lane.ordinal());
        Deque<Fault> deck = new ArrayDeque<>();
        while (!isOver(random.nextInt(MIN_GAP_MILLIS, lane.gapMillis))) {
            if (deck.isEmpty()) {
                List<Fault> all = new ArrayList<>(Arrays.stream(Fault.values())
                        .filter(fault -> fault.lane == lane)
                        .flatMap(fault -> Collections.nCopies(fault.weight(), fault).stream())
                        .toList());
                Collections.shuffle(all, random);
                deck.addAll(all);
            }
            Fault fault = deck.pop();
            long from = System.nanoTime();
            // a random of its own: how often it is asked may depend on what it meets
            Blow blow = fault.strike.at(scene, new Random(random.nextLong()));
            isOver(random.nextInt(fault.minMillis, fault.maxMillis));
            blow.heal().run();
            struck.add(new Struck(fault, blow.target(), from, System.nanoTime()));
        }
    }

    /** Waits so long, or until the time of all faults is up. */
    private boolean isOver(int millis) {
        try {
            return over.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
