package io.fencedlease.fence.sql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A node that is paused, as by SIGSTOP, when its raise has read the mark and announced itself, but not lifted the mark. */
final class PausedBeforeLift extends DelegatingDataSource {

    private final Runnable pause;

    PausedBeforeLift(DataSource target, Runnable pause) {
        super(target);
        this.pause = pause;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection target = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")
                            && arguments[0].toString().contains(SqlDialect.RAISE_MARKER)) {
                        pause.run();
                    }
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
