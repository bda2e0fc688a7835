"""A durable ledger of privacy budgets, shared by every process that answers questions or makes releases.

Accounts are opened for analysts, datasets and releases; each has a cap. A charge names all accounts that it goes
against and is granted only if every one of them has room, in one transaction. The account of a dataset caps what all
analysts together may learn from it: those who share their answers gain nothing.

**Reserve, commit, compute.** `charge` is on disk before it returns, and only then may data be read. Nothing is ever
given back: once data was touched, a failure, its time or its message may have told something. A process that dies
between charge and answer has spent its budget. `store_answer` keeps the answer, and who asks the same again at the same
cost is given it for nothing: a fresh answer would let them average the noise away. Somebody else who asks the same is
given the same answer, and pays from their own account alone (`share_answer`).

**The same question twice at once.** `answer_or_charge` looks for a stored answer and charges in one transaction. If
another process has charged for the same question and is still computing, it waits for that answer; if none comes, it
charges anew. Waiting saves work and budget; no decision about budget depends on it, or on any clock.

>>> from sharewell.queries.loss import Loss
>>> import tempfile, pathlib
>>> ledger = Ledger.open(pathlib.Path(tempfile.mkdtemp()) / "ledger.sqlite")
>>> for account in ("dataset:patients", "analyst:Ada"):
...     _ = ledger.open_account(account, Loss.of(epsilon=1), "pure")
>>> paid = ledger.charge(["dataset:patients", "analyst:Ada"], Loss.of(epsilon="0.6"), question="how many?", what={})
>>> ledger.store_answer(paid, {"count": 812})
>>> ledger.stored_answer("how many?", Loss.of(epsilon="0.6"), of="analyst:Ada").answer
{'count': 812}
>>> ledger.charge(["dataset:patients"], Loss.of(epsilon="0.5"), question="how old?", what={})  # doctest: +ELLIPSIS
Traceback (most recent call last):
    ...
sharewell.errors.BudgetExhausted: dataset:patients — 0.4 of epsilon 1 are left, 0.5 are needed — ask for less...
>>> print(ledger.balance("dataset:patients").remaining, "|", ledger.verify_chain().ok, ledger.recount().ok)
epsilon 0.4 | True True
>>> ledger.close()
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from sharewell.errors import BudgetExhausted, DataError
from sharewell.io.ledger_database import Cell, LedgerDatabase, Work, open_database
from sharewell.keys import Key
from sharewell.plain_data import Json, JsonObject
from sharewell.queries.engine.ledger import ledger_check, statements
from sharewell.queries.engine.ledger.audit_log import AuditLog, Head, canonical, first_digest, sha256
from sharewell.queries.engine.ledger.ledger_check import accounting_of, charge_content
from sharewell.queries.engine.ledger.ledger_place import create_tables
from sharewell.queries.engine.ledger.privacy_accounting import Accounting, as_loss, cap_units, counted, guarantee
from sharewell.queries.engine.ledger.records import Balance, ChainCheck, Charge, Kind, Recount, StoredAnswer
from sharewell.queries.loss import DELTA, EPSILON, RHO, Amount, Loss, in_decimals

WAIT = 10.0
"""Seconds that a question waits for the answer to the same question, asked by somebody else at the same time."""
_LONGEST = {"account": 200, "reason": 1000, "question": 1000, "what": 100_000, "answer": 10_000_000}


class Ledger:
    """An open ledger. Threads may share it; another process opens its own."""

    def __init__(self, database: LedgerDatabase, key: Key | None = None) -> None:
        """Use `Ledger.open`."""
        self._database = database
        self._key = key
        with database.reading():
            exists = statements.TABLES & database.tables()
        if not exists:
            self._create()
        with database.reading():
            _, identity, key_check, *_ = self._head()
        self._identity = str(identity)
        self._sealed = key_check is not None
        if key is not None and key_check != _key_check(key, self._identity):
            wrong = "was sealed with another key" if self._sealed else "was created without a key"
            raise DataError(f"{self.label} — {wrong} — open it with the key it was created with")
        self._log = AuditLog(database, self._identity, key)

    @classmethod
    def open(cls, where: str | Path, *, create: bool = True, key: Key | None = None) -> Ledger:
        """Open the ledger in a file, or at `postgresql://…`; create it if there is none and `create` is given.

        With a key the audit log is sealed: a ledger that was created with one is written with the same one alone.
        """
        database = open_database(where, create=create)
        try:
            if not create:
                with database.reading():
                    if not statements.TABLES & database.tables():
                        raise DataError(f"{database.label} — contains no ledger — create one, or correct its name")
            return cls(database, key)
        except BaseException:
            database.close()
            raise

    @property
    def label(self) -> str:
        """Where it is kept, without a password."""
        return self._database.label

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._database.close()

    # Accounts

    def open_account(self, name: str, cap: Loss, accounting: Accounting = "pure", delta: Amount = 0) -> Balance:
        """Open an account, or find it as it was opened. `delta`: of zcdp, that at which epsilon is to be stated.

        An account that exists with another accounting, delta or cap is refused; see `set_cap`.
        """
        _short("account", name)
        if accounting not in ("pure", "zcdp"):
            raise DataError(f"{name} — there is no such accounting — choose pure or zcdp")
        stated = Loss.of(epsilon=0, delta=delta).delta
        most = cap_units(accounting, cap, stated)
        with self._writing() as head:
            results = self._database.execute(statements.ACCOUNT, name)
            if not results:
                content = {"account": name, "accounting": accounting, "delta": stated, "cap": list(most)}
                self._log.append(head, "account", content, (statements.NEW_ACCOUNT, name, accounting, stated, *most))
            elif results[0][1:3] != (accounting, stated):
                raise DataError(f"{name} — was opened with another accounting or delta — these never change")
            elif results[0][3:5] != most:
                raise DataError(f"{name} — was opened with another cap — change it with set_cap, and say why")
            return self._balance(name)

    def set_cap(self, name: str, cap: Loss, *, why: str) -> Balance:
        """Raise or lower a cap. The audit log keeps the reason. What was spent stays spent."""
        _short("reason", why)
        with self._writing() as head:
            account = self._account(name)
            most = cap_units(accounting_of(account), cap, int(account[2] or 0))
            content = {"account": name, "before": list(account[3:5]), "cap": list(most), "why": why}
            self._log.append(head, "cap", content, (statements.SET_CAP, *most, name))
            return self._balance(name)

    def balance(self, account: str) -> Balance:
        with self._database.reading():
            return self._balance(account)

    def accounts(self) -> dict[str, Balance]:
        """All accounts by name."""
        with self._database.reading():
            return {str(row[0]): _balance_of(row) for row in self._database.execute(statements.ACCOUNTS)}

    def history(self, account: str) -> list[Charge]:
        """All charges against an account, in order."""
        with self._database.reading():
            self._account(account)
            results = self._database.execute(statements.CHARGES_OF, account)
            charged: dict[Cell, list[str]] = {row[0]: [] for row in results}
            for number, name in self._database.execute(statements.ACCOUNTS_OF_CHARGES, account):
                charged[number].append(str(name))
        return [_charge_of(row, charged[row[0]]) for row in results]

    # Charges and answers

    def charge(
        self, accounts: Sequence[str], loss: Loss, *, question: str, what: Mapping[str, Json], kind: Kind = "question"
    ) -> Charge:
        """Spend a loss on all of these accounts, or on none of them. When it returns, it is on disk.

        `question` is `question_digest` of what is asked; `what` describes it for readers of the ledger (mechanism,
        parameters), without any value of a cell. Raises BudgetExhausted if an account has no room.
        """
        with self._writing() as head:
            return self._charge(head, accounts, loss, question, what, kind)

    def note_exact(
        self, accounts: Sequence[str], *, question: str, what: Mapping[str, Json], after: int
    ) -> Charge | None:
        """Note a question that will be answered exactly; None if the first account was charged more than `after` times.

        Who decides by all that was told before looks at the history, decides, and notes; if somebody else was quicker,
        the decision is made anew.
        """
        with self._writing() as head:
            if int(self._account(accounts[0])[7] or 0) != after:
                return None
            return self._charge(head, accounts, Loss.of(epsilon=0), question, what, "exact")

    def answer_or_charge(
        self,
        accounts: Sequence[str],
        loss: Loss,
        *,
        question: str,
        what: Mapping[str, Json],
        of: str | None,
        wait: float = WAIT,
    ) -> StoredAnswer | Charge:
        """The stored answer to this question at this cost, or a charge for computing it now.

        `of` is the account whose earlier answers may be given again; None: anybody's. Whoever gets a charge stores
        the answer, or abandons the charge, so that others need not wait for it.
        """
        if (known := self.stored_answer(question, loss, of=of)) is not None:
            return known
        awaited, until = 0, time.monotonic() + wait
        while True:
            with self._writing() as head:
                result, pending = self._asked(question, loss, of)
                if result is not None:
                    return result
                if pending > awaited:  # somebody is at it: wait for them from now on
                    awaited, until = pending, time.monotonic() + wait
                if not pending or pending < awaited or time.monotonic() >= until:
                    return self._charge(head, accounts, loss, question, what, "question")
            while time.monotonic() < until:
                time.sleep(0.02)
                with self._database.reading():
                    result, pending = self._asked(question, loss, of)
                if result is not None:
                    return result
                if pending != awaited:
                    break

    def stored_answer(self, question: str, loss: Loss, *, of: str | None) -> StoredAnswer | None:
        """The first answer to this question at this cost that account `of` paid for, or (None) any account."""
        with self._database.reading():
            return self._asked(question, loss, of)[0]

    def store_answer(self, charge: Charge | int, answer: Json) -> None:
        """Keep the answer that a charge paid for. An answer that is kept is not replaced by another."""
        number, text = _number(charge), canonical(answer)
        _short("answer", text)
        with self._writing() as head:
            if not 1 <= number <= head.charges:
                raise DataError(f"{self.label} — there is no charge {number} — charge before you answer")
            if earlier := self._database.execute(statements.ANSWER, number):
                if earlier[0][1] != text:
                    raise DataError(f"{self.label} — charge {number} has another answer — charge anew for a new one")
                return
            self._keep_answer(head, number, text)

    def share_answer(
        self, known: StoredAnswer, account: str, loss: Loss, *, question: str, what: Mapping[str, Json]
    ) -> StoredAnswer:
        """Give an answer that others paid for to this account, which pays for it too, once.

        The account of the dataset is not charged again: the same number told twice reveals nothing more. That of the
        analyst is, so that its cap bounds what this analyst was told.
        """
        with self._writing() as head:
            own, _ = self._asked(question, loss, account)
            if own is None:
                paid = self._charge(head, [account], loss, question, what, "question")
                self._keep_answer(Head.of(*self._head()[3:]), paid.number, canonical(known.answer))
                own = StoredAnswer(paid.number, known.answer)
        return own

    def _keep_answer(self, head: Head, number: int, text: str) -> None:
        salt = secrets.token_hex(16)
        content: JsonObject = {"charge": number, "answer": sha256(salt + text)}
        kept = (statements.NEW_ANSWER, number, salt, text)
        self._log.append(head, "answer", content, kept, (statements.SETTLE, number))

    def abandon(self, charge: Charge | int) -> None:
        """Say that no answer will come, so that nobody waits for it. What was charged stays spent."""
        with self._database.writing():
            self._database.execute(statements.SETTLE, _number(charge))

    # What is kept beside the accounts

    def note(self, event: str, content: JsonObject, work: Work) -> None:
        """Change one row that is kept beside the accounts, and write to the audit log about it, or do neither."""
        with self._writing() as head:
            if self._log.append(head, event, content, work) != [1]:
                raise DataError(f"{self.label} — there is no such row, or it was changed already — look again")

    @property
    def identity(self) -> str:
        """A random name of this ledger."""
        return self._identity

    def noted(self, event: str) -> list[JsonObject]:
        """What the audit log says of all events of a kind."""
        with self._database.reading():
            return self._events(event)

    def note_unless(self, event: str, content: JsonObject, refuse: Callable[[list[JsonObject]], None]) -> None:
        """Write to the audit log alone, unless what it says of such events is refused."""
        with self._writing() as head:
            refuse(self._events(event))
            self._log.append(head, event, content)

    def look_up(self, statement: str, *values: Cell) -> list[tuple[Cell, ...]]:
        """Rows that are kept beside the accounts."""
        with self._database.reading():
            return self._database.execute(statement, *values)

    # Checks

    def recount(self) -> Recount:
        """Add up all charges anew and compare with what the accounts say."""
        with self._database.reading():
            return ledger_check.recount(self._database)

    def verify_chain(self, expected: str | None = None) -> ChainCheck:
        """Check the audit log, and the tables against it. `expected`: a head that was kept elsewhere.

        With `recount`, it shows that what accounts have spent is what the log says.
        """
        with self._database.reading():
            head = Head.of(*self._head()[3:])
            if damage := self._database.damage():
                return ChainCheck(0, f"0:{first_digest(self._identity)}", 1, damage)
            chain = self._log.check(head.line, head.digest, expected)
            return ledger_check.check_tables(self._database, self._log, chain) if chain.ok else chain

    def head(self) -> str:
        """Number and digest of the last row of the audit log. Keep it elsewhere, for `verify_chain`."""
        with self._database.reading():
            head = Head.of(*self._head()[3:])
            return f"{head.line}:{head.digest}"

    # Within a transaction

    def _create(self) -> None:
        with self._database.writing():
            if not create_tables(self._database):
                return  # somebody was quicker
            identity = secrets.token_hex(16)
            check = None if self._key is None else _key_check(self._key, identity)
            self._database.execute(statements.NEW_HEAD, statements.VERSION, identity, check, first_digest(identity))

    def _head(self, lock: str = "") -> tuple[Cell, ...]:
        head = self._database.execute(statements.HEAD + lock)
        if len(head) != 1:
            raise DataError(f"{self.label} — is incomplete — restore it from a copy")
        if (version := head[0][0]) == statements.MOVED:
            raise DataError(f"{self.label} — was moved — open it where it was moved to")
        if version != statements.VERSION:
            raise DataError(f"{self.label} — is of version {version}, not {statements.VERSION} — use its own sharewell")
        return head[0]

    @contextmanager
    def _writing(self) -> Iterator[Head]:
        """A transaction, alone with the ledger and its end."""
        if self._sealed and self._key is None:
            raise DataError(f"{self.label} — is sealed — open it with its key to write")
        with self._database.writing():
            yield Head.of(*self._head(self._database.row_lock)[3:])

    def _charge(
        self, head: Head, accounts: Sequence[str], loss: Loss, question: str, what: Mapping[str, Json], kind: Kind
    ) -> Charge:
        if isinstance(accounts, str) or not accounts or len(set(accounts)) < len(accounts):
            raise DataError("charge — name one account or more, each once")
        names, described = sorted(accounts), canonical(dict(what))
        _short("question", question)
        _short("what", described)
        if kind not in ("question", "release", "exact"):
            raise DataError("charge — there is no such kind — charge for a question or a release")
        if loss.is_zero != (kind == "exact"):
            raise DataError("charge — costs nothing, which no answer from data does — state what it costs")
        results = self._accounts_named(names)
        entries = [(name, *counted(accounting_of(results[name]), loss)) for name in names]
        _refuse_without_room(results, entries)
        number, terms = head.charges + 1, canonical(loss.to_json())
        changed = self._log.append(
            head,
            "charge",
            charge_content(number, kind, question, terms, described, entries),
            *((statements.SPEND, amount, delta, name, amount, delta) for name, amount, delta in entries),
            (statements.NEW_CHARGE, number, head.at, kind, question, terms, described),
            *((statements.NEW_ENTRY, name, number, amount, delta) for name, amount, delta in entries),
            charges=1,
        )
        if changed != [1] * len(changed):  # undoes all of it
            raise BudgetExhausted(f"{', '.join(names)} — one has no room left — ask for less", accounts=names)
        return Charge(number, kind, question, loss, tuple(names), json.loads(described), head.at)

    def _asked(self, question: str, loss: Loss, of: str | None) -> tuple[StoredAnswer | None, int]:
        """The first stored answer, or the newest charge of which an answer may still come (0: there is none)."""
        terms = canonical(loss.to_json())
        if of is None:
            rows = self._database.execute(statements.ASKED, question, terms)
        else:
            rows = self._database.execute(statements.ASKED_BY, question, terms, of)
        if rows and rows[0][2] is not None:
            return StoredAnswer(int(rows[0][0] or 0), _read(rows[0][2])), 0
        return None, max((int(number or 0) for number, pending, _ in rows if pending), default=0)

    def _events(self, event: str) -> list[JsonObject]:
        return [json.loads(str(content)) for (content,) in self._database.execute(statements.EVENTS, event)]

    def _account(self, name: str) -> tuple[Cell, ...]:
        return self._accounts_named([name])[name]

    def _accounts_named(self, names: Sequence[str]) -> dict[str, tuple[Cell, ...]]:
        statement = statements.ACCOUNTS_NAMED.replace("(?)", f"({', '.join('?' * len(names))})")
        results = {str(row[0]): row for row in self._database.execute(statement, *names)}
        if unknown := [name for name in names if name not in results]:
            raise DataError(f"{', '.join(unknown)} — there is no such account — open it first")
        return results

    def _balance(self, name: str) -> Balance:
        return _balance_of(self._account(name))


def question_digest(question: Json, content: str) -> str:
    """Names a question to a dataset as it is now: `question` in its one canonical form, `content` a digest of the rows.

    >>> question_digest({"count": {"sex": "F"}}, "abc") == question_digest({"count": {"sex": "F"}}, "abd")
    False
    """
    return sha256(canonical([question, content]))


def _charge_of(row: tuple[Cell, ...], accounts: Sequence[str]) -> Charge:
    number, at, kind, question, loss, what, answer = row
    paid = int(number or 0), cast(Kind, kind), str(question), Loss.from_json(_read(loss))
    return Charge(*paid, tuple(accounts), _read(what), str(at), answer is not None)


def _read(stored: Cell) -> Json:
    try:
        return json.loads(str(stored))
    except ValueError:
        raise DataError("ledger — holds what nobody stored there — check it with verify_chain") from None


def _balance_of(row: tuple[Cell, ...]) -> Balance:
    accounting = accounting_of(row)
    delta, cap, cap_delta, spent, spent_delta, charges = (int(cell or 0) for cell in row[2:])
    left = max(0, cap - spent), max(0, cap_delta - spent_delta)
    whole, used = as_loss(accounting, cap, cap_delta), as_loss(accounting, spent, spent_delta)
    kept = guarantee(accounting, delta, spent, spent_delta, charges)
    return Balance(str(row[0]), accounting, whole, used, as_loss(accounting, *left), charges, kept)


def _refuse_without_room(accounts: Mapping[str, tuple[Cell, ...]], entries: Sequence[tuple[str, int, int]]) -> None:
    """Name every account that has no room. The update that spends decides; this says what it would decide."""
    lacking = {}
    for name, amount, delta in entries:
        row = accounts[name]
        cap, cap_delta, spent, spent_delta = (int(cell or 0) for cell in row[3:7])
        measure, places = ("epsilon", EPSILON) if row[1] == "pure" else ("rho", RHO)
        for units, most, used, word, digits in (
            (amount, cap, spent, measure, places),
            (delta, cap_delta, spent_delta, "delta", DELTA),
        ):
            if used + units > most and name not in lacking:
                left, whole, needed = (in_decimals(n, digits) for n in (max(0, most - used), most, units))
                lacking[name] = f"{name} — {left} of {word} {whole} are left, {needed} are needed"
    if lacking:
        raise BudgetExhausted(
            "; ".join(lacking.values()) + " — ask for less, or have the cap raised", accounts=list(lacking)
        )


def _short(part: str, text: str) -> None:
    if not text or len(text) > _LONGEST[part] or not text.isprintable():
        raise DataError(f"{part} — must be a text of 1 to {_LONGEST[part]} printable characters")


def _number(charge: Charge | int) -> int:
    return charge if isinstance(charge, int) else charge.number


def _key_check(key: Key, identity: str) -> str:
    return key.digest("ledger key", identity).hex()
