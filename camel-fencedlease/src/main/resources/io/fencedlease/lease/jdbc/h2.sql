-- Leases with fencing tokens, H2. Open the database with WRITE_DELAY=0. "fencedlease_" is the option tablePrefix.
-- Clients need SELECT, INSERT, UPDATE and DELETE on all three.

CREATE TABLE IF NOT EXISTS fencedlease_session (
  id VARCHAR(36) PRIMARY KEY,
  renewals BIGINT NOT NULL,
  ttl_millis BIGINT NOT NULL,
  holder VARCHAR(255) NOT NULL
);

-- session_id is no foreign key: a lease whose session is gone stays shut for lock_delay_millis
CREATE TABLE IF NOT EXISTS fencedlease_lease (
  lease VARCHAR(128) PRIMARY KEY,
  session_id VARCHAR(36),
  token BIGINT NOT NULL,
  nonce VARCHAR(64) NOT NULL,
  holder VARCHAR(255) NOT NULL,
  lock_delay_millis BIGINT NOT NULL
);

-- one row that only grows; never delete it, never set it back
CREATE TABLE IF NOT EXISTS fencedlease_token (
  id SMALLINT PRIMARY KEY CHECK (id = 1),
  token BIGINT NOT NULL
);

INSERT INTO fencedlease_token (id, token)
  SELECT 1, COALESCE(MAX(token), 0) FROM fencedlease_lease
  HAVING NOT EXISTS (SELECT 1 FROM fencedlease_token);
