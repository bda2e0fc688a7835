CREATE TABLE ledger_head (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        version INTEGER NOT NULL,
        identity TEXT NOT NULL,
        key_check TEXT,
        charges BIGINT NOT NULL,
        line BIGINT NOT NULL,
        digest TEXT NOT NULL);
CREATE TABLE ledger_accounts (
        name TEXT PRIMARY KEY,
        accounting TEXT NOT NULL CHECK (accounting IN ('pure', 'zcdp')),
        stated_delta BIGINT NOT NULL,
        cap BIGINT NOT NULL CHECK (cap >= 0),
        cap_delta BIGINT NOT NULL CHECK (cap_delta >= 0),
        spent BIGINT NOT NULL CHECK (spent >= 0),
        spent_delta BIGINT NOT NULL CHECK (spent_delta >= 0),
        charges BIGINT NOT NULL);
CREATE TABLE ledger_charges (
        charge BIGINT PRIMARY KEY,
        at TEXT NOT NULL,
        kind TEXT NOT NULL,
        question TEXT NOT NULL,
        loss TEXT NOT NULL,
        what TEXT NOT NULL,
        pending INTEGER NOT NULL);
CREATE INDEX ledger_charges_by_question ON ledger_charges (question, loss);
CREATE TABLE ledger_entries (
        account TEXT NOT NULL REFERENCES ledger_accounts (name),
        charge BIGINT NOT NULL REFERENCES ledger_charges (charge),
        amount BIGINT NOT NULL CHECK (amount >= 0),
        amount_delta BIGINT NOT NULL CHECK (amount_delta >= 0),
        PRIMARY KEY (account, charge));
CREATE INDEX ledger_entries_by_charge ON ledger_entries (charge);
CREATE TABLE ledger_answers (
        charge BIGINT PRIMARY KEY REFERENCES ledger_charges (charge),
        salt TEXT NOT NULL,
        answer TEXT NOT NULL);
CREATE TABLE ledger_log (
        line BIGINT PRIMARY KEY,
        at TEXT NOT NULL,
        event TEXT NOT NULL,
        content TEXT NOT NULL,
        digest TEXT NOT NULL,
        seal TEXT);
CREATE TABLE ledger_tokens (
        token TEXT PRIMARY KEY,
        digest TEXT NOT NULL,
        dataset TEXT NOT NULL,
        analyst TEXT NOT NULL,
        scopes TEXT NOT NULL,
        made TEXT NOT NULL,
        expires TEXT NOT NULL,
        revoked TEXT);
