package io.fencedlease.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A bad network between a client and a server on loopback. Two threads a connection: for tests only. */
public final class TcpProxy implements AutoCloseable {

    private enum Fault {
        NONE,
        /** Connections are closed, new ones at once. */
        CUT,
        /** Bytes stay where they are, in both directions, until healed. */
        HANG,
        /** Requests get through, answers do not until healed: the client never learns what happened. */
        HANG_ANSWERS
    }

    private final ServerSocket entrance;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private Fault fault = Fault.NONE;
    private volatile Duration delay = Duration.ZERO;
    private volatile int answerBytes;
    private volatile Consumer<String> requests = line -> {};
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile boolean closed;

    /** Passes everything on to this port of loopback. */
    public TcpProxy(int targetPort) throws IOException {
        this.target = targetPort;
        this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        thread("tcp-proxy-" + port(), this::accept);
    }

    public int port() {
        return entrance.getLocalPort();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + port());
    }

    public void cut() {
        become(Fault.CUT);
        closeSockets();
    }

    public void hang() {
        become(Fault.HANG);
    }

    /** Requests get through; of each piece of answer only so many bytes do, and then nothing until healed. */
    public void hangAnswers(int afterBytes) {
        answerBytes = afterBytes;
        become(Fault.HANG_ANSWERS);
    }

    /** How many sockets are open, of both sides. */
    public int sockets() {
        return sockets.size();
    }

    /** How often somebody connected since the beginning. */
    public int connections() {
        return accepted.get();
    }

    /** Tells the first line of each HTTP request as it comes in, on a thread of the proxy. */
    public void onRequest(Consumer<String> listener) {
        requests = listener;
    }

    /** Each piece of data is held back for so long, in each direction. */
    public void delay(Duration each) {
        delay = each;
    }

    /** No fault any more. What hung is passed on. */
    public void heal() {
        delay = Duration.ZERO;
        become(Fault.NONE);
    }

    @Override
    public void close() throws IOException {
        closed = true;
        entrance.close();
        closeSockets();
        heal();
    }

    private synchronized void become(Fault next) {
        fault = next;
        notifyAll();
    }

    private synchronized boolean cutNow() {
        return fault == Fault.CUT;
    }

    private synchronized boolean hangingAnswers() {
        return fault == Fault.HANG_ANSWERS;
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = entrance.accept();
                accepted.incrementAndGet();
                sockets.add(client);
                if (cutNow()) {
                    client.close();
                } else {
                    thread("tcp-proxy-connection", () -> connect(client));
                }
            } catch (IOException closedMeanwhile) {
                // the loop's condition decides
            }
        }
    }

    private void connect(Socket client) {
        try (client;
                Socket server = new Socket()) {
            sockets.add(server);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            awaitPassage(false);
            server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 5_000);
            thread("tcp-proxy-answers", () -> pump(server, client, true));
            pump(client, server, false);
        } catch (IOException | InterruptedException e) {
            // both ends see their sockets closed
        } finally {
            sockets.remove(client);
        }
    }

    private void pump(Socket from, Socket to, boolean answers) {
        byte[] buffer = new byte[16_384];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (!answers) {
                    tellRequest(buffer, n);
                }
                Thread.sleep(delay.toMillis());
                int before = answers && hangingAnswers() ? Math.min(n, answerBytes) : 0;
                out.write(buffer, 0, before);
                awaitPassage(answers);
                out.write(buffer, before, n - before);
            }
        } catch (IOException | InterruptedException e) {
            // both ends see their sockets closed
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private void tellRequest(byte[] piece, int length) {
        String text = new String(piece, 0, length, StandardCharsets.ISO_8859_1);
        if (text.startsWith("GET /") || text.startsWith("PUT /")) {
            requests.accept(text.lines().findFirst().orElse(""));
        }
    }

    private synchronized void awaitPassage(boolean answers) throws InterruptedException {
        while (!closed && (fault == Fault.HANG || answers && fault == Fault.HANG_ANSWERS)) {
            wait();
        }
    }

    private void closeSockets() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                // closed is closed
            }
        }
        sockets.clear();
    }

    private static void thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
