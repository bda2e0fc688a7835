"""How a release runs tables of counts and sums: from patients to a table, hidden or rounded, and read again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa

from sharewell.algorithm import Attack, Criteria, DataError, Finding, Key, PolicyError, Protected, Role
from sharewell.hierarchy.certified_names import certificate_entry
from sharewell.hierarchy.specs import from_spec
from sharewell.io.sources import Source
from sharewell.plain_data import Json
from sharewell.policy.model import Dataset
from sharewell.randomised import Randomised
from sharewell.reports.counts.attacks.table_interval import TableInterval
from sharewell.reports.counts.data import ESTIMATES, HIDDEN, Contributions, CountTable, Rounding, SumNoise
from sharewell.reports.counts.engine.dimensions import Dimension
from sharewell.reports.counts.engine.relations import Ints
from sharewell.reports.counts.engine.tabulation import read_table, tabulate
from sharewell.reports.gathering.attacks.answer_guess import AnswerGuess
from sharewell.reports.gathering.criteria.local_privacy import LocalPrivacy
from sharewell.reports.gathering.utility.estimate_error import EstimateError
from sharewell.reports.policy import report_sources
from sharewell.spelling import fold
from sharewell.wing import Axes, Capabilities, Claim, ColumnFacts, Dictionary, Published, Trees, Wing

EVIDENCE = ["cell", "person", "amount", "salt", "published"]
"""The true cells: the row of the published file, for sums the contributor, and the amount. The certificate holds the
hash of all this; the salt keeps an attacker from trying all tables that are still possible. `published` is the hash of
the numbers shown and of how they are to be read: numbers that claim to be rounded further than they are, or to be drawn
when they are true, would seem to tell less."""

MOST_DECIMALS = 18
"""Numbers in units of their last decimal are held in 64 bits."""


def lookalikes(names: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """By column, how many names look like another one; columns with none are left out."""
    alike = {key: len(some) - len({fold(name) for name in some}) for key, some in names.items()}
    return {key: number for key, number in alike.items() if number}


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
        return () if released.randomised is not None or released.noise is not None else (TableInterval(),)

    def open_published(self, dataset: Dataset) -> CountTable:
        """One row a cell: quasi columns are the dimensions, and the one column left, or `count`, has the numbers."""
        dimensions = [name for name, rule in dataset.columns.items() if rule.role is Role.QUASI]
        left = [name for name in dataset.read.names() if name not in dimensions]
        value = left[0] if len(left) == 1 else "count"
        if value not in left or not dimensions:
            what = f"{len(dimensions)} column(s) of categories and {len(left)} others, none of them called count"
            raise PolicyError(f"{dataset.read.label} — {what} — give all categories the role quasi")
        return read_table(dataset.read, dimensions, value)

    def axes(self, dataset: Dataset, data: CountTable) -> Axes[CountTable]:
        """How surely a hidden cell is guessed; of answers that are drawn, how surely a person's true one is."""
        if data.randomised is not None or any(isinstance(one, LocalPrivacy) for one in dataset.criteria):
            return Axes(AnswerGuess(), measure=EstimateError.name)
        return Axes(TableInterval(), "best_guess")

    def describe(self, data: CountTable) -> dict[str, dict[str, object]]:
        """Counts only."""
        columns: dict[str, dict[str, object]] = {}
        for dimension in data.dimensions:
            facts = {"role": str(Role.QUASI), "kind": "dimension", "distinct": len(dimension.leaves)}
            columns[dimension.name] = facts | {"missing": int(None in dimension.codes)}
        hidden = int(data.hidden.sum())
        return columns | {data.value: {"role": str(Role.KEEP), "kind": _kind(data), "missing": hidden}}

    def lookalikes(self, data: CountTable) -> dict[str, int]:
        """How many categories look like another one."""
        return lookalikes({one.name: [code for code in one.codes if code is not None] for one in data.dimensions})

    def risks(self, data: CountTable) -> list[Finding]:
        """What can be computed, and how many cells of 1 to 10 are shown."""
        findings = [TableInterval().mount(data)]
        if data.is_count:
            plain = data.rounding is None and data.randomised is None
            small = int(np.count_nonzero((data.shown > 0) & (data.shown < 11))) if plain else 0
            findings.append(Finding("small-cells", small, unit="cells", note="1 to 10, shown"))
        return findings

    def size(self, data: CountTable) -> dict[str, int]:
        cells = {"rows": data.rows, "cells": data.rows, "hidden": int(data.hidden.sum())}
        if data.truth is None:
            return cells | {"persons": 0}
        contributions = data.truth.given
        persons = int(data.truth.values[0]) if contributions is None else len(np.unique(contributions.person))
        return cells | {"persons": persons}

    def preferences(self, data: CountTable, criteria: Criteria[CountTable]) -> list[tuple[str, str]]:
        """(mechanism, reason), the best first, for `using: auto`."""
        return [("cell-suppression", "all published numbers stay true"), ("controlled-rounding", "every cell is shown")]

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
        empty = CountTable(rest, np.zeros(len(values), np.int64), None, None, data.value, data.decimals)
        contributions = data.truth.given
        if contributions is not None:
            places = [part for a, part in enumerate(np.unravel_index(contributions.cell, data.shape)) if a != axis]
            cell = np.ravel_multi_index(tuple(places), empty.shape).astype(np.int64)
            contributions = replace(contributions, cell=cell)
        leaves = np.flatnonzero(empty.leaves)
        return empty.with_truth(leaves, values[leaves], contributions)

    def with_column_blank(self, released: CountTable, original: CountTable, column: str) -> CountTable:
        """A release without one dimension, as a table of all dimensions that shows only the totals over it."""
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
        """One row a cell, totals first; the contributions go to internal/."""
        released = protected.data
        assert released.truth is not None
        contributions = released.truth.given
        if contributions is None:
            leaves = np.flatnonzero(released.leaves & (released.truth.values > 0))
            columns = [pa.array(leaves), pa.nulls(len(leaves), pa.int64()), pa.array(released.truth.values[leaves])]
        else:
            order = np.lexsort((contributions.person, contributions.cell))
            columns = [pa.array(one[order]) for one in (contributions.cell, contributions.person, contributions.amount)]
        salt = key.scoped(dataset.name, "evidence").digest("salt").hex()
        dictionary = self._dictionary(released, dataset)
        texts = [pa.array([text] * len(columns[0])) for text in (salt, _digest(dictionary, released))]
        evidence = pa.table([*columns, *texts], names=EVIDENCE)
        subject = any(rule.role is Role.SUBJECT for rule in dataset.columns.values())
        return Published(released.arrow, dictionary, evidence, unit="persons" if subject else "records")

    def _dictionary(self, released: CountTable, dataset: Dataset) -> dict[str, dict[str, object]]:
        columns = _facts(released)
        for one in released.dimensions:
            if one.tree is not None:
                own, hierarchy = columns[one.name], certificate_entry(one.tree, dataset.columns[one.name].hierarchy)
                above = {"above": own.pop("above")} if "above" in own else {}
                columns[one.name] = own | hierarchy | above
        return columns

    def reopen(
        self, source: Source, columns: Dictionary, evidence: pa.Table | None = None, trees: Trees = None
    ) -> CountTable:
        """The table as its file shows it; the true cells where the evidence is at hand."""
        if source.names() != list(columns):
            raise DataError(f"{source.label} — its columns are not those of the certificate")
        *names, value = (name for name, facts in columns.items() if facts.get("kind") != "estimate")
        facts = columns[value]
        table = source.read()
        above = {name: columns[name].get("above", {}) for name in names}
        dimensions = tuple(Dimension.read(name, table[name].to_pylist(), above[name]) for name in names)
        try:
            rounding = None if facts.get("rounded") is None else Rounding(**facts["rounded"])
        except (TypeError, ValueError):
            raise DataError(f"column {value} — the certificate names no known way of rounding") from None
        try:
            noise = None if facts.get("noise") is None else SumNoise(**facts["noise"])
        except (TypeError, ValueError):
            raise DataError(f"column {value} — the certificate does not say how noise was added") from None
        if (facts.get("kind") == "count") != (value == "count"):
            raise DataError(f"column {value} — the certificate does not say what its numbers are")
        decimals = int(facts.get("decimals", 0))
        if not 0 <= decimals <= MOST_DECIMALS:
            raise DataError(f"column {value} — the certificate names no possible number of decimals")
        shown = _numbers(table[value].to_pylist(), decimals, source.label)
        zeros, marked = facts.get("zeros") == "shown", facts.get("marked_below", 0)
        if not isinstance(marked, int) or isinstance(marked, bool) or marked < 0:
            raise DataError(f"column {value} — the certificate does not say which counts are marked as small")
        counts = CountTable(dimensions, shown, None, rounding, value, decimals, zeros, marked_below=marked, noise=noise)
        written = pa.table({name: table[name].cast(pa.string()).combine_chunks() for name in names})
        if not counts.arrow.select(names).equals(written):
            raise DataError(f"{source.label} — its rows are not the cells of its dimensions, in their order")
        if len(columns) > len(names) + 1:
            counts = _as_drawn(counts, facts, table, source.label)
        return counts if evidence is None else _with_truth(counts, evidence, _digest(columns, counts))

    def contradictions(self, data: CountTable, claim: Claim, asked: Mapping[str, Json]) -> list[str]:
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
    columns: dict[str, dict[str, object]] = {}
    for one in released.dimensions:
        facts: dict[str, object] = {"role": str(Role.QUASI), "kind": "dimension", "total": "*"}
        columns[one.name] = facts | ({"above": one.above()} if one.above() else {})
    number: dict[str, object] = {"role": str(Role.KEEP), "kind": _kind(released), "of": []}
    number |= {"decimals": released.decimals, "zeros": "shown" if released.zeros_shown else "may be hidden"}
    if released.marked_below:
        number["marked_below"] = released.marked_below
    if released.rounding is not None:
        number["rounded"] = asdict(released.rounding)
    if released.noise is not None:
        number["noise"] = asdict(released.noise)
    columns[released.value] = number
    if released.randomised is not None:
        drawn = released.randomised
        number["randomised"] = {
            "kept": str(drawn.kept),
            "of": "2^64",
            "answers": drawn.answers,
            "epsilon": drawn.epsilon,
        }
        columns |= {name: {"role": str(Role.KEEP), "kind": "estimate", "of": []} for name in ESTIMATES}
    return columns


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


