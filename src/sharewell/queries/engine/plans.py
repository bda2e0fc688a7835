"""From a question and a price to a plan: what noise is drawn, what it costs and how far off answers will be.

A plan is made from the policy and the question alone; no row is read for it. Every plan has the same two stages:

1. **Exact numbers of each group, of the rows that count.** The row store holds at most `rows_per_person` rows of
   anybody, chosen by that person's rows alone, so that neighbouring tables differ in at most `changed_rows` rows. A
   filter looks at one row at a time, and a row lies in exactly one group. One row more or less therefore changes one
   entry of a vector of counts by one, and one person by `rows_per_person` rows changes it by no more than
   `rows_per_person` in sum (L1) and in length (L2); where one person replaces another, by twice that in sum and √2
   times in length.
2. **Noise by opendp**, which states the loss for that distance. Sums and means are left to opendp altogether: it
   clamps, adds up and draws in one measurement over the rows (`opendp_frames`).

Medians and quantiles are asked of each group: groups have no row in common, so that the losses of the groups that one
person is in add up to no more than opendp states for all of the person's rows in one group, because the loss grows at
least in proportion to the number of rows.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from sharewell.opendp_noise import Price, VectorNoise
from sharewell.plain_data import JsonObject
from sharewell.queries.data import ConfidentialTable, Range
from sharewell.queries.engine.accuracy import CONFIDENCE, Accuracy, half_width, ratio_interval
from sharewell.queries.engine.noise import QuantileNoise, TopNoise
from sharewell.queries.engine.opendp_frames import PrivateSums
from sharewell.queries.engine.row_store import AMOUNT, CELL, RowStore, group_labels
from sharewell.queries.question import Question

if TYPE_CHECKING:
    import polars as pl

Row = JsonObject
"""One line of an answer: its group, the value, and between what bounds the true value lies with 95 %."""
_WHOLE_NUMBERS = 500
_STEPS = 200
"""Candidates for a quantile: the whole numbers of a range up to so wide, or this many steps."""


class Noise(Protocol):
    """What opendp draws for a plan."""

    @property
    def loss(self) -> float:
        """ε or ρ, as opendp states it."""


@dataclass(frozen=True, eq=False)
class Plan(ABC):
    """How one question is answered: by what is public about the table, for a price."""

    question: Question
    table: ConfidentialTable
    price: Price

    @property
    @abstractmethod
    def _noise(self) -> Noise: ...

    @property
    @abstractmethod
    def accuracy(self) -> Accuracy: ...

    @abstractmethod
    def answer(self, rows: RowStore) -> list[Row]:
        """Fresh noise: whoever asks twice pays twice, unless the first answer is kept."""

    @property
    def loss(self) -> float:
        return self._noise.loss

    @cached_property
    def groups(self) -> list[dict[str, str]]:
        return group_labels(dict(self.table.domains), self.question.group_by)

    @property
    def numbers(self) -> Range:
        domain = self.table.domains[self.question.measure.column or ""]
        assert isinstance(domain, Range)  # the question was held against the domains
        return domain

    @property
    def unit(self) -> float:
        return 10.0**-self.numbers.decimals

    def exact_counts(self, rows: RowStore) -> NDArray[np.int64]:
        return rows.counts(self.question.condition, self.question.group_by, len(self.groups))

    def cells(self, rows: RowStore) -> pl.LazyFrame:
        """The group and the number of every row that is asked about."""
        return rows.cells(self.question.condition, self.question.group_by, self.question.measure.column)


class CountPlan(Plan):
    """Counts of rows by group, with noise on every group, empty ones included."""

    @cached_property
    def _noise(self) -> VectorNoise:
        return VectorNoise.within(self.price, self.table.changed_rows, self.table.changed_length)

    @cached_property
    def accuracy(self) -> Accuracy:
        noise = self._noise
        note = "each count by itself; noise can make a count negative"
        return Accuracy(noise.name, noise.scale, noise.sensitivity, half_width(noise), note)

    def answer(self, rows: RowStore) -> list[Row]:
        off = int(self.accuracy.half_width or 0)
        noisy = self._noise.add(self.exact_counts(rows)).tolist()
        return [
            {"group": group, "value": value, "low": value - off, "high": value + off}
            for group, value in zip(self.groups, noisy, strict=True)
        ]


class SumPlan(Plan):
    """Sums of a column's numbers by group: clamped, added up and made noisy by opendp."""

    @cached_property
    def _noise(self) -> PrivateSums:
        low, high = self.numbers.unit_bounds
        return PrivateSums.within(self.price, len(self.groups), low, high, self.table.changed_rows, counted=False)

    @cached_property
    def _as_vector(self) -> VectorNoise:
        sensitivity = self.table.changed_rows * max(map(abs, self.numbers.unit_bounds))
        return VectorNoise(self.price.accounting, self._noise.sum_scale, sensitivity, self.loss)

    @cached_property
    def accuracy(self) -> Accuracy:
        noise = self._as_vector
        note = "each sum by itself; numbers outside the declared bounds count as the nearest bound"
        off = self.numbers.shown(half_width(noise))
        return Accuracy(noise.name, noise.scale * self.unit, noise.sensitivity * self.unit, off, note)

    def answer(self, rows: RowStore) -> list[Row]:
        off, shown = half_width(self._as_vector), self.numbers.shown
        sums, _ = self._noise.draw(self.cells(rows))
        ends = ((sums - off).tolist(), sums.tolist(), (sums + off).tolist())
        return [
            {"group": group, "value": shown(value), "low": shown(low), "high": shown(high)}
            for group, low, value, high in zip(self.groups, *ends, strict=True)
        ]


