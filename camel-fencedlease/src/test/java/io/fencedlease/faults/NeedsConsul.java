package io.fencedlease.faults;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks a test that runs against a real Consul. Without one it fails; only {@code -DexcludeConsul} leaves it out, and
 * then the build says so.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("consul")
public @interface NeedsConsul {}
