package io.fencedlease.simulation;

import io.fencedlease.lease.spi.BackendUnavailableException;
import io.fencedlease.simulation.Nemesis.Weather;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The network between one process and another side: requests and answers get lost, late, or doubled. */
record Link(World world, Nemesis nemesis, SimProcess process, String side) {

    /**
     * Sends a request.
     *
     * @param atTheOtherSide does it there and answers there
     * @return what arrives here, if anything does
     */
    <T> CompletableFuture<T> carry(Supplier<? extends CompletionStage<T>> atTheOtherSide) {
        process.boundary();
        CompletableFuture<T> answer = new CompletableFuture<>();
        Weather weather = nemesis.weather(process.node(), side);
        if (weather == Weather.REFUSED) {
            process.others(
                    Nemesis.MILLI,
                    () -> answer.completeExceptionally(new BackendUnavailableException("connection refused")));
            return answer;
        }
        int copies = nemesis.repeatsMessage() ? 2 : 1;
        for (int copy = 0; copy < copies; copy++) {
            if (weather != Weather.CUT && !nemesis.losesMessage()) {
                world.after(nemesis.way(weather), () -> arrived(atTheOtherSide, answer));
            }
        }
        return answer;
    }

    private <T> void arrived(Supplier<? extends CompletionStage<T>> atTheOtherSide, CompletableFuture<T> answer) {
        atTheOtherSide.get().whenComplete((value, error) -> {
            Weather weather = nemesis.weather(process.node(), side);
            if (weather == Weather.CUT || weather == Weather.MUTE || nemesis.losesMessage()) {
                return;
            }
            world.after(
                    nemesis.way(weather),
                    () -> process.arrives(() -> {
                        if (error == null) {
                            answer.complete(value);
                        } else {
                            answer.completeExceptionally(error);
                        }
                    }));
        });
    }
}