class MeanPlan(Plan):
    """Means by group: a noisy sum, measured from the middle of the bounds, over a noisy count."""

    @cached_property
    def _middle(self) -> int:
        low, high = self.numbers.unit_bounds
        return (low + high) // 2

    @cached_property
    def _noise(self) -> PrivateSums:
        low, high = (bound - self._middle for bound in self.numbers.unit_bounds)
        return PrivateSums.within(self.price, len(self.groups), low, high, self.table.changed_rows, counted=True)

    @cached_property
    def _off(self) -> tuple[int, int]:
        """By how much sum and count are off, both together with 95 % probability."""
        each, accounting = 1 - (1 - CONFIDENCE) / 2, self.price.accounting
        scales = (self._noise.sum_scale, self._noise.count_scale)
        first, second = (half_width(VectorNoise(accounting, scale, 1.0, self.loss), each) for scale in scales)
        return first, second

    @cached_property
    def accuracy(self) -> Accuracy:
        name = "discrete-laplace" if self.price.accounting == "pure" else "discrete-gaussian"
        total, count = self._off
        note = (
            f"a noisy sum divided by a noisy count: the sum is off by at most {total * self.unit:.6g},"
            f" the count by at most {count}, both with 95 % probability;"
            " the interval of each mean follows from its own count"
        )
        sensitivity = self.table.changed_rows * (self.numbers.high - self.numbers.low) / 2
        return Accuracy(name, self._noise.sum_scale * self.unit, sensitivity, None, note)

    def answer(self, rows: RowStore) -> list[Row]:
        import polars as pl

        sums, counts = self._noise.draw(self.cells(rows).with_columns(pl.col(AMOUNT) - self._middle))
        assert counts is not None
        return [self._row(*one) for one in zip(self.groups, sums.tolist(), counts.tolist(), strict=True)]

    def _row(self, group: dict[str, str], total: int, count: int) -> Row:
        middle, (total_off, count_off) = self._middle * self.unit, self._off
        low, high = self.numbers.low, self.numbers.high
        value = min(high, max(low, middle + total * self.unit / max(1, count)))
        ends = ratio_interval(total * self.unit, total_off * self.unit, count, count_off, low - middle, high - middle)
        return {"group": group, "value": value, "low": middle + ends[0], "high": middle + ends[1]}


