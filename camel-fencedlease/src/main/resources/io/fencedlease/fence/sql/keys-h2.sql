CREATE TABLE IF NOT EXISTS fencedlease_keys (
    lease        VARCHAR(128) NOT NULL,
    repository   VARCHAR(128) NOT NULL,
    key_hash     VARCHAR(64) NOT NULL,
    key_text     VARCHAR(255) NOT NULL,
    token        BIGINT NOT NULL,
    confirmed    BOOLEAN NOT NULL,
    confirmed_at BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (lease, repository, key_hash)
);
