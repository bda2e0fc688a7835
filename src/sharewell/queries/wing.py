"""How a release publishes noisy tables of data that otherwise answers questions: charged to the same ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from sharewell.algorithm import DataError, Finding, Key, PolicyError, Role
from sharewell.io.sources import Source
from sharewell.parameters import values_of, with_values
from sharewell.plain_data import JsonObject
from sharewell.policy.model import Auto, Dataset
from sharewell.protocols import AnyAttack, Attack, Criteria, Mechanism, Protected
from sharewell.queries.accounts import Accounts
from sharewell.queries.attacks.membership import Membership, MembershipDetails
from sharewell.queries.data import EVERY, ConfidentialTable, Domain, LedgerEntry, NoisyTable, Paid, Values
from sharewell.queries.engine.attackers.published_marginals import noise_of
from sharewell.queries.engine.ledger import question_digest
from sharewell.queries.engine.ledger.registered_people import register_people
from sharewell.queries.loss import Loss
from sharewell.queries.policy import confidential_table, query_keys
from sharewell.wing import Capabilities, Claim, Dictionary, Published, Trees, Wing

COUNT = "count"
FALSIFIED = "differential privacy"
CHECKABLE: JsonObject = {
    "by anybody": "mechanism, scale and sensitivity of the noise, and the loss that follows from them",
    "by the steward": "that the ledger was charged this loss for this very table",
    "by nobody": "that the noise was drawn",
}
"""What the dictionary says of itself."""
_FACTORS = (0.125, 0.25, 0.5, 1, 2, 4)
"""Of the budget of a policy, by which a comparison sets others beside it."""
_LABEL, _NOISY = "label", "noisy count"
_FITTED = "mbi"
"""The package of mechanisms that fit a model for minutes."""


QueryData = ConfidentialTable | NoisyTable
"""What the wing opens, and what it publishes."""


class QueriesWing(Wing[QueryData]):
    """Rows that stay with the steward, and noisy tables of them."""

    usual_risk = f"{Membership.name}.bound"
    made_columns = frozenset({_NOISY})
    persons_by_subject = False
    counted_without_persons = "records"

    def capabilities(self) -> Capabilities[QueryData]:
        return Capabilities(workers=self, previewed=False)

    def with_workers(self, data: QueryData, processes: int, report_progress: Callable[[int], None]) -> QueryData:
        """The same data, of which long work reports how far it is; opendp uses the processors as it sees fit."""
        return replace(data, report_progress=report_progress) if isinstance(data, ConfidentialTable) else data

    def open(self, dataset: Dataset, base: Path, scratch: Path | None = None) -> ConfidentialTable:
        if isinstance(dataset.using.built, Auto) and not dataset.using.built.candidates:
            what = "answers questions and publishes nothing, because it has no `using`"
            hint = "ask it with `sharewell ask`, or add using: {noisy-marginals: {epsilon: …}}"
            raise PolicyError(f"datasets.{dataset.name} — {what} — {hint}")
        return confidential_table(dataset)

    def describe(self, data: QueryData) -> dict[str, JsonObject]:
        """What is declared of each column. Nothing is counted."""
        if isinstance(data, NoisyTable):
            return {name: {"role": str(Role.KEEP), "kind": _LABEL} for name in data.keys}
        return {
            name: {
                "role": data.roles.get(name, str(Role.KEEP)),
                "kind": "values" if isinstance(one, Values) else "number",
            }
            | {"distinct": len(one.labels), "missing": 0}
            for name, one in data.domains.items()
        }

    def size(self, data: QueryData) -> dict[str, int]:
        if isinstance(data, NoisyTable):
            return {"rows": data.rows, "cells": data.rows}
        return {"rows": data.rows, "counted": len(data.kept)}

    def risks(self, data: QueryData) -> list[Finding]:
        """None is measured: the loss bounds every attack."""
        return []

    def cautions(self, data: QueryData) -> list[str]:
        """What noise does not show: rows that do not count, and cells outside their domains. For the steward alone."""
        if isinstance(data, NoisyTable) or not data.rows:
            return []
        sentences = []
        if left_out := data.rows - len(data.kept):
            what = f"{left_out} of {data.rows} rows do not count: their persons have more than {data.rows_per_person}"
            sentences.append(f"{what}; more rows a person need as many times the noise")
        for place, (name, domain) in enumerate(data.domains.items()):
            outside = int((data.codes[:, place] == len(domain.labels) - 1).sum()) if isinstance(domain, Values) else 0
            if 2 * outside > len(data.kept):
                sentences.append(
                    f"column {name}: {outside} of {len(data.kept)} cells are none of its values and count as other"
                )
        return sentences

    def statement(self, dataset: Dataset) -> JsonObject:
        """What every account of the dataset has spent and may still spend, this release included."""
        balances, _ = Accounts.of(dataset).statement()
        return {
            "accounts": {
                name: {
                    "accounting": one.accounting,
                    "cap": one.cap.to_json(),
                    "spent": one.spent.to_json(),
                    "remaining": one.remaining.to_json(),
                }
                for name, one in balances.items()
            }
        }

    def variants(self, mechanism: Mechanism[QueryData]) -> Sequence[Mechanism[QueryData]]:
        """With smaller and larger budgets: how much error more privacy costs."""
        given = {name: values_of(mechanism).get(name) for name in ("epsilon", "rho")}
        budgets = {name: value for name, value in given.items() if isinstance(value, int | float)}
        if len(budgets) != 1:
            return (mechanism,)
        [(unit, own)] = budgets.items()
        return [with_values(mechanism, **{unit: own * factor}) for factor in _FACTORS]

    def attack_unprotected(self, attack: Attack[QueryData], data: QueryData) -> Finding:
        """Whoever has the rows themselves knows who is in them."""
        if isinstance(data, NoisyTable):
            return attack.mount(data)
        if not isinstance(attack, Membership):
            return super().attack_unprotected(attack, data)
        return Finding(attack.name, 1.0, unit="share", details=MembershipDetails(0, 0.0, None, 1.0, None, 1.0))

    def default_attacks(self, dataset: Dataset, released: QueryData) -> Sequence[AnyAttack]:
        """Whether somebody is in the data: what noise is for."""
        return (Membership(),) if isinstance(released, NoisyTable) and noise_of(released) is not None else ()

    def sample(self, data: QueryData, most: int) -> QueryData:
        """All of it: noise is of one size, whatever the number of rows."""
        return data

    def preferences(self, data: QueryData, criteria: Criteria[Any]) -> list[tuple[str, str]]:
        return [("noisy-marginals", "it publishes counts by the named columns")]

    def reserve(self, data: QueryData, dataset: Dataset) -> QueryData:
        """Charged before a row is counted; where the strictest ε is looked for, after it is known."""
        if not isinstance(data, ConfidentialTable) or dataset.using.follows:
            return data
        return replace(data, paid=_charged(dataset, _rehearsed(dataset, data), data))

    def publish(
        self,
        original: QueryData,
        protected: Protected[QueryData],
        dataset: Dataset,
        key: Key,
        scratch: Path | None = None,
    ) -> Published:
        """The noisy table with every declared column, and what the dataset was charged for it."""
        released = protected.data
        assert isinstance(released, NoisyTable)
        assert isinstance(original, ConfidentialTable)
        released = _with_every_column(released, original.domains)
        paid = original.paid or _charged(dataset, released.spent, original)
        entry = _entered(dataset, released, paid)
        dictionary = _facts(released, dataset, original.domains, paid.charge)
        evidence = pa.table({name: [value] for name, value in asdict(entry).items()})
        unit = "records" if query_keys(dataset).by_record else "persons"
        return Published(_whole(released.arrow), dictionary, evidence, unit=unit)

    def reopen(
        self, source: Source, columns: Dictionary, evidence: pa.Table | None = None, trees: Trees = None
    ) -> NoisyTable:
        """The table as its file shows it, and what the ledger was charged for it where that is at hand."""
        if source.names() != list(columns) or COUNT not in columns:
            raise DataError(f"{source.label} — its columns are not those of the certificate")
        spent = columns[COUNT].get("spent")
        if not isinstance(spent, Mapping):
            raise DataError(f"column {COUNT} — the certificate does not say what was spent on it")
        table = source.read()
        keys = {name: [str(cell) for cell in table[name].to_pylist()] for name in columns if name != COUNT}
        try:
            counts = np.array([float(str(cell)) for cell in table[COUNT].to_pylist()], dtype=np.float64)
        except ValueError:
            raise DataError(f"{source.label} — cells that hold no number") from None
        if not np.isfinite(counts).all():
            raise DataError(f"{source.label} — cells that hold no number")
        return NoisyTable(keys, counts, dict(spent), None if evidence is None else _entry(evidence))

    def certified_unit(self, claim: Claim, asked: Mapping[str, Any]) -> str:
        return "records" if asked.get("unit") == "record" else "persons"

    def contradictions(self, data: QueryData, claim: Claim, asked: Mapping[str, Any]) -> list[str]:
        """Every label is one that the dictionary declares, and the mechanism is the one that is claimed."""
        assert isinstance(data, NoisyTable)
        wrong = []
        for name, labels in data.keys.items():
            declared = {*claim.columns[name].get("labels", ()), EVERY}
            if claim.columns[name].get("kind") != _LABEL or not declared.issuperset(labels):
                wrong.append(f"column {name} — is not what the dictionary says")
        facts = claim.columns[COUNT]
        if facts.get("kind") != _NOISY or facts.get("falsified") != FALSIFIED:
            wrong.append(f"column {COUNT} — is not what the dictionary says")
        if data.entry is not None and facts.get("charge", data.entry.charge) != data.entry.charge:
            wrong.append(f"column {COUNT} — the ledger charged it under another number than the one claimed")
        if data.spent.get("mechanism") != claim.mechanism.get("name"):
            wrong.append(f"column {COUNT} — another mechanism is said to have drawn its noise than the one claimed")
        return wrong


def _with_every_column(released: NoisyTable, domains: Mapping[str, Domain]) -> NoisyTable:
    """A column that the table adds up over shows `*`."""
    return replace(released, keys={name: released.keys.get(name, [EVERY] * released.rows) for name in domains})


def _charged(dataset: Dataset, spent: JsonObject, original: ConfidentialTable) -> Paid:
    """Charge the dataset's account; what becomes of the release after that gives nothing back."""
    accounts, loss = Accounts.of(dataset), _loss(spent)
    what = {"dataset": dataset.name, "mechanism": spent.get("mechanism"), "terms": spent.get("terms")}
    question = question_digest(what, original.content)
    with accounts.opened() as (ledger, names):
        register_people(ledger, accounts.of_dataset, original)
        return Paid(ledger.charge(names, loss, question=question, what=what, kind="release").number, loss)


