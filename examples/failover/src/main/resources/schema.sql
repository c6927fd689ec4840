-- The invoices of the shipped CSV, five to a batch, and the ledger of what was closed.
CREATE TABLE invoices (
    number   VARCHAR(20) PRIMARY KEY,
    batch    INT NOT NULL,
    customer VARCHAR(60) NOT NULL,
    issued   DATE NOT NULL,
    amount   DECIMAL(12, 2) NOT NULL
);

INSERT INTO invoices
SELECT number, (ROWNUM() + 4) / 5, customer, issued, amount
FROM CSVREAD('classpath:/invoices.csv', NULL, 'charset=UTF-8');

-- One entry for each accepted write, numbered in their order. Deliberately without a unique key on the batch: most
-- effects in the world have none, and with one the damage of a stale write could not be seen here.
CREATE TABLE ledger (
    entry    BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    batch    INT NOT NULL,
    node     VARCHAR(10) NOT NULL,
    token    BIGINT NOT NULL,
    invoices INT NOT NULL,
    total    DECIMAL(12, 2) NOT NULL
);

CREATE VIEW open_batches AS
SELECT DISTINCT batch FROM invoices WHERE batch NOT IN (SELECT batch FROM ledger);