class QuantilePlan(Plan):
    """The median or another quantile by group, among public candidates."""

    @cached_property
    def _noise(self) -> QuantileNoise:
        return QuantileNoise.within(
            self.price, self.question.measure.at or 0.5, self._candidates, self.table.changed_rows
        )

    @cached_property
    def _candidates(self) -> tuple[int, ...]:
        domain, width = self.numbers, self.numbers.high - self.numbers.low
        whole = domain.decimals >= 0 and width <= _WHOLE_NUMBERS and domain.low == int(domain.low)
        steps = math.floor(width) if whole and width >= 1 else _STEPS
        low, high = domain.unit_bounds
        each = 10**domain.decimals if whole and width >= 1 else (high - low) / steps
        return tuple(dict.fromkeys(low + round(each * i) for i in range(steps + 1)))

    @cached_property
    def accuracy(self) -> Accuracy:
        noise = self._noise
        note = (
            f"one of {len(noise.candidates)} public candidates; with 95 % probability it is at most"
            f" {noise.rank_error(CONFIDENCE):.1f} ranks farther off than the best of them;"
            " it says nothing about a group that is nearly empty"
        )
        ranks, moved = noise.scale / noise.parts, noise.sensitivity / noise.parts
        return Accuracy("report-noisy-max", ranks, moved, None, note)

    def answer(self, rows: RowStore) -> list[Row]:
        noise, result = self._noise, self.cells(rows).collect()
        cell, units = result[CELL].to_numpy(), result[AMOUNT].to_numpy()
        below, above = _either_side(cell, units, np.array(noise.candidates), len(self.groups))
        return [
            {"group": group, "value": self.numbers.shown(noise.choose(low, high)), "low": None, "high": None}
            for group, low, high in zip(self.groups, below, above, strict=True)
        ]


class TopPlan(Plan):
    """The labels of a column that most rows have, the most frequent first; not how many rows have them."""

    @cached_property
    def _noise(self) -> TopNoise:
        monotonic = self.table.neighbours == "add-remove"
        return TopNoise.within(self.price, self.question.measure.k or 1, self.table.rows_per_person, monotonic)

    @cached_property
    def _labels(self) -> tuple[str, ...]:
        return self.table.domains[self.question.measure.column or ""].labels

    @cached_property
    def accuracy(self) -> Accuracy:
        noise = self._noise
        off = noise.scale * math.log(len(self._labels) * noise.k / (1 - CONFIDENCE))
        note = f"with 95 % probability no label that was left out has {off:.1f} rows more than one that is listed"
        return Accuracy("report-noisy-max", noise.scale, noise.sensitivity, None, note)

    def answer(self, rows: RowStore) -> list[Row]:
        column = self.question.measure.column or ""
        counts = rows.counts(self.question.condition, (column,), len(self._labels))
        places = self._noise.choose(counts)
        return [
            {"group": {"place": i + 1}, "value": self._labels[place], "low": None, "high": None}
            for i, place in enumerate(places)
        ]


_PLANS: dict[str, type[Plan]] = {
    "count": CountPlan,
    "sum": SumPlan,
    "mean": MeanPlan,
    "quantile": QuantilePlan,
    "top": TopPlan,
}


def plan_of(question: Question, table: ConfidentialTable, price: Price) -> Plan:
    """How the question is answered for the price; what is not declared is refused. Reads no row."""
    asked = question.about(table.domains)
    return _PLANS[asked.measure.name](asked, table, price)


def _either_side(
    cell: NDArray[np.uint32], numbers: NDArray[np.int64], candidates: NDArray[np.int64], cells: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each group and candidate, how many numbers lie below and above it."""
    width = len(candidates) + 1
    at_or_after = np.searchsorted(candidates, numbers, side="right")  # below every candidate from this one on
    after = np.searchsorted(candidates, numbers, side="left")  # above every candidate before this one
    rows = cell.astype(np.int64) * width
    first = np.bincount(rows + at_or_after, minlength=cells * width).reshape(cells, width)
    second = np.bincount(rows + after, minlength=cells * width).reshape(cells, width)
    below = np.cumsum(first, axis=1)[:, :-1]
    above = np.cumsum(second[:, ::-1], axis=1)[:, ::-1][:, 1:]
    return below, above
