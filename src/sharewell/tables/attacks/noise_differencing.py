"""Noise differencing: combines two files that perturb the same column of the same people.

## Guarantee
None; a measurement. The value is the largest share of a perturbed column's values that both files together give away,
over all columns and earlier files. Where no rows can be linked, or too few, there is no value: undecided.

## Adversary
Has this file, other published files of the same people (of the same release, or of earlier ones), and their
dictionaries, which say which columns were falsified, how, and by how much. Links rows by pseudonyms or by columns that
were not changed.

## What it does not protect
The attack does not combine rows that nothing links, though an attacker may be able to link some of them. It takes
earlier files one by one: the mean of ten independent releases comes closer to the truth than any two show.

## Parameters
earlier: the other published files.
within: a number counts as given away if the attacker knows it to within this share of its column's standard deviation,
or to within its rounding.

## Worked example
One file adds half of the noise e, the other all of it: 2·(x + ½e) − (x + e) is x. If each file has noise of its own,
the second reveals little.

>>> import numpy as np
>>> import pyarrow as pa
>>> draw = np.random.default_rng(1)
>>> pay, e, f = draw.normal(0, 1000, (3, 500))
>>> def file(noise, amount):
...     rows = pa.table({"ward": [str(i) for i in range(500)], "pay": np.round(pay + amount * noise, 2)})
...     facts = {"falsified": "independent noise", "share_of_standard_deviation": amount}
...     return PublishedFile(rows, {"ward": {"role": "keep"}, "pay": {"role": "keep", **facts}})
>>> shared = NoiseDifferencing([file(e, 0.5)]).mount(file(e, 1.0))
>>> shared.value, shared.details["pay"].shared
(1.0, True)
>>> apart = NoiseDifferencing([file(e, 0.5)]).mount(file(f, 1.0))
>>> apart.value < 0.03, apart.details["pay"].shared, round(apart.details["pay"].noise_left, 2)
(True, False, 0.45)

## Why it is safe
The variance of the differences between two files shows whether they share their noise: with amounts a and b it is (a −
b)²·σ² if they do, and (a² + b²)·σ² if each has its own. Where both are possible, the column is undecided. Shared noise
is eliminated, other noise averaged. For two post-randomised files, how often their values agree shows whether they
share their draws. Swapped ranks and rounded numbers give an interval each, and two intervals intersect in a smaller
one. The finding holds counts and quotes no value.

## Cost
O(n log n) for n rows and each column and earlier file.

## Source
Kargupta, Datta, Wang and Sivakumar, 2003 (noise filtered out of perturbed data); Li, Chen, Li and Zhang, 2012
(several perturbed copies of one table, for recipients who are trusted differently).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pyarrow as pa

from sharewell.findings import Finding
from sharewell.tables.engine.array_types import Floats, Ints
from sharewell.tables.engine.attackers.release_matching import NO_ROWS, AcrossDatasets, PublishedFile, aligned
from sharewell.wing import ColumnFacts

Bounds = tuple[Floats, Floats]
LEAST = 30
"""Rows tied to each other that it takes to tell shared noise from noise of its own."""
AMOUNT, PERCENT, BASE = "share_of_standard_deviation", "percent_of_ranks", "base"
STAYS = "probability_to_stay"


@dataclass(frozen=True)
class DifferencedColumn:
    """One column in two files."""

    aligned: int
    """Rows of this file that are tied to one of the earlier file."""
    recovered: float | None
    """The share of those rows whose value both files give away; None: undecided."""
    alone: float | None
    """The share that this file gives away by itself."""
    shared: bool | None = None
    """Do both files hold the same noise?"""
    noise_left: float | None = None
    """What the best combination leaves of the noise, as a share of the standard deviation."""
    note: str = ""


@dataclass(frozen=True)
class NoiseDifferencing:
    """Perturbed columns of this file against those of earlier ones."""

    earlier: Sequence[PublishedFile]
    within: float = 0.01

    name: ClassVar[str] = "noise-differencing"

    def mount(self, released: PublishedFile, truth: pa.Table | None = None) -> Finding:
        """`truth` is the original as an Arrow table, row by row that of the released file: it counts successes."""
        findings = [self._against(released, one, truth) for one in self.earlier]
        if not findings:
            return Finding(self.name, None, note="no earlier file")
        return max(findings, key=lambda one: -1.0 if one.value is None else float(one.value))

    def _against(self, this: PublishedFile, earlier: PublishedFile, truth: pa.Table | None) -> Finding:
        names = [name for name in this.perturbed if name in earlier.columns]
        against = f"against {earlier.label}" if earlier.label else ""
        if not names:
            return Finding(self.name, 0.0, unit="share", details={}, note=f"no perturbed column {against}")
        rows, earlier_rows = aligned(this, earlier)
        details = {name: self._column(this, earlier, name, rows, earlier_rows, truth) for name in names}
        shares = [one.recovered * one.aligned for one in details.values() if one.recovered is not None]
        value = max(shares) / max(1, this.table.num_rows) if shares else None
        undecided = [name for name, one in details.items() if one.recovered is None]
        words = [against, f"undecided: {', '.join(undecided)}" if undecided else "", "" if len(rows) else NO_ROWS]
        note = "; ".join(word for word in words if word)
        return Finding(self.name, value, unit="share", details=details, note=note)

    def _column(
        self,
        this: PublishedFile,
        earlier: PublishedFile,
        name: str,
        rows: Ints,
        earlier_rows: Ints,
        truth: pa.Table | None,
    ) -> DifferencedColumn:
        facts, earlier_facts = this.columns[name], earlier.columns[name]
        nothing = DifferencedColumn(len(rows), None, None)
        if not len(rows):
            return replace(nothing, note=NO_ROWS)
        if "falsified" not in earlier_facts:
            exact = np.array([_is_exact(text) for text in earlier.texts(name)])[earlier_rows]
            note = "the earlier file does not perturb it"
            return replace(nothing, recovered=float(exact.mean()), alone=0.0, note=note)
        if STAYS in facts and STAYS in earlier_facts:
            return _answers(this.texts(name), earlier.texts(name), facts, earlier_facts, rows, earlier_rows)
        first, second = this.numbers(name), earlier.numbers(name)
        known = ~(np.isnan(first[rows]) | np.isnan(second[earlier_rows]))
        rows, earlier_rows = rows[known], earlier_rows[known]
        if AMOUNT in facts and AMOUNT in earlier_facts:
            true = None if truth is None else PublishedFile(truth, {}).numbers(name)[rows]
            return self._noise((first, second), (facts[AMOUNT], earlier_facts[AMOUNT]), rows, earlier_rows, true)
        bounds = [_bounds(values, column_facts) for values, column_facts in ((first, facts), (second, earlier_facts))]
        if bounds[0] is None or bounds[1] is None:
            return replace(nothing, note="the two files falsify it in ways that are not compared")
        return self._bounded(bounds[0], bounds[1], first, rows, earlier_rows)

    def _noise(
        self,
        files: tuple[Floats, Floats],
        amounts: tuple[float, float],
        rows: Ints,
        earlier_rows: Ints,
        true: Floats | None,
    ) -> DifferencedColumn:
        (first, second), (a, b), count = files, amounts, len(rows)
        if count < LEAST:
            return DifferencedColumn(count, None, None, note=f"{count} row(s) linked, {LEAST} are needed")
        spread = math.sqrt((np.nanvar(first) / (1 + a * a) + np.nanvar(second) / (1 + b * b)) / 2)
        if spread == 0:
            return DifferencedColumn(count, None, None, note="the column does not vary")
        one, other = first[rows], second[earlier_rows]
        together = (a * a + b * b - float(np.var(one - other)) / spread**2) / (2 * a * b)
        error = 3 * math.sqrt(2 / count) * (a * a + b * b) / (a * b)
        as_shared, as_apart = together >= 1 - error, together <= error
        shared = as_shared if as_shared != as_apart else None
        unit = 10.0 ** -max(_decimals(first), _decimals(second))
        slack = max(self.within * spread, unit)
        if shared and a != b:
            guess, left = (b * one - a * other) / (b - a), 0.0
            slack = max(slack, unit * (a + b) / abs(b - a))
        elif shared:
            guess, left = one, a
        else:
            guess, left = (one / a**2 + other / b**2) / (1 / a**2 + 1 / b**2), a * b / math.hypot(a, b)
        alone = math.erf(slack / (a * spread * math.sqrt(2)))
        if shared is None:
            return DifferencedColumn(count, None, alone, None, None, "too few linked rows to distinguish shared noise")
        recovered = 1.0 if left == 0 else math.erf(slack / (left * spread * math.sqrt(2)))
        if true is not None:
            recovered, left = float((np.abs(guess - true) <= slack).mean()), float((guess - true).std()) / spread
            alone = float((np.abs(one - true) <= slack).mean())
        return DifferencedColumn(count, recovered, alone, bool(shared), left)

    def _bounded(self, one: Bounds, other: Bounds, values: Floats, rows: Ints, earlier_rows: Ints) -> DifferencedColumn:
        """Intervals that hold the true value, and what two of them have in common."""
        slack = 2 * max(self.within * float(np.nanstd(values)), 10.0 ** -_decimals(values) / 2)
        low, high = np.maximum(one[0][rows], other[0][earlier_rows]), np.minimum(one[1][rows], other[1][earlier_rows])
        alone = one[1][rows] - one[0][rows]
        return DifferencedColumn(len(rows), float((high - low <= slack).mean()), float((alone <= slack).mean()))


def _answers(
    texts: Sequence[str],
    earlier_texts: Sequence[str],
    facts: ColumnFacts,
    earlier_facts: ColumnFacts,
    rows: Ints,
    earlier_rows: Ints,
) -> DifferencedColumn:
    """Post-randomised values: the share that the better guess gets right."""
    p, q, values = float(facts[STAYS]), float(earlier_facts[STAYS]), int(facts["number_of_values"])
    agree = np.array([texts[i] == earlier_texts[j] for i, j in zip(rows, earlier_rows, strict=True)])
    apart = p * q + (1 - p) * (1 - q) / max(1, values - 1)
    alike = min(p, q) + 1 - max(p, q)
    error = 3 * math.sqrt(0.25 / max(1, len(agree)))
    if len(agree) < LEAST or abs(alike - apart) < error:
        return DifferencedColumn(len(agree), None, p, note="too few linked rows to distinguish shared draws")
    shared = abs(float(agree.mean()) - alike) < abs(float(agree.mean()) - apart)
    right = max(p, q) if shared else p * q + max(p * (1 - q), q * (1 - p))
    return DifferencedColumn(len(agree), right, p, shared)


def _bounds(values: Floats, facts: ColumnFacts) -> Bounds | None:
    """Between which numbers each true value lies, as the dictionary tells it; None where it tells no bounds."""
    if BASE in facts:
        reach = float(facts[BASE]) * (1.0 if "random" in str(facts["falsified"]) else 0.5)
        return values - reach, values + reach
    if PERCENT in facts:
        ranked = np.sort(values[~np.isnan(values)])
        reach = max(1, math.floor(len(ranked) * float(facts[PERCENT]) / 100))
        first = np.searchsorted(ranked, values, side="left") - reach
        last = np.searchsorted(ranked, values, side="right") - 1 + reach
        return ranked[np.clip(first, 0, len(ranked) - 1)], ranked[np.clip(last, 0, len(ranked) - 1)]
    return None


def _decimals(values: Floats) -> int:
    """With how many decimals a column is written, nine at most."""
    known = values[~np.isnan(values)]
    return next((d for d in range(9) if np.allclose(known, np.round(known, d), rtol=0, atol=1e-9)), 9)


def _is_exact(text: str) -> bool:
    """A value itself, and no range, set, prefix or mark that stands for several."""
    return bool(text) and text[0] not in "[{*" and not text.endswith("*")


@dataclass(frozen=True)
class NoiseAcrossDatasets(AcrossDatasets):
    """Perturbed columns of datasets of one release, and of earlier ones that it names."""

    name: ClassVar[str] = NoiseDifferencing.name

    def shares(self, this: PublishedFile, other: PublishedFile) -> bool:
        """Has the other file a column that this one publishes perturbed?"""
        return bool(set(this.perturbed) & set(other.columns))

    def against(self, this: PublishedFile, others: list[PublishedFile]) -> Finding:
        return NoiseDifferencing(others).mount(this)
