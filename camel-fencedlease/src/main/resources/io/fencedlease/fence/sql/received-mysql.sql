CREATE TABLE IF NOT EXISTS fencedlease_received (
    lease    VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    resource VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    token    BIGINT NOT NULL,
    nonce    VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (lease, resource)
) ENGINE = InnoDB;
