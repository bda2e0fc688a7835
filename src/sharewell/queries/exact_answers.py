"""Exact counts and sums for trusted rooms, as long as no combination of them tells of few people.

A question is cut in two. What it says of columns that are not sensitive chooses the people: the query set, or one set
for each group. What it says of sensitive columns becomes a value of each person, 0 or 1, or a number that counts if the
condition holds; it is summed over the set. So the sets, and with them every refusal, depend on nothing that is secret.
A condition that mixes both in one `or` or `not` is refused, and so is every measure but counts and sums: the largest
value, a median or a mode is somebody's own. So is a sum of known numbers over people with a sensitive value: people of
one cell could not exchange their secrets without changing it, and only few of them add up to it.

History is what the ledger holds: every question that was answered exactly, of every analyst, with the groups that were
told. Sets are computed from it anew, so that no list of people is stored. Answers of different data would let people be
subtracted who came or went in between; and by other bins, values or roles the sets that were told could not be computed
anew. Once a question was answered, either is refused under the same name.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.plain_data import JsonObject
from sharewell.queries.data import ConfidentialTable, Range
from sharewell.queries.engine.accuracy import Accuracy
from sharewell.queries.engine.exact_control import ExactControl, Refusal
from sharewell.queries.engine.ledger import Charge, Ledger, question_digest
from sharewell.queries.engine.row_store import AMOUNT, CELL, RowStore, group_labels
from sharewell.queries.policy import Exact
from sharewell.queries.question import EVERYBODY, All, Condition, Question, QuestionError
from sharewell.roles import Role

MEASURES = ("count", "sum")
MOST_GROUPS = 5_000
_WHY = {
    "size": "it is about fewer than {least} people, or all but fewer than {least}",
    "overlap": "fewer than {least} people more or less than a set that was told",
    "cell": "with earlier answers, it would tell fewer than {least} people apart from all others",
    "combination": "with earlier answers, it could single out fewer than {least} people",
}


@dataclass(frozen=True)
class _Parts:
    """A question, cut in two."""

    public: Condition
    secret: Condition
    public_groups: tuple[str, ...]


@dataclass(frozen=True)
class ExactAnswer:
    """An exact answer, and the note of it in the ledger."""

    rows: Sequence[JsonObject]
    charge: int
    stored: bool


class ExactAnswers:
    """Everything that is told of one table. Threads may share it; other processes see each other in the ledger."""

    def __init__(self, table: ConfidentialTable, how: Exact, content: str, rows: Callable[[], RowStore]) -> None:
        """`content` names the data as it is."""
        self._table, self._how, self._content, self._open = table, how, content, rows
        self._secret = {name for name, role in table.roles.items() if role == str(Role.SENSITIVE)}
        self._lock = threading.Lock()
        self._forget()

    def understood(self, question: Question) -> Question:
        """The question held against what is declared and what can be told exactly; reads no row."""
        asked = question.about(self._table.domains)
        self._parts(asked)
        return asked

    def ask(self, asked: Question, ledger: Ledger, accounts: Sequence[str]) -> ExactAnswer:
        """The exact answer; groups that may not be told have no value. QuestionError if none may."""
        asked = self.understood(asked)
        with self._lock:
            while True:
                seen = self._catch_up(ledger, accounts[0])
                if (earlier := self._noted.get(asked.text)) is not None:
                    return ExactAnswer(self._answer(asked, earlier[1]), earlier[0], stored=True)
                refusals = self._decided(asked)
                noted = ledger.note_exact(accounts, **self._note(asked, refusals), after=seen)
                if noted is not None:
                    break
                self._forget()  # somebody else was told something meanwhile: decide anew
            rows = self._answer(asked, noted.what["told"])
            ledger.store_answer(noted, {"rows": rows})
            return ExactAnswer(rows, noted.number, stored=False)

    def _forget(self) -> None:
        self._control: ExactControl | None = None
        self._last = 0
        self._noted: dict[str, tuple[int, list[int]]] = {}

    def _audit(self, expected: int = 0) -> ExactControl:
        if self._control is None:
            people = len(self._open().passing(EVERYBODY))
            self._control = ExactControl(people, self._how.least, self._how.rule, expected)
        return self._control

    def _catch_up(self, ledger: Ledger, account: str) -> int:
        """Keep in mind what was told since; how many charges the account has."""
        history = ledger.history(account)
        self._audit(len(history))
        for charge in history:
            if charge.kind == "exact" and charge.number > self._last:
                self._remember(charge)
                self._last = charge.number
        return len(history)

    def _remember(self, charge: Charge) -> None:
        what = charge.what
        if what.get("data") != self._data:
            hint = "give the changed data another dataset name, if analysts may know answers about both"
            what_changed = "the data, or what the policy says of its columns, changed since the first of them"
            raise DataError(f"exact answers — {what_changed} — {hint}")
        asked = Question.of(what["question"]).about(self._table.domains)
        answered: list[int] = what["told"]
        group, first = self._public_groups(asked)
        for place in dict.fromkeys(first[i] for i in answered):
            self._audit().remember(group == place)
        self._noted[asked.text] = (charge.number, answered)

    @property
    def _data(self) -> str:
        """Names the rows and what the policy says of them: by other bins or roles, questions told of other people."""
        return question_digest(["exact answers", self._table.declared, sorted(self._secret)], self._content)

    def _note(self, asked: Question, refusals: Sequence[Refusal]) -> JsonObject:
        answered = [i for i, why in enumerate(refusals) if not why]
        how = {"mode": "exact", "least": self._how.least, "rule": self._how.rule}
        what = {**how, "question": asked.to_json(), "told": answered, "data": self._data}
        return {"question": question_digest(what, self._content), "what": what}

    def _decided(self, asked: Question) -> list[Refusal]:
        """Why each group may not be told, where it may not. Nothing that is secret is looked at."""
        group, first = self._public_groups(asked)
        by_public = self._audit().grant_groups(group, max(first) + 1)
        refusals = [by_public[place] for place in first]
        if all(refusals):
            whys = "; ".join(_WHY[why].format(least=self._how.least) for why in dict.fromkeys(refusals))
            raise QuestionError("", f"cannot be answered exactly: {whys}", "ask about more people")
        return refusals

    def _parts(self, asked: Question) -> _Parts:
        if asked.measure.name not in MEASURES:
            what = f"{asked.measure.name} is not told exactly, because it can be one person's own value"
            raise QuestionError("measure", what, f"ask for {' or '.join(MEASURES)}")
        condition = asked.condition
        public: list[Condition] = []
        secret: list[Condition] = []
        for part in condition.parts if isinstance(condition, All) else (condition,):
            named = set(Question(condition=part).columns)
            if named & self._secret and named - self._secret:
                what = "mixes sensitive and other columns, so that sensitive values would decide who is counted"
                raise QuestionError("filter", what, "join the conditions with and")
            (secret if named & self._secret else public).append(part)
        if len(group_labels(dict(self._table.domains), asked.group_by)) > MOST_GROUPS:
            raise QuestionError("group_by", f"makes more than {MOST_GROUPS} groups", "name fewer columns")
        groups = tuple(name for name in asked.group_by if name not in self._secret)
        column, asks_secrets = asked.measure.column, bool(secret) or len(groups) < len(asked.group_by)
        if asks_secrets and column is not None and column not in self._secret:
            what = f"adds up {column}, which is no secret, over people with a sensitive value: it tells who they are"
            raise QuestionError("measure", what, f"count them, or have the policy call {column} sensitive")
        if self._how.rule == "sums" and asks_secrets:
            what = "asks who has a sensitive value: sums of zeros and ones can be solved for, however they are audited"
            raise QuestionError("", what, "ask for a sum of numbers, or have the policy say rule: cells")
        return _Parts(All(tuple(public)), All(tuple(secret)), groups)

    def _public_groups(self, asked: Question) -> tuple[NDArray[np.int64], list[int]]:
        """(the query set of each person, or -1; of each group of the answer, its query set)"""
        parts, domains, rows = self._parts(asked), dict(self._table.domains), self._open()
        cells = rows.cells(EVERYBODY, parts.public_groups).collect()[CELL].to_numpy().astype(np.int64)
        places = {tuple(one.values()): i for i, one in enumerate(group_labels(domains, parts.public_groups))}
        first = [
            places[tuple(one[name] for name in parts.public_groups)] for one in group_labels(domains, asked.group_by)
        ]
        return np.where(rows.passing(parts.public), cells, -1), first

    def _answer(self, asked: Question, answered: Sequence[int]) -> list[JsonObject]:
        """Sums over the people of the sets, of values that are secret."""
        parts, rows, column = self._parts(asked), self._open(), asked.measure.column
        inside = rows.passing(All((parts.public, parts.secret)))
        cells = rows.cells(EVERYBODY, asked.group_by, column).collect()
        amounts = np.ones(len(inside), np.int64) if column is None else cells[AMOUNT].to_numpy()
        groups = group_labels(dict(self._table.domains), asked.group_by)
        sums = np.zeros(len(groups), np.int64)
        np.add.at(sums, cells[CELL].to_numpy()[inside], amounts[inside])
        given = set(answered)
        return [
            {"group": group, "value": self._shown(asked, total) if i in given else None, "low": None, "high": None}
            for i, (group, total) in enumerate(zip(groups, sums.tolist(), strict=True))
        ]

    def _shown(self, asked: Question, total: int) -> int | float:
        domain = None if asked.measure.column is None else self._table.domains[asked.measure.column]
        return domain.shown(total) if isinstance(domain, Range) else total


def exact_accuracy(how: Exact) -> Accuracy:
    note = (
        f"exact, without noise: nothing is told of fewer than {how.least} people, alone or by combining all answers;"
        " differential privacy bounds nothing here, and a sum of 0, or of as many as there are, tells everybody's"
    )
    return Accuracy("none", 0.0, 0.0, 0.0, note)
