package io.fencedlease.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullMarked;

/** The house: which folder may know which, and who may look at a clock. */
@AnalyzeClasses(packages = "io.fencedlease", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule leaseAndFenceDoNotKnowCamel = noClasses()
            .that()
            .resideInAnyPackage("..fencedlease.lease..", "..fencedlease.fence..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.camel..", "io.fencedlease.camel..");

    @ArchTest
    static final ArchRule leaseDoesNotKnowFences = noClasses()
            .that()
            .resideInAPackage("..fencedlease.lease..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..fencedlease.fence..");

    @ArchTest
    static final ArchRule theLoopKnowsNoBackend = noClasses()
            .that()
            .resideInAnyPackage("io.fencedlease.lease", "io.fencedlease.lease.spi")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.fencedlease.lease.consul..",
                    "io.fencedlease.lease.jdbc..",
                    "java.net..",
                    "java.sql..",
                    "org.springframework..");

    @ArchTest
    static final ArchRule onlyTheBackendFactoryKnowsBackends = noClasses()
            .that(resideInAnyPackage("io.fencedlease.camel..", "io.fencedlease.fence..")
                    .and(not(simpleName("BackendFactory")))
                    .and(not(resideInAPackage("io.fencedlease.fence.consul.."))))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.fencedlease.lease.consul..", "io.fencedlease.lease.jdbc..");

    @ArchTest
    static final ArchRule backendsDoNotKnowEachOther =
            slices().matching("io.fencedlease.lease.(consul|jdbc)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule onlyTheConsulPackageSpeaksHttp = noClasses()
            .that(not(resideInAPackage("io.fencedlease.lease.consul..")))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.net.http..");

    @ArchTest
    static final ArchRule timeComesFromTheTickerAndTheTimersOnly = noClasses()
            .that(not(simpleName("SystemTicker")))
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(java.time.Instant.class, "now")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class);

    /** Or the backend would not run in virtual time. */
    @ArchTest
    static final ArchRule theConsulBackendLeavesLimitsToItsTransport = noClasses()
            .that()
            .resideInAPackage("io.fencedlease.lease.consul..")
            .should()
            .callMethod(CompletableFuture.class, "orTimeout", long.class, TimeUnit.class)
            .orShould()
            .callMethod(CompletableFuture.class, "delayedExecutor", long.class, TimeUnit.class);

    @ArchTest
    static final ArchRule thereIsNoIsLeader =
            noMethods().should().haveNameMatching("(?i).*(leader|follower|master|slave).*");

    @ArchTest
    static final ArchRule tokensHave64Bits = noFields()
            .that()
            .haveNameMatching("(?i).*(token|mark|revision)")
            .should()
            .haveRawType(int.class);

    @ArchTest
    static final ArchRule foldersAreNoDumpingGrounds = noClasses()
            .should()
            .resideInAnyPackage("..util..", "..utils..", "..common..", "..impl..", "..manager..", "..helper..");

    @ArchTest
    static void everyPackageIsNullMarked(JavaClasses classes) {
        assertThat(classes.getPackage("io.fencedlease").getSubpackagesInTree())
                .filteredOn(p -> !p.getClasses().isEmpty())
                .hasSizeGreaterThanOrEqualTo(7)
                .allMatch(p -> p.isAnnotatedWith(NullMarked.class), "is @NullMarked")
                .extracting(JavaPackage::getName)
                .contains("io.fencedlease.lease", "io.fencedlease.fence.sql", "io.fencedlease.camel");
    }

    @ArchTest
    static void theRulesSawTheWholeHouse(JavaClasses classes) {
        assertThat(classes).hasSizeGreaterThan(100);
    }
}
