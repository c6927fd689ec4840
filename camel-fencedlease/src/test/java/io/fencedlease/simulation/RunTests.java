package io.fencedlease.simulation;

import java.io.PrintWriter;
import java.util.Arrays;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs test classes without Maven, for the mutation check. Exit code 1: a test failed; 2: they could not be run. */
final class RunTests {

    private RunTests() {}

    public static void main(String[] classes) {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace(System.out);
            Runtime.getRuntime().halt(2);
        });
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(classes)
                        .map(DiscoverySelectors::selectClass)
                        .toList())
                .build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, summary);
        summary.getSummary().printFailuresTo(new PrintWriter(System.out), 3);
        boolean none = summary.getSummary().getTestsFoundCount() == 0;
        System.exit(none ? 2 : summary.getSummary().getTotalFailureCount() == 0 ? 0 : 1);
    }
}
