"""What the service does for an analyst, without HTTP: each function gives plain data, or raises."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from sharewell.plain_data import Json, JsonObject
from sharewell.queries.data import Range
from sharewell.queries.engine.ledger import Charge
from sharewell.queries.open_dataset import OpenDataset
from sharewell.queries.question import MEASURES, OPERATORS, Question
from sharewell.queries.service.limits import Limits
from sharewell.queries.service.problems import Refused, log_line
from sharewell.queries.service.tokens import Token
from sharewell.queries.service.workers import Workers
from sharewell.queries.session import Session

HISTORY = 500
"""This many of the newest charges are told."""
_FIELDS = ("question", "epsilon", "rho", "dry_run")


class Desk:
    """Answers for one dataset. Its rows are read once, before anybody's question, so that none has to wait for it."""

    def __init__(self, data: OpenDataset, limits: Limits, workers: Workers, log: Callable[[str], None]) -> None:
        self._data, self._limits, self._workers, self._log = data, limits, workers, log
        self._preparing = threading.Lock()
        self._can_answer: bool | None = None

    def prepare(self) -> bool:
        """Read the rows and load what draws noise, once; can questions be answered? Nothing is told or charged."""
        with self._preparing:
            if self._can_answer is None:
                self._can_answer = self._prepared()
            return self._can_answer

    def _prepared(self) -> bool:
        try:
            self._data.rows()
            column = next(iter(self._data.table.domains))
            Session(self._data).cost({"measure": {"histogram": column}}, epsilon=1.0)
            return bool(self._data.content)
        except Exception as error:
            self._log(f"the data cannot be read: {log_line(error)}")
            return False

    def ask(self, token: Token, body: Mapping[str, Json]) -> JsonObject:
        """The answer, charged before a row is looked at; with dry_run, the cost alone."""
        question, price, dry_run = _asked(body)
        session = Session(self._data, token.analyst)
        if not dry_run and not self.prepare():
            raise Refused("not-ready")
        with self._workers.turn():
            answer = session.cost(question, **price) if dry_run else session.ask(question, **price)
        return answer.to_json()

    def cost(self, token: Token, body: Mapping[str, Json]) -> JsonObject:
        return self.ask(token, {**body, "dry_run": True})

    def budget(self, token: Token, body: Mapping[str, Json]) -> JsonObject:
        accounts = self._data.accounts
        result = Session(self._data, token.analyst).budget()
        own, everybody = result[accounts.of_analyst(token.analyst)], result[accounts.of_dataset]
        claim: JsonObject = {"dataset": self._data.name, "analyst": token.analyst, "accounting": own.accounting}
        return {**claim, "own": own.to_json(), "everybody": everybody.to_json()}

    def history(self, token: Token, body: Mapping[str, Json]) -> JsonObject:
        charges = Session(self._data, token.analyst).history()
        return {"charges": len(charges), "newest": [_charge(one) for one in charges[-HISTORY:]]}

    def earlier(self, token: Token, body: Mapping[str, Json]) -> JsonObject:
        """The answer that one of the analyst's own charges paid for, as it was given."""
        session = Session(self._data, token.analyst)
        charge = next((one for one in session.history() if one.number == body["charge"]), None)
        if charge is None:
            raise Refused("not-found")
        own = self._data.accounts.of_analyst(token.analyst)  # others may have paid for another answer to the same
        stored = self._data.ledger().stored_answer(charge.question, charge.loss, of=own)
        if stored is None or not isinstance(stored.answer, dict):
            raise Refused("not-found")
        asked = Question.of(charge.what["question"]).text
        paid = {"loss": charge.loss.to_json(), "charge": charge.number}
        return {"question": asked, **stored.answer, **paid, "stored": True}

    def schema(self, token: Token, body: Mapping[str, Json]) -> JsonObject:
        """What the policy says is public. No row is read for it."""
        table, budget = self._data.table, self._data.accounts.budget
        columns: list[JsonObject] = []
        for name, domain in table.domains.items():
            facts: JsonObject = {"name": name, "labels": list(domain.labels)}
            bounds = {"low": domain.low, "high": domain.high} if isinstance(domain, Range) else {}
            columns.append({**facts, "kind": "number" if bounds else "values", **bounds})
        return {
            "dataset": self._data.name,
            "analyst": token.analyst,
            "scopes": list(token.scopes),
            "expires": token.expires,
            "columns": columns,
            "measures": list(MEASURES),
            "operators": list(OPERATORS),
            "rows_per_person": table.rows_per_person,
            "neighbours": table.neighbours,
            "accounting": budget.accounting,
            "minimum_seconds": self._limits.minimum,
        }


def _asked(body: Mapping[str, Json]) -> tuple[Mapping[str, Json], dict[str, float | None], bool]:
    """Question, price, and whether only its cost is wanted."""
    question, dry_run = body.get("question"), body.get("dry_run", False)
    price = {unit: body.get(unit) for unit in ("epsilon", "rho")}
    numbers = all(isinstance(one, int | float | None) and not isinstance(one, bool) for one in price.values())
    if set(body) - set(_FIELDS) or not isinstance(question, dict) or not isinstance(dry_run, bool) or not numbers:
        raise Refused("wrong-request", f"known: {', '.join(_FIELDS)}; question is an object, epsilon or rho a number")
    return question, price, dry_run


def _charge(one: Charge) -> JsonObject:
    claim: JsonObject = {"charge": one.number, "at": one.at, "loss": one.loss.to_json(), "answered": one.answered}
    return {**claim, "question": one.what.get("question"), "noise": one.what.get("noise")}
