/** The package. */
package org.example.store;

import java.util.List;
import java.util.*;
import static java.util.Objects.requireNonNull;

/**
 * Keeps things.
 */
@Service
public abstract class Sample<T extends Comparable<T>> extends Base<T> implements Runnable, Cloneable {
    /** The most. */
    public static final int LIMIT = 10;
    private final List<T> items, others;
    protected String name = "x";

    public Sample(String name, int... sizes) throws IOException {
        this.name = requireNonNull(name);
    }

    /** Gets. */
    @Override
    @Nullable
    public <U> List<U> get(final T key, Map<String, ? extends U> more) throws IOException, StoreException {
        if (key == null) {
            throw new IllegalArgumentException("key");
        }
        return null; // TODO later
    }

    abstract void inner();
    private void hidden() {}

    public static class Nested {
        public int x;
        public interface Deep { void go(); default int two() { return 2; } int THREE = 3; }
    }

    private static class Secret {}

    public enum Color {
        RED(1) { int v() { return 1; } }, BLUE;
        /** v. */
        public int v() { return 0; }
    }
}

record Point(int x, @NonNull String y) implements Shape {
    Point { check(x); }
}

@interface Mark { String value() default "x"; }
sealed interface Shape permits Point {}