def _numbers(values: Sequence[object], decimals: int, label: str) -> Ints:
    """Published numbers in units of the last decimal; an empty one is hidden."""
    try:
        exact = [None if value is None else Fraction(str(value)) * 10**decimals for value in values]
    except ValueError:
        raise DataError(f"{label} — cells that hold no number") from None
    if any(one is not None and one.denominator != 1 for one in exact):
        raise DataError(f"{label} — numbers with more decimals than the certificate says")
    return np.array([HIDDEN if one is None else int(one) for one in exact], dtype=np.int64)


def _as_drawn(counts: CountTable, facts: ColumnFacts, table: pa.Table, label: str) -> CountTable:
    """Drawn answers, with estimates that follow from them."""
    try:
        draws = facts["randomised"]
        drawn = Randomised(int(draws["kept"]), int(draws["answers"]))
        if draws["epsilon"] != drawn.epsilon or drawn.answers != int(counts.leaves.sum()) or len(counts.dimensions) > 1:
            raise ValueError
    except (KeyError, TypeError, ValueError):
        raise DataError(f"{label} — the certificate does not say how its answers were drawn") from None
    counts = replace(counts, randomised=drawn)
    for name, texts in counts.estimates().items():
        if [f"{float(one):.2f}" for one in table[name].to_pylist()] != texts:
            raise DataError(f"{label} — its estimates do not follow from its answers")
    return counts


