CREATE TABLE IF NOT EXISTS fencedlease_keys (
    lease        VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    repository   VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    key_hash     VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    key_text     VARCHAR(255) CHARACTER SET utf8mb4 NOT NULL,
    token        BIGINT NOT NULL,
    confirmed    BOOLEAN NOT NULL,
    confirmed_at BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (lease, repository, key_hash)
) ENGINE = InnoDB;
