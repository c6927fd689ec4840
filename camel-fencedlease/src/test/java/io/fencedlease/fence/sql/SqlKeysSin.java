package io.fencedlease.fence.sql;

/** What keys can do wrong, and the sentence of the contract that refuses it. */
enum SqlKeysSin {
    CLAIMS_TWICE("aKeyIsClaimedOnce"),
    FORGETS_CONFIRMATIONS("aConfirmedKeyStaysConfirmedForEveryTenure"),
    ADDS_AFTER_WORK_UNCONFIRMED("whatIsAddedAfterTheWorkIsConfirmedAtOnce"),
    NEVER_TAKES_OVER("halfDoneWorkOfADeadHolderIsTakenOverByTheNextTenure"),
    CONTAINS_WHAT_IS_HALF_DONE("halfDoneWorkOfADeadHolderIsTakenOverByTheNextTenure"),
    ABORT_REMOVES_CONFIRMED("anAbortNeverRemovesWhatIsConfirmedAndLeavesNothingOfItsOwn"),
    ABORT_LEAVES_THE_KEY("anAbortNeverRemovesWhatIsConfirmedAndLeavesNothingOfItsOwn"),
    CONFIRMS_FOR_OTHERS("onlyTheTenureThatClaimedConfirms"),
    ASKS_NO_FENCE("aStaleHolderIsRefusedEveryOperationAndChangesNothing"),
    ASKS_NO_FENCE_IN_A_RACE("noStaleOperationIsAcceptedAfterARaiseOverManyHandOvers"),
    COMPARES_TOKENS_ONLY("anEqualTokenOfAnotherTenureMayDoNothing"),
    IGNORES_CASE("keysOfAnyTextStayApart"),
    ONE_FOR_ALL_REPOSITORIES("repositoriesShareNoKeys"),
    CLEANS_UP_WHAT_IS_UNDER_WAY("cleanupForgetsWhatWasConfirmedLongAgoAndNothingElse"),
    CLEANS_UP_NOTHING("cleanupForgetsWhatWasConfirmedLongAgoAndNothingElse"),
    LOOKS_BEFORE_IT_CLAIMS("ofConcurrentClaimsExactlyOneSucceeds"),
    LOOKS_BEFORE_IT_TAKES_OVER("ofConcurrentTakeOversExactlyOneSucceeds");

    final String refusedBy;

    SqlKeysSin(String refusedBy) {
        this.refusedBy = refusedBy;
    }
}