def _digest(columns: Dictionary, shown: CountTable) -> str:
    """A digest of all numbers shown and all that is said of them, but for hashes of hierarchies, salted later."""
    facts = {name: {key: value for key, value in one.items() if key != "tree"} for name, one in columns.items()}
    return hashlib.sha256(json.dumps([facts, shown.shown.tolist()], sort_keys=True).encode()).hexdigest()


def _with_truth(shown: CountTable, evidence: pa.Table, published: str) -> CountTable:
    """The steward's true cells behind the published ones."""
    if evidence.column_names != EVIDENCE:
        raise DataError("the evidence about cells does not belong to this file")
    if any(one != published for one in evidence["published"].unique().to_pylist()):
        raise DataError("the evidence about cells is of other numbers, or of numbers that are read in another way")
    cell, amount = (evidence[name].to_numpy(zero_copy_only=False).astype(np.int64) for name in ("cell", "amount"))
    if len(cell) and not (cell.min() >= 0 and cell.max() < shown.size and shown.leaves[cell].all()):
        raise DataError("the evidence about cells does not belong to this file")
    contributions = None
    if not shown.is_count:
        person = evidence["person"].to_numpy(zero_copy_only=False)
        if np.isnan(person.astype(np.float64)).any():
            raise DataError("the evidence about cells does not say to whom each part belongs")
        contributions = Contributions(cell, person.astype(np.int64), amount)
    return replace(shown, truth=shown.with_truth(cell, amount, contributions).truth)
