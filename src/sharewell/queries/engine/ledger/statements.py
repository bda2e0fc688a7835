"""Every SQL statement of the ledger, in words that SQLite and PostgreSQL share. `?` stands for a value.

One row of `ledger_head` describes the ledger and the end of its audit log. Whoever writes locks it first, so that
transactions that write follow one another, on both databases.
"""

from __future__ import annotations

from sharewell.io.shipped import shipped_text

VERSION = 1
"""Of the tables in `data/service/ledger.sql`. A ledger of another version is refused."""
MOVED = 0
"""The version of a ledger that goes on elsewhere."""

CREATE = tuple(shipped_text("service/ledger.sql").removesuffix(";\n").split(";\n"))

NEW_HEAD = """INSERT INTO ledger_head (one, version, identity, key_check, charges, line, digest)
    VALUES (1, ?, ?, ?, 0, 0, ?)"""
HEAD = "SELECT version, identity, key_check, charges, line, digest FROM ledger_head WHERE one = 1"
MOVE_HEAD = "UPDATE ledger_head SET charges = ?, line = ?, digest = ? WHERE one = 1"
APPEND = "INSERT INTO ledger_log (line, at, event, content, digest, seal) VALUES (?, ?, ?, ?, ?, ?)"
LOG_AFTER = "SELECT line, at, event, content, digest, seal FROM ledger_log WHERE line > ? ORDER BY line LIMIT 1000"

NEW_ACCOUNT = """INSERT INTO ledger_accounts
    (name, accounting, stated_delta, cap, cap_delta, spent, spent_delta, charges) VALUES (?, ?, ?, ?, ?, 0, 0, 0)"""
ACCOUNT = """SELECT name, accounting, stated_delta, cap, cap_delta, spent, spent_delta, charges
    FROM ledger_accounts WHERE name = ?"""
ACCOUNTS_NAMED = """SELECT name, accounting, stated_delta, cap, cap_delta, spent, spent_delta, charges
    FROM ledger_accounts WHERE name IN (?)"""
"""With a `?` for each name."""
ACCOUNTS = """SELECT name, accounting, stated_delta, cap, cap_delta, spent, spent_delta, charges
    FROM ledger_accounts ORDER BY name"""
SET_CAP = "UPDATE ledger_accounts SET cap = ?, cap_delta = ? WHERE name = ?"
SPEND = """UPDATE ledger_accounts SET spent = spent + ?, spent_delta = spent_delta + ?, charges = charges + 1
    WHERE name = ? AND spent + ? <= cap AND spent_delta + ? <= cap_delta"""

COUNTS = "SELECT COALESCE(MAX(charge), 0), COUNT(*) FROM ledger_charges"
NEW_CHARGE = "INSERT INTO ledger_charges (charge, at, kind, question, loss, what, pending) VALUES (?, ?, ?, ?, ?, ?, 1)"
NEW_ENTRY = "INSERT INTO ledger_entries (account, charge, amount, amount_delta) VALUES (?, ?, ?, ?)"
CHARGES_BETWEEN = """SELECT charge, at, kind, question, loss, what
    FROM ledger_charges WHERE charge BETWEEN ? AND ? ORDER BY charge"""
ENTRIES_BETWEEN = """SELECT e.charge, e.account, e.amount, e.amount_delta, c.loss
    FROM ledger_entries e JOIN ledger_charges c ON c.charge = e.charge
    WHERE e.charge BETWEEN ? AND ? ORDER BY e.charge, e.account"""
CHARGES_OF = """SELECT c.charge, c.at, c.kind, c.question, c.loss, c.what, a.charge
    FROM ledger_entries e JOIN ledger_charges c ON c.charge = e.charge LEFT JOIN ledger_answers a ON a.charge = c.charge
    WHERE e.account = ? ORDER BY c.charge"""
ACCOUNTS_OF_CHARGES = """SELECT other.charge, other.account
    FROM ledger_entries e JOIN ledger_entries other ON other.charge = e.charge
    WHERE e.account = ? ORDER BY other.charge, other.account"""

ANSWER = "SELECT salt, answer FROM ledger_answers WHERE charge = ?"
ANSWERS_BETWEEN = "SELECT charge, salt, answer FROM ledger_answers WHERE charge BETWEEN ? AND ?"
NEW_ANSWER = "INSERT INTO ledger_answers (charge, salt, answer) VALUES (?, ?, ?)"
SETTLE = "UPDATE ledger_charges SET pending = 0 WHERE charge = ?"
ASKED = """SELECT c.charge, c.pending, a.answer
    FROM ledger_charges c LEFT JOIN ledger_answers a ON a.charge = c.charge
    WHERE c.question = ? AND c.loss = ? AND c.kind = 'question'
    ORDER BY CASE WHEN a.charge IS NULL THEN 1 ELSE 0 END, c.charge"""
"""Charges for one question: answered ones first, the oldest before the others."""
ASKED_BY = """SELECT c.charge, c.pending, a.answer
    FROM ledger_entries e JOIN ledger_charges c ON c.charge = e.charge LEFT JOIN ledger_answers a ON a.charge = c.charge
    WHERE c.question = ? AND c.loss = ? AND c.kind = 'question' AND e.account = ?
    ORDER BY CASE WHEN a.charge IS NULL THEN 1 ELSE 0 END, c.charge"""

NEW_TOKEN = """INSERT INTO ledger_tokens (token, digest, dataset, analyst, scopes, made, expires, revoked)
    VALUES (?, ?, ?, ?, ?, ?, ?, NULL)"""
TOKEN = "SELECT token, digest, dataset, analyst, scopes, made, expires, revoked FROM ledger_tokens WHERE token = ?"
TOKENS = """SELECT token, digest, dataset, analyst, scopes, made, expires, revoked
    FROM ledger_tokens ORDER BY made, token"""
REVOKE_TOKEN = "UPDATE ledger_tokens SET revoked = ? WHERE token = ? AND revoked IS NULL"

COLUMNS = {
    "ledger_accounts": ("name", "accounting", "stated_delta", "cap", "cap_delta", "spent", "spent_delta", "charges"),
    "ledger_charges": ("charge", "at", "kind", "question", "loss", "what", "pending"),
    "ledger_entries": ("account", "charge", "amount", "amount_delta"),
    "ledger_answers": ("charge", "salt", "answer"),
    "ledger_tokens": ("token", "digest", "dataset", "analyst", "scopes", "made", "expires", "revoked"),
    "ledger_log": ("line", "at", "event", "content", "digest", "seal"),
    "ledger_head": ("one", "version", "identity", "key_check", "charges", "line", "digest"),
}
"""Of every table, in an order in which rows can be copied."""
TABLES = frozenset(COLUMNS)
SET_VERSION = "UPDATE ledger_head SET version = ? WHERE one = 1"

EVENTS = "SELECT content FROM ledger_log WHERE event = ? ORDER BY line"


def all_rows(table: str) -> str:
    columns = ", ".join(COLUMNS[table])
    return f"SELECT {columns} FROM {table} ORDER BY {', '.join(COLUMNS[table][:2])}"


def new_row(table: str) -> str:
    return f"INSERT INTO {table} ({', '.join(COLUMNS[table])}) VALUES ({', '.join('?' * len(COLUMNS[table]))})"
