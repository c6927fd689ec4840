package io.fencedlease.fence.file;

/** A mistake that a fence for files is tempted to make, and the sentence that refuses it. */
enum FileFenceSin {
    CHECKS_THEN_WRITES("aHolderPausedInsideItsWriteHoldsUpTheRaiseForABoundedTimeAndNothingOfItLands"),
    LEAVES_EARLIER_STAGES("aHolderPausedInsideItsWriteHoldsUpTheRaiseForABoundedTimeAndNothingOfItLands"),
    WRITES_IN_PLACE("aWriteThatFailsLeavesNothingAndItsExceptionComesOut"),
    LOWERS_THE_MARK("aLateRaiseIsRefusedAndLowersNothing"),
    COMPARES_TOKENS_ONLY("anEqualTokenOfAnotherTenureNeitherRaisesNorWrites"),
    PASSES_A_LOWER_MARK("aLaterTenureThatHasNotRaisedDoesNotWriteAndLiftsNothing"),
    LETS_EVERYBODY_PASS("onceRaisedItRefusesEveryEarlierTenure"),
    ORDERS_BY_NAME("tokensAreComparedAsNumbersNotAsNames");

    final String refusedBy;

    FileFenceSin(String refusedBy) {
        this.refusedBy = refusedBy;
    }
}