def _entered(dataset: Dataset, released: NoisyTable, paid: Paid) -> LedgerEntry:
    """Note which table a charge has paid for."""
    if not _loss(released.spent) <= paid.loss:
        raise DataError(f"{dataset.name} — the table cost more than the ledger was charged — nothing is published")
    with Accounts.of(dataset).opened() as (ledger, _):
        ledger.store_answer(paid.charge, {"published": released.digest})
    stated = paid.loss.to_json()
    return LedgerEntry(paid.charge, stated["epsilon"], stated["rho"], released.digest)


def _rehearsed(dataset: Dataset, data: ConfidentialTable) -> JsonObject:
    """What the release will spend, and what it would be refused for, as a table without rows shows.

    A model of records takes minutes to fit, so that its price alone is asked for.
    """
    if _FITTED not in dataset.mechanism.packages:
        protected = dataset.protect(data.without_rows(), Key.fresh()).data
        assert isinstance(protected, NoisyTable)
        return protected.spent
    price = {name: values_of(dataset.mechanism).get(name) for name in ("epsilon", "rho")}
    return {"mechanism": dataset.using.name, **price}


def _loss(spent: JsonObject) -> Loss:
    """The loss that opendp stated, exactly; a number of at most nine digits, as in a budget, by these digits."""
    epsilon, rho = spent.get("epsilon"), spent.get("rho")
    if rho is not None:
        return Loss.of(rho=rho if float(f"{rho:.9g}") == rho else Fraction(rho))
    return Loss.of(epsilon=epsilon if float(f"{epsilon:.9g}") == epsilon else Fraction(epsilon or 0))


