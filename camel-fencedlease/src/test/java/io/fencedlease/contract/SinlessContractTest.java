package io.fencedlease.contract;

/** The same backend without a sin passes the whole contract, so what {@link SinsTest} sees fail, fails by the sin. */
class SinlessContractTest extends SinfulContract {

    SinlessContractTest() {
        super(Sin.NONE);
    }
}
