"""Checks of a whole ledger: totals added up anew from the charges, and tables held against the audit log."""

from __future__ import annotations

import json
from collections import defaultdict
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from sharewell.errors import DataError
from sharewell.io.ledger_database import Cell, LedgerDatabase
from sharewell.plain_data import JsonObject
from sharewell.queries.engine.ledger import statements
from sharewell.queries.engine.ledger.audit_log import AuditLog, canonical, sha256
from sharewell.queries.engine.ledger.privacy_accounting import Accounting, as_loss, counted
from sharewell.queries.engine.ledger.records import ChainCheck, Recount
from sharewell.queries.loss import Loss

PAGE = 1000
"""Rows that are read at once."""
TOKEN_FACTS = statements.COLUMNS["ledger_tokens"][1:-1]
"""What the log says of a new token: all but whether it was revoked since."""


def recount(database: LedgerDatabase) -> Recount:
    """Add up every charge anew, from the terms stored with it and the accounting of each account."""
    accounts = {str(row[0]): row for row in database.execute(statements.ACCOUNTS)}
    sums = dict.fromkeys(accounts, (0, 0, 0))
    differing: set[str] = set()
    [(last, _)] = database.execute(statements.COUNTS)
    for first in range(1, int(last or 0) + 1, PAGE):
        for _, account, amount, delta, loss in database.execute(statements.ENTRIES_BETWEEN, first, first + PAGE - 1):
            name = str(account)
            if name not in accounts:
                differing.add(name)
                continue
            units = _counted(accounting_of(accounts[name]), str(loss))
            if units != (amount, delta):
                differing.add(name)
            sums[name] = (sums[name][0] + units[0], sums[name][1] + units[1], sums[name][2] + 1)
    differing |= {name for name, total in sums.items() if total != accounts[name][5:8]}
    totals = {name: as_loss(accounting_of(accounts[name]), *total[:2]) for name, total in sums.items()}
    return Recount(totals, tuple(sorted(differing)))


def check_tables(database: LedgerDatabase, log: AuditLog, chain: ChainCheck) -> ChainCheck:
    """Hold accounts, charges, answers and tokens against a log whose chain is whole."""
    try:
        return _check_tables(database, log, chain)
    except (AttributeError, LookupError, TypeError, ValueError):  # rows that nobody but a forger writes
        return replace(chain, broken=chain.rows, reason="the log has a row that is none of a ledger's")


def _check_tables(database: LedgerDatabase, log: AuditLog, chain: ChainCheck) -> ChainCheck:
    accounts: dict[str, list[Cell]] = {}
    tokens: dict[str, list[Cell]] = {}
    charges = 0
    rows = log.rows()
    while page := list(islice(rows, PAGE)):
        contents = [json.loads(row.content) for row in page]
        stored = _charges_in(database, contents, [row.event for row in page])
        answers = _answers_in(database, contents, [row.event for row in page])
        for row, content in zip(page, contents, strict=True):
            wrong = ""
            if row.event in ("account", "cap"):
                opened = [content.get("accounting"), content.get("delta"), 0, 0]
                accounts.setdefault(content["account"], opened)[2:] = content["cap"]
            elif row.event == "token":
                tokens[content["token"]] = [*(content[column] for column in TOKEN_FACTS), None]
            elif row.event == "token-revoked":
                tokens.get(content["token"], [None])[-1] = content["revoked"]
            elif row.event == "charge":
                charges += 1
                if canonical(stored.get(content["charge"])) != canonical(content):
                    wrong = f"charge {content['charge']} is missing or another than the log says"
            elif row.event == "answer" and answers.get(content["charge"]) != content["answer"]:
                wrong = f"the answer to charge {content['charge']} is missing or another than the log says"
            if wrong:
                return replace(chain, broken=row.line, reason=wrong)
    wrong = ""
    if {str(row[0]): list(row[1:5]) for row in database.execute(statements.ACCOUNTS)} != accounts:
        wrong = "accounts or their caps are others than the log says"
    elif database.execute(statements.COUNTS) != [(charges, charges)]:
        wrong = "there are other charges than the log says"
    elif {str(row[0]): list(row[1:]) for row in database.execute(statements.TOKENS)} != tokens:
        wrong = "tokens are others than the log says"
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


def _charges_in(database: LedgerDatabase, contents: list[JsonObject], events: list[str]) -> dict[int, JsonObject]:
    """The stored charges that a page of the log speaks of, as the log should have them."""
    numbers = _numbers(contents, events, "charge")
    if not numbers:
        return {}
    entries: dict[int, list[tuple[str, int, int]]] = defaultdict(list)
    for number, name, amount, delta, _ in database.execute(statements.ENTRIES_BETWEEN, *numbers):
        entries[int(number or 0)].append((str(name), int(amount or 0), int(delta or 0)))
    results = {}
    for row in database.execute(statements.CHARGES_BETWEEN, *numbers):
        number = int(row[0] or 0)
        _, _, kind, question, loss, what = (str(cell) for cell in row)
        with suppress(ValueError):  # terms that are no JSON are none of the log
            results[number] = charge_content(number, kind, question, loss, what, entries[number])
    return results


def _answers_in(database: LedgerDatabase, contents: list[JsonObject], events: list[str]) -> dict[int, str]:
    numbers = _numbers(contents, events, "answer")
    stored = database.execute(statements.ANSWERS_BETWEEN, *numbers) if numbers else []
    return {int(number or 0): sha256(f"{salt}{answer}") for number, salt, answer in stored}


def _numbers(contents: list[JsonObject], events: list[str], event: str) -> tuple[int, int] | None:
    """The first and the last charge that events of this kind speak of."""
    numbers = [int(content["charge"]) for content, kind in zip(contents, events, strict=True) if kind == event]
    return (min(numbers), max(numbers)) if numbers else None
