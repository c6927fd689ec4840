package io.fencedlease.contract;

/** What a backend can do wrong, and the sentence of the contract that refuses it. */
enum Sin {
    NEVER_ACQUIRES("theFirstAcquireAnswersAPositiveToken"),
    REPETITION_DRAWS_A_TOKEN("theSameNonceRepeatsTokenAndRevision"),
    NEW_NONCE_KEEPS_THE_TOKEN("anotherNonceOfTheSameSessionAnswersAHigherToken"),
    REPEATED_PUBLICATION_IS_REFUSED("aPublishedTenureMayBePublishedAgain"),
    PUBLISHES_WHAT_IS_NOT_HELD("onlyTheTenureThatHoldsTheLeaseIsPublished"),
    FORGETS_WHO_WAS_PUBLISHED("whoWasPublishedLastIsToldToAnyoneAlsoAfterItsEnd"),
    GENERATION_OPENS_NOTHING("anOpenedGenerationMakesTheNextTokenHigherThanWhatIsKnown"),
    GENERATION_ENDS_THE_TENURE("anOpenedGenerationTouchesNoTenure"),
    GENERATION_GOES_DOWN("aGenerationIsNeverLowered"),
    GENERATION_WITHOUT_LIMIT("aGenerationBeyondExactNumbersIsRefused"),
    HIDES_THE_HOLDER("aLeaseHeldElsewhereNamesItsHolder"),
    RELEASE_STARTS_LOCK_DELAY("aReleaseFreesAtOnceAndTheNextTokenIsHigher"),
    RELEASE_IGNORES_THE_REVISION("aReleaseOfAnOldRevisionDoesNotFreeTheSameSessionsNextTenure"),
    RELEASE_IGNORES_THE_SESSION("aLateReleaseNeverFreesTheNextHoldersTenure"),
    READ_LEAVES_OUT_FREE_LEASES("aReadTellsOursAnothersAndFreeAndHasEveryLeaseAsked"),
    DEAD_SESSION_IS_AN_EXCEPTION("aSessionEndedFromOutsideIsGoneForRenewalAndAcquisition"),
    DEAD_SESSION_ACQUIRES("aSessionEndedFromOutsideIsGoneForRenewalAndAcquisition"),
    NO_LOCK_DELAY("theLeasesOfAnEndedSessionAreLockDelayedThenAcquirableWithAHigherToken"),
    SECOND_DESTROY_FAILS("destroyIsIdempotentAndEndsTheSession"),
    EXPIRED_SESSION_RENEWS("anUnrenewedSessionExpiresButNotBeforeItsTtl"),
    EXPIRES_EARLY("anUnrenewedSessionExpiresButNotBeforeItsTtl"),
    RENEWAL_EXTENDS_NOTHING("aRenewedSessionKeepsItsLeasesBeyondItsTtl"),
    TOKEN_REPEATS("tokensStrictlyRiseOverReleaseAndDestruction"),
    READS_ONLY_64("oneSessionCarriesAHundredLeases"),
    TWO_HOLDERS("ofEightCandidatesExactlyOneAcquires"),
    NONE("");

    final String refusedBy;

    Sin(String refusedBy) {
        this.refusedBy = refusedBy;
    }
}
