"""How a release runs tables of counts and sums: from patients to a table, hidden or rounded, and read again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from sharewell.errors import DataError, PolicyError
from sharewell.findings import Finding
from sharewell.hierarchy import Hierarchy, from_spec
from sharewell.hierarchy.certified_names import told
from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.policy.model import Dataset
from sharewell.protocols import Attack, Criterion, Protected
from sharewell.reports.counts.attacks.table_interval import TableInterval
from sharewell.reports.counts.data import ESTIMATES, HIDDEN, Contributions, CountTable, Rounding
from sharewell.reports.counts.engine.dimensions import Dimension
from sharewell.reports.counts.engine.relations import Ints
from sharewell.reports.counts.engine.tabulation import tabulate
from sharewell.reports.gathering.engine.randomised_answers import Randomised
from sharewell.reports.policy import report_sources
from sharewell.roles import Role
from sharewell.wing import Capabilities, Claim, ColumnFacts, Published, Wing

EVIDENCE = ["cell", "person", "amount", "salt", "published"]
"""The true cells: a place among the rows of the published file, of sums who contributes, and how much. The certificate
holds the hash of all this: without a salt, whoever has few tables left to choose from could try them all. `published`
is the hash of what was shown, and of how it was said to be read: numbers that are said to be rounded further than they
are, or to be drawn when they are true, would seem to tell less."""

MOST_DECIMALS = 18
"""Numbers in units of their last decimal are held in 64 bits."""


class CountsWing(Wing[CountTable]):
    """One table a dataset."""

    usual_risk = TableInterval.name

    def capabilities(self) -> Capabilities[CountTable]:
        return Capabilities(columns=self)

    def open(self, dataset: Dataset, base: Path, scratch: Path | None = None) -> CountTable:
        """The table with every total, from the files of all owners."""
        rules = dataset.columns
        dimensions = [name for name, rule in rules.items() if rule.role is Role.QUASI]
        if not dimensions:
            raise PolicyError(f"datasets.{dataset.name}.columns — no dimension — give columns the role quasi")
        measure = report_sources(dataset).measure
        if (measure or "count") in dimensions:
            raise PolicyError(f"datasets.{dataset.name}.columns — the numbers are called {measure or 'count'} already")
        subject = next((name for name, rule in rules.items() if rule.role is Role.SUBJECT), None)
        trees = {name: from_spec(rules[name].hierarchy, base) for name in dimensions if rules[name].hierarchy}
        sources = [dataset.read, *dataset.own.more_rows()]
        return tabulate(sources, dimensions, subject=subject, measure=measure, hierarchies=trees)

    def default_attacks(self, dataset: Dataset, released: CountTable) -> Sequence[Attack[CountTable]]:
        """Attacks mounted on every release, whether the policy names them or not: exact subtraction."""
        return () if released.randomised is not None else (TableInterval(),)

    def describe(self, data: CountTable) -> dict[str, dict[str, object]]:
        """Counts only."""
        columns: dict[str, dict[str, object]] = {}
        for one in data.dimensions:
            facts = {"role": str(Role.QUASI), "kind": "dimension", "distinct": len(one.leaves)}
            columns[one.name] = facts | {"missing": int(None in one.codes)}
        hidden = int(data.hidden.sum())
        return columns | {data.value: {"role": str(Role.KEEP), "kind": _kind(data), "missing": hidden}}

    def lookalikes(self, data: CountTable) -> dict[str, int]:
        """How many categories are another one but for case or blanks."""
        found = {}
        for one in data.dimensions:
            texts = [code for code in one.codes if code is not None]
            alike = len(texts) - len({" ".join(text.casefold().split()) for text in texts})
            if alike:
                found[one.name] = alike
        return found

    def risks(self, data: CountTable) -> list[Finding]:
        """What can be computed, and how many cells of 1 to 10 are shown."""
        found = [TableInterval().mount(data)]
        if data.is_count:
            plain = data.rounding is None and data.randomised is None
            small = (data.shown > 0) & (data.shown < 11) if plain else np.zeros(0)
            found.append(Finding("small-cells", int(np.count_nonzero(small)), unit="cells", note="1 to 10, shown"))
        return found

    def size(self, data: CountTable) -> dict[str, int]:
        cells = {"rows": data.rows, "cells": data.rows, "hidden": int(data.hidden.sum())}
        if data.truth is None:
            return cells | {"persons": 0}
        given = data.truth.given
        persons = int(data.truth.values[0]) if given is None else len(np.unique(given.person))
        return cells | {"persons": persons}

    def sample(self, data: CountTable, most: int) -> CountTable:
        """A table is small: all of it."""
        return data

    def preferences(self, data: CountTable, must: Sequence[Criterion[CountTable]]) -> list[tuple[str, str]]:
        """(mechanism, reason), the best first, for `using: auto`."""
        return [("cell-suppression", "what is shown stays true"), ("controlled-rounding", "every cell is shown")]

    def trial_data(self, data: CountTable) -> CountTable:
        return data

    def droppable_columns(self, data: CountTable) -> tuple[str, ...]:
        """Dimensions without which there would still be a table."""
        return tuple(one.name for one in data.dimensions) if len(data.dimensions) > 1 else ()

    def without_column(self, data: CountTable, column: str) -> CountTable:
        """The table of the totals over one dimension."""
        axis = [one.name for one in data.dimensions].index(column)
        rest = tuple(one for one in data.dimensions if one.name != column)
        assert data.truth is not None
        values = np.take(data.truth.values.reshape(data.shape), 0, axis=axis).ravel()
        given = data.truth.given
        if given is not None:
            where = [part for a, part in enumerate(np.unravel_index(given.cell, data.shape)) if a != axis]
            cell = np.ravel_multi_index(tuple(where), tuple(len(one.codes) for one in rest)).astype(np.int64)
            given = Contributions(cell, given.person, given.amount)
        empty = CountTable(rest, np.zeros(len(values), np.int64), None, None, data.value, data.decimals)
        leaves = np.flatnonzero(empty.leaves)
        return empty.with_truth(leaves, values[leaves], given)

    def with_column_blank(self, released: CountTable, original: CountTable, column: str) -> CountTable:
        """A release without a dimension, as a table of all of them: only its totals are shown."""
        axis = [one.name for one in original.dimensions].index(column)
        shown = np.full(original.shape, HIDDEN, np.int64)
        np.moveaxis(shown, axis, 0)[0] = released.shown.reshape(released.shape)
        return original.showing(shown.ravel(), released.rounding)

    def protect(self, data: CountTable, dataset: Dataset, key: Key) -> Protected[CountTable]:
        return dataset.protect(data, key.scoped(dataset.name, "table"))

    def publish(
        self,
        original: CountTable,
        protected: Protected[CountTable],
        dataset: Dataset,
        key: Key,
        scratch: Path | None = None,
    ) -> Published:
        """One row a cell, totals first; who adds what to it goes to internal/."""
        released = protected.data
        assert released.truth is not None
        given = released.truth.given
        if given is None:
            leaves = np.flatnonzero(released.leaves & (released.truth.values > 0))
            columns = [pa.array(leaves), pa.nulls(len(leaves), pa.int64()), pa.array(released.truth.values[leaves])]
        else:
            order = np.lexsort((given.person, given.cell))
            columns = [pa.array(one[order]) for one in (given.cell, given.person, given.amount)]
        salt = key.scoped(dataset.name, "evidence").digest("salt").hex()
        dictionary = self._dictionary(released, dataset)
        texts = [pa.array([text] * len(columns[0])) for text in (salt, _digest(dictionary, released))]
        evidence = pa.table([*columns, *texts], names=EVIDENCE)
        subject = any(rule.role is Role.SUBJECT for rule in dataset.columns.values())
        return Published(released.arrow, dictionary, evidence, unit="persons" if subject else "records")

    def _dictionary(self, released: CountTable, dataset: Dataset) -> dict[str, dict[str, object]]:
        found = _facts(released)
        for one in released.dimensions:
            if one.tree is not None:
                own, hierarchy = found[one.name], told(one.tree, dataset.columns[one.name].hierarchy)
                above = {"above": own.pop("above")} if "above" in own else {}
                found[one.name] = own | hierarchy | above
        return found

    def reopen(
        self,
        source: Source,
        columns: Mapping[str, ColumnFacts],
        evidence: pa.Table | None = None,
        trees: Mapping[str, Hierarchy] | None = None,
    ) -> CountTable:
        """The table as its file shows it; the true cells where the evidence is at hand."""
        if source.names() != list(columns):
            raise DataError(f"{source.label} — its columns are not those of the certificate")
        *names, value = (name for name, facts in columns.items() if facts.get("kind") != "estimate")
        facts = columns[value]
        table = source.read()
        dimensions = tuple(
            Dimension.read(name, table[name].to_pylist(), columns[name].get("above", {})) for name in names
        )
        told_rounding = facts.get("rounded")
        try:
            rounding = None if told_rounding is None else Rounding(**told_rounding)
        except (TypeError, ValueError):
            raise DataError(f"column {value} — the certificate names no known way of rounding") from None
        if (facts.get("kind") == "count") != (value == "count"):
            raise DataError(f"column {value} — the certificate does not say what its numbers are")
        decimals = int(facts.get("decimals", 0))
        if not 0 <= decimals <= MOST_DECIMALS:
            raise DataError(f"column {value} — the certificate names no possible number of decimals")
        shown = _numbers(table[value].to_pylist(), decimals, source.label)
        zeros, marked = facts.get("zeros") == "shown", facts.get("marked_below", 0)
        if not isinstance(marked, int) or isinstance(marked, bool) or marked < 0:
            raise DataError(f"column {value} — the certificate does not say which counts are marked as small")
        found = CountTable(dimensions, shown, None, rounding, value, decimals, zeros, marked_below=marked)
        if not found.arrow.select(names).equals(_as_text(table.select(names))):
            raise DataError(f"{source.label} — its rows are not the cells of its dimensions, in their order")
        if len(columns) > len(names) + 1:
            found = _as_drawn(found, facts, table, source.label)
        return found if evidence is None else _with_truth(found, evidence, _digest(columns, found))

    def contradictions(self, data: CountTable, claim: Claim, asked: Mapping[str, Any]) -> list[str]:
        """The dictionary says what every number and category is, and how numbers were rounded."""
        hierarchy = {"hierarchy", "settings", "tree"}
        wrong = [
            f"column {name} — is not what the dictionary says"
            for name, facts in _facts(data).items()
            if {part: value for part, value in claim.columns[name].items() if part not in hierarchy} != facts
        ]
        if data.is_count and data.decimals:
            wrong.append(f"column {data.value} — counts have no decimals")
        if not _adds_up(data):
            wrong.append(f"{claim.file} — its cells do not add up to the totals that the dictionary describes")
        shown = data.shown[data.shown != HIDDEN]
        if data.rounding is not None and (shown % data.rounding.base).any():
            wrong.append(f"column {data.value} — numbers are not rounded as the dictionary says")
        return wrong


def _facts(released: CountTable) -> dict[str, dict[str, object]]:
    """What the dictionary says of each column, but for the hierarchies."""
    found: dict[str, dict[str, object]] = {}
    for one in released.dimensions:
        facts: dict[str, object] = {"role": str(Role.QUASI), "kind": "dimension", "total": "*"}
        found[one.name] = facts | ({"above": one.above()} if one.above() else {})
    number: dict[str, object] = {"role": str(Role.KEEP), "kind": _kind(released), "of": []}
    number |= {"decimals": released.decimals, "zeros": "shown" if released.zeros_shown else "may be hidden"}
    if released.marked_below:
        number["marked_below"] = released.marked_below
    if released.rounding is not None:
        rounding = released.rounding
        told_rounding = {"base": rounding.base, "to": rounding.to, "floor": rounding.floor}
        number["rounded"] = {**told_rounding, "reach": rounding.reach}
    if released.randomised is not None:
        drawn = released.randomised
        told_draws = {"kept": str(drawn.kept), "of": "2^64", "answers": drawn.answers}
        number["randomised"] = {**told_draws, "epsilon": drawn.epsilon}
        beside: dict[str, dict[str, object]] = {
            name: {"role": str(Role.KEEP), "kind": "estimate", "of": []} for name in ESTIMATES
        }
        return found | {released.value: number} | beside
    return found | {released.value: number}


def _adds_up(data: CountTable) -> bool:
    """Do shown cells fit the totals above them? Hidden ones are at least 0; what was rounded for itself adds up to
    nothing, nor do drawn answers.
    """
    apart = data.rounding is not None and data.rounding.to == "nearest"
    if apart or data.randomised is not None or data.marked_below:
        return True
    shown = data.shown.reshape(data.shape)
    for axis, dimension in enumerate(data.dimensions):
        for parent, children in dimension.sums:
            whole, parts = shown.take(parent, axis), shown.take(children, axis)
            hidden = (parts == HIDDEN).any(axis)
            least = np.where(parts == HIDDEN, 0, parts).sum(axis)
            if ((whole != HIDDEN) & np.where(hidden, least > whole, least != whole)).any():
                return False
    return True


def _kind(data: CountTable) -> str:
    return "count" if data.is_count else "sum"


def _as_text(table: pa.Table) -> pa.Table:
    return pa.table({name: table[name].cast(pa.string()).combine_chunks() for name in table.column_names})


def _numbers(values: Sequence[object], decimals: int, label: str) -> Ints:
    """Published numbers in units of the last decimal; an empty one is hidden."""
    from fractions import Fraction

    try:
        exact = [None if value is None else Fraction(str(value)) * 10**decimals for value in values]
    except ValueError:
        raise DataError(f"{label} — cells that hold no number") from None
    if any(one is not None and one.denominator != 1 for one in exact):
        raise DataError(f"{label} — numbers with more decimals than the certificate says")
    return np.array([HIDDEN if one is None else int(one) for one in exact], dtype=np.int64)


def _as_drawn(found: CountTable, facts: ColumnFacts, table: pa.Table, label: str) -> CountTable:
    """Drawn answers, with estimates that follow from them."""
    try:
        told = facts["randomised"]
        drawn = Randomised(int(told["kept"]), int(told["answers"]))
        if told["epsilon"] != drawn.epsilon or drawn.answers != int(found.leaves.sum()) or len(found.dimensions) > 1:
            raise ValueError
    except (KeyError, TypeError, ValueError):
        raise DataError(f"{label} — the certificate does not say how its answers were drawn") from None
    found = replace(found, randomised=drawn)
    for name, texts in found.estimates().items():
        if [f"{float(one):.2f}" for one in table[name].to_pylist()] != texts:
            raise DataError(f"{label} — its estimates do not follow from its answers")
    return found


def _digest(columns: Mapping[str, ColumnFacts], shown: CountTable) -> str:
    """Of all numbers shown, and of all that is told about them; hashes of hierarchies are salted later."""
    facts = {name: {key: value for key, value in one.items() if key != "tree"} for name, one in columns.items()}
    told = json.dumps([facts, shown.shown.tolist()], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


def _with_truth(shown: CountTable, evidence: pa.Table, published: str) -> CountTable:
    """The steward's true cells behind the published ones."""
    if evidence.column_names != EVIDENCE:
        raise DataError("the evidence about cells does not belong to this file")
    if any(one != published for one in evidence["published"].unique().to_pylist()):
        raise DataError("the evidence about cells is of other numbers, or of numbers that are read in another way")
    cell, amount = (evidence[name].to_numpy(zero_copy_only=False).astype(np.int64) for name in ("cell", "amount"))
    if len(cell) and not (cell.min() >= 0 and cell.max() < shown.size and shown.leaves[cell].all()):
        raise DataError("the evidence about cells does not belong to this file")
    given = None
    if not shown.is_count:
        person = evidence["person"].to_numpy(zero_copy_only=False)
        if np.isnan(person.astype(np.float64)).any():
            raise DataError("the evidence about cells does not say whose each part is")
        given = Contributions(cell, person.astype(np.int64), amount)
    true = shown.with_truth(cell, amount, given)
    return replace(shown, truth=true.truth)
