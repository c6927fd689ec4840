package io.fencedlease.lease.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A client that is paused, as by SIGSTOP, just before its first statement of a kind. What it had sent is done. */
final class PausingDataSource extends DelegatingDataSource {

    private final String statement;
    private final CountDownLatch paused = new CountDownLatch(1);
    private final CountDownLatch resumed = new CountDownLatch(1);
    private volatile boolean armed;

    PausingDataSource(DataSource target, String statement) {
        super(target);
        this.statement = statement;
    }

    void arm() {
        armed = true;
    }

    void awaitPause() throws InterruptedException {
        paused.await();
    }

    void resume() {
        resumed.countDown();
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection target = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    if (armed
                            && method.getName().equals("prepareStatement")
                            && args[0].toString().startsWith(statement)) {
                        paused.countDown();
                        resumed.await();
                    }
                    try {
                        return method.invoke(target, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
