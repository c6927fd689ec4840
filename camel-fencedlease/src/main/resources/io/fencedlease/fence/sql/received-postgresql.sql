CREATE TABLE IF NOT EXISTS fencedlease_received (
    lease    VARCHAR(128) NOT NULL,
    resource VARCHAR(128) NOT NULL,
    token    BIGINT NOT NULL,
    nonce    VARCHAR(128) NOT NULL,
    PRIMARY KEY (lease, resource)
);
