"""Checks of a whole ledger: totals added up anew from the charges, and tables held against the audit log."""

from __future__ import annotations

import json
from dataclasses import replace

from sharewell.errors import DataError
from sharewell.io.ledger_database import Cell, LedgerDatabase
from sharewell.plain_data import JsonObject
from sharewell.queries.engine.ledger import statements
from sharewell.queries.engine.ledger.audit_log import AuditLog, canonical, sha256
from sharewell.queries.engine.ledger.privacy_accounting import Accounting, as_loss, counted
from sharewell.queries.engine.ledger.records import ChainCheck, Recount
from sharewell.queries.loss import Loss


def recount(database: LedgerDatabase) -> Recount:
    """Add up every charge anew, from the terms stored with it and the accounting of each account."""
    accounts = {str(row[0]): row for row in database.execute(statements.ACCOUNTS)}
    sums = dict.fromkeys(accounts, (0, 0, 0))
    differing: set[str] = set()
    last = 0
    while charges := database.execute(statements.CHARGES_AFTER, last):
        for number, _, _, _, loss, _ in charges:
            last = int(number or 0)
            for account, amount, delta in database.execute(statements.ENTRIES, last):
                name = str(account)
                units = _counted(accounting_of(accounts[name]), str(loss))
                if units != (amount, delta):
                    differing.add(name)
                sums[name] = (sums[name][0] + units[0], sums[name][1] + units[1], sums[name][2] + 1)
    differing |= {name for name, total in sums.items() if total != accounts[name][5:8]}
    totals = {name: as_loss(accounting_of(accounts[name]), *total[:2]) for name, total in sums.items()}
    return Recount(totals, tuple(sorted(differing)))


def check_tables(database: LedgerDatabase, log: AuditLog, chain: ChainCheck) -> ChainCheck:
    """Hold accounts, charges and answers against a log whose chain is whole."""
    accounts: dict[str, list[Cell]] = {}
    charges = 0
    for row in log.rows():
        content: JsonObject = json.loads(row.content)
        wrong = ""
        if row.event in ("account", "cap"):
            account = accounts.setdefault(content["account"], [content.get("accounting"), content.get("delta"), 0, 0])
            account[2:] = content["cap"]
        elif row.event == "charge":
            charges += 1
            wrong = _charge_differs(database, content)
        elif row.event == "answer":
            wrong = _answer_differs(database, content)
        if wrong:
            return replace(chain, broken=row.line, reason=wrong)
    wrong = ""
    if {str(row[0]): list(row[1:5]) for row in database.execute(statements.ACCOUNTS)} != accounts:
        wrong = "accounts or their caps are others than the log says"
    elif database.execute(statements.LAST_CHARGE) != [(charges, charges)]:
        wrong = "there are other charges than the log says"
    return replace(chain, broken=chain.rows + 1, reason=wrong) if wrong else chain


def charge_content(
    number: int, kind: str, question: str, loss: str, what: str, entries: list[tuple[str, int, int]]
) -> JsonObject:
    """What the log says of a charge."""
    return {
        "charge": number,
        "kind": kind,
        "question": question,
        "loss": json.loads(loss),
        "what": sha256(what),
        "entries": [list(entry) for entry in sorted(entries)],
    }


def accounting_of(account: tuple[Cell, ...]) -> Accounting:
    return "pure" if account[1] == "pure" else "zcdp"


def _counted(accounting: Accounting, loss: str) -> tuple[int, int]:
    try:
        return counted(accounting, Loss.from_json(json.loads(loss)))
    except (DataError, ValueError):
        return 0, 0  # the terms were changed: the totals will not agree


def _charge_differs(database: LedgerDatabase, content: JsonObject) -> str:
    number = int(content["charge"])
    found = database.execute(statements.CHARGE, number)
    if not found:
        return f"charge {number} is in the log and nowhere else"
    _, _, kind, question, loss, what = (str(cell) for cell in found[0])
    entries = database.execute(statements.ENTRIES, number)
    listed = [(str(name), int(amount or 0), int(delta or 0)) for name, amount, delta in entries]
    try:
        stored = charge_content(number, kind, question, loss, what, listed)
    except ValueError:
        return f"charge {number} cannot be read"
    return "" if canonical(stored) == canonical(content) else f"charge {number} is another than the log says"


def _answer_differs(database: LedgerDatabase, content: JsonObject) -> str:
    number = int(content["charge"])
    found = database.execute(statements.ANSWER, number)
    if found and sha256(f"{found[0][0]}{found[0][1]}") == content["answer"]:
        return ""
    return f"the answer to charge {number} is another than the log says"
