package io.fencedlease.fence.sql;

/** A mistake that a fence in a database is tempted to make, and the sentence of the contract that refuses it. */
enum SqlFenceSin {
    READS_WITHOUT_LOCK("aHolderPausedInsideItsWriteHoldsUpTheRaiseForABoundedTimeAndNothingOfItLands"),
    CHECKS_OUTSIDE_THE_TRANSACTION("aHolderPausedInsideItsWriteHoldsUpTheRaiseForABoundedTimeAndNothingOfItLands"),
    WRITES_OUTSIDE_THE_TRANSACTION("aWriteThatFailsLeavesNothingAndItsExceptionComesOut"),
    COMPARES_TOKENS_ONLY("anEqualTokenOfAnotherTenureNeitherRaisesNorWrites"),
    PASSES_A_LOWER_MARK("aLaterTenureThatHasNotRaisedDoesNotWriteAndLiftsNothing"),
    LETS_EVERYBODY_PASS("onceRaisedItRefusesEveryEarlierTenure"),
    LOWERS_THE_MARK("aLateRaiseIsRefusedAndLowersNothing"),
    NEVER_EVICTS("aHolderPausedInsideItsWriteHoldsUpTheRaiseForABoundedTimeAndNothingOfItLands");

    final String refusedBy;

    SqlFenceSin(String refusedBy) {
        this.refusedBy = refusedBy;
    }
}
