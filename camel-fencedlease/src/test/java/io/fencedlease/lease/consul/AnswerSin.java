package io.fencedlease.lease.consul;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** What a model of Consul could believe, and the row that refuses it. */
enum AnswerSin {
    DEAD_SESSION_IS_A_404_IN_A_TRANSACTION(
            "a lock by a dead session, and whatever else is wrong",
            answer -> answer.status() == 409 && answer.body().contains("invalid session") ? told(404, "") : answer),
    DEAD_SESSION_IS_FALSE(
            "a dead session and a free key: 500",
            answer -> answer.body().startsWith("invalid session") ? told(200, "false") : answer),
    FALSE_PROVES_A_LIVING_SESSION(
            "inside lock-delay: false, for the dead too",
            answer -> answer.body().equals("false") ? told(500, "invalid session") : answer),
    LOST_SESSION_IS_A_404_WITHOUT_WORDS(
            "a renewal of nobody: 404, and it names the session",
            answer -> answer.status() == 404 ? told(404, "") : answer),
    ONLY_THE_FIRST_ERROR_IS_NAMED(
            "an unlock under a stale index names the check; of another's lock both",
            answer -> answer.status() == 409
                    ? told(409, answer.body().replaceAll(",\\{\"OpIndex\":[1-9].*}]", "]"))
                    : answer),
    DENIED_TRANSACTION_IS_A_403(
            "without a right on keys nothing is locked, written, released or deleted",
            answer -> answer.body().contains("\"Permission denied\"") ? told(403, "Permission denied") : answer),
    DENIED_FOLDER_IS_A_403(
            "a key that may not be read is denied; its folder looks empty",
            answer -> answer.status() == 404 ? told(403, "Permission denied") : answer),
    UNREADABLE_SESSION_IS_A_403(
            "a session that may not be read looks gone",
            answer -> answer.body().equals("[]") ? told(403, "Permission denied") : answer),
    ABSENT_KEY_HAS_NO_INDEX(
            "a key that is not there: 404 without a body, with an index",
            answer -> answer.status() == 404 ? told(404, "") : answer),
    REPETITION_MOVES_THE_INDEX("the same session and value again: true, and nothing moves") {
        @Override
        ConsulRequest asked(ConsulRequest request) {
            return request.query().startsWith("acquire")
                    ? with(request, request.query() + "&flags=" + number.incrementAndGet(), request.body())
                    : request;
        }
    },
    NO_LOCK_DELAY("inside lock-delay: false, for the living") {
        @Override
        ConsulRequest asked(ConsulRequest request) {
            return with(request, request.query(), request.body().replace("60s", "0s"));
        }
    },
    POLLS_ALWAYS_WAKE("a poll of a session wakes on its end, and sleeps else") {
        @Override
        ConsulRequest asked(ConsulRequest request) {
            return with(request, request.query().replaceFirst("index=\\d+", "index=0"), request.body());
        }
    },
    RENEWAL_EXTENDS_NOTHING("a renewal counts the TTL anew") {
        @Override
        ConsulRequest asked(ConsulRequest request) {
            return request.path().startsWith("session/renew/")
                    ? ConsulRequest.get(request.path().replace("renew", "info"), "")
                    : request;
        }
    };

    final String refusedBy;
    final AtomicInteger number = new AtomicInteger();
    private final UnaryOperator<ConsulAnswer> answers;

    AnswerSin(String refusedBy) {
        this(refusedBy, answer -> answer);
    }

    AnswerSin(String refusedBy, UnaryOperator<ConsulAnswer> answers) {
        this.refusedBy = refusedBy;
        this.answers = answers;
    }

    ConsulRequest asked(ConsulRequest request) {
        return request;
    }

    ConsulAnswer answered(ConsulAnswer answer) {
        return answers.apply(answer);
    }

    private static ConsulAnswer told(int status, String body) {
        return new ConsulAnswer(status, body, 0);
    }

    private static ConsulRequest with(ConsulRequest request, String query, String body) {
        return new ConsulRequest(request.method(), request.path(), query, body, request.movesOn());
    }
}
