package io.fencedlease.examples.failover;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Puts the pause points into the transactions of a DataSource. The route and the component know nothing of them. */
final class PausableDataSource extends DelegatingDataSource {

    private static final Set<String> STATEMENTS = Set.of("createStatement", "prepareStatement", "prepareCall");

    private final PausePoints points;

    PausableDataSource(DataSource target, PausePoints points) {
        super(target);
        this.points = points;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = obtainTargetDataSource().getConnection();
        AtomicBoolean begun = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    pauseBefore(method.getName(), connection, begun);
                    return call(method, connection, arguments);
                });
    }

    /** @param begun whether the transaction has sent anything yet; later statements are no point to pause at */
    private void pauseBefore(String method, Connection connection, AtomicBoolean begun) throws SQLException {
        if (STATEMENTS.contains(method) && !connection.getAutoCommit() && begun.compareAndSet(false, true)) {
            points.reached(PausePoint.BEFORE_WRITE);
        } else if (method.equals("commit")) {
            points.reached(PausePoint.BEFORE_COMMIT);
        }
    }

    private static Object call(Method method, Connection connection, Object[] arguments) throws Throwable {
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