def _facts(released: NoisyTable, dataset: Dataset, domains: Mapping[str, Domain], charge: int) -> dict[str, JsonObject]:
    """What the dictionary says of each column; labels are those that the policy declares, or that a mechanism makes."""
    facts: dict[str, JsonObject] = {}
    for name, labels in released.keys.items():
        made = dict.fromkeys(label for label in labels if label != EVERY and label not in domains[name].labels)
        claim: JsonObject = {"role": str(dataset.columns[name].role), "kind": _LABEL, "style": "public labels"}
        facts[name] = claim | {"labels": [*domains[name].labels, *made], "all": EVERY}
    number: JsonObject = {"role": str(Role.KEEP), "kind": _NOISY, "style": "with noise", "of": []}
    facts[COUNT] = number | {"falsified": FALSIFIED, "spent": released.spent, "charge": charge, "checkable": CHECKABLE}
    return facts


def _whole(table: pa.Table) -> pa.Table:
    """Counts as whole numbers, where they are."""
    counts = table[COUNT].to_numpy()
    if not np.array_equal(counts, np.rint(counts)):
        return table
    return table.set_column(table.column_names.index(COUNT), COUNT, pa.array(counts.astype(np.int64)))


def _entry(evidence: pa.Table) -> LedgerEntry:
    try:
        [row] = evidence.to_pylist()
        return LedgerEntry(**row)
    except (TypeError, ValueError):
        raise DataError("the evidence about the ledger does not belong to this file") from None
