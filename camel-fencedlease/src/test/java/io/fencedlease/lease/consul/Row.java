package io.fencedlease.lease.consul;

import java.util.function.Consumer;

/** One measured behaviour, and how to see it. */
record Row(String behaviour, Consumer<Scene> scene) {

    static Row row(String behaviour, Consumer<Scene> scene) {
        return new Row(behaviour, scene);
    }

    void playOn(AnsweringConsul consul) {
        scene.accept(new Scene(consul));
    }

    @Override
    public String toString() {
        return behaviour;
    }
}
