"""Synthetic table: publishes invented records whose marginals are those of the data, except for noise (MST or AIM).

## Guarantee
ε-differential privacy for every person: with or without the rows of any one person (or with them replaced, where the
policy says so), any release is equally likely up to a factor of e^ε. With a budget in ρ it is ρ-zero-concentrated
differential privacy instead, in which the factor may be exceeded with a small probability δ: ε is then ρ + 2√(ρ ln
1/δ). This holds for the choice of the marginals, for their noise and for all records together, whatever else the
attacker knows. The claim is attested: no file shows how the noise was drawn.

## Adversary
Knows everybody's rows but one person's, the public values and ranges, and how the choices and the noise are drawn.

## What it does not protect
**Every record is invented**, and none describes a real person. The model knows only the chosen marginals. What they do
not contain, such as how three columns are related where only pairs were chosen, is invented: do not analyse it in these
records. Losses of further releases about the same people add up. What is true of people in general is not protected:
the records are published to show it.

## Parameters
epsilon: the budget ε.
rho: the budget ρ instead, under zero-concentrated privacy, for which both methods were made: records are truer.
columns: the columns of a record; all with public values or a range, unless given.
method: mst, which joins all columns in a tree of the pairs that tell most, or aim, which goes on choosing marginals as
  long as the budget lasts, and takes far longer.
ways: aim chooses marginals of at most this many columns.

## Worked example
The mechanism needs the extra *synthetic*; fitting its model takes from seconds to minutes. Equal records are published
as one row with their number:

    released = SyntheticTable(rho=0.5).protect(table, must=[])
    records(released.data)      # one row per record, as an Arrow table

>>> import pyarrow as pa
>>> three = NoisyTable({"sex": ["F", "M"], "ward": ["a", "b"]}, np.array([2.0, 1.0]), {})
>>> records(three).to_pydict()
{'sex': ['F', 'F', 'M'], 'ward': ['a', 'a', 'b']}
>>> SyntheticTable(epsilon=1.0, rho=1.0)
Traceback (most recent call last):
ValueError: epsilon and rho — give one of them, as the budget

## Why it is safe
opendp counts the values of every column with noise. It then chooses further marginals by a noisy comparison of how
badly the model so far fits them, counts these with noise, and states the loss of all steps together, for tables that
differ by as many rows as the policy allows one person. The possible values are declared in the policy. The model, and
the records drawn from it one by one, use only noisy counts. The recorded scale is that of the first counts.

## Cost
Fitting a graphical model: about a minute for seven columns with mst, several minutes with aim. The time does not depend
on the number of rows.

## Source
McKenna, Miklau and Sheldon, "Winning the NIST contest", 2021 (MST); McKenna, Mullins, Sheldon and Miklau, "AIM: an
adaptive and iterative mechanism", 2022. Both by opendp and its package mbi.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.algorithm import Count, Criteria, DataError, Key, PolicyError, Protected
from sharewell.extras import package
from sharewell.opendp_noise import Price, guarded, opendp
from sharewell.queries.data import ConfidentialTable, NoisyTable, Values
from sharewell.queries.engine.protection.budget_terms import Term, spent_on
from sharewell.queries.engine.protection.publication import (
    Publication,
    PublicationDetails,
    columns_of,
    published,
    refuse_many,
)

_ITERATIONS = 1000
"""Of one fit of the model."""
_SHARES = (*(0.9 + step / 20_000 for step in range(400)), *(0.9 - step / 10_000 for step in range(4000)))
"""Ways to divide a budget, in the order in which they are tried."""


@dataclass(frozen=True, kw_only=True)
class SyntheticTableDetails(PublicationDetails):
    """The loss, the method, and which marginals the records were made from."""

    method: str
    marginals: int
    """With two columns or more."""
    records: int


@dataclass(frozen=True)
class SyntheticTable(Publication):
    """Records drawn from a model of noisy marginals."""

    columns: tuple[str, ...] | None = None
    method: Literal["mst", "aim"] = "mst"
    ways: Count = 2

    packages: ClassVar[tuple[str, ...]] = ("opendp", "mbi", "polars", "pandas")

    def protect(
        self, data: ConfidentialTable, must: Criteria[NoisyTable], key: Key | None = None
    ) -> Protected[NoisyTable]:
        columns = columns_of(self.name, data, self.columns)
        if len(columns) < 2:
            raise PolicyError(f"{self.name} — records have two columns or more — name another, or publish its counts")
        sizes = sorted(len(data.domains[name].labels) + 1 for name in columns)
        refuse_many(self.name, math.prod(sizes[-max(2, self.ways) :]))
        codes, term, marginals = self._drawn(data, columns)
        combinations, counts = np.unique(codes, axis=0, return_counts=True)
        labels = [data.domains[name].labels for name in columns]
        keys = {
            name: [own[place] for place in places]
            for name, own, places in zip(columns, labels, combinations.T.tolist(), strict=True)
        }
        spent = spent_on(self.name, data, [term], marginals=[[columns[i] for i in one] for one in marginals])
        released = NoisyTable(keys, counts.astype(np.float64), spent)
        facts = {"method": self.method, "marginals": len(marginals), "records": len(codes)}
        return published(self.name, released, must, SyntheticTableDetails, **facts)

    def _drawn(
        self, data: ConfidentialTable, columns: Sequence[str]
    ) -> tuple[NDArray[np.int64], Term, list[tuple[int, ...]]]:
        """Synthetic records as positions of labels, what they cost, and the chosen marginals."""
        package("mbi", self.name)
        pl, dp, mbi = package("polars", self.name), opendp(), package("opendp.extras.mbi", self.name)
        places = [list(data.domains).index(name) for name in columns]
        names = [f"c{number}" for number in range(len(columns))]
        rows = pl.LazyFrame({name: data.codes[:, place] for name, place in zip(names, places, strict=True)})
        keys = {name: list(range(data.shape[place])) for name, place in zip(names, places, strict=True)}
        fit = _fit(data.report_progress, len(data.kept), fits=2 if self.method == "mst" else 4 * len(columns))
        if self.method == "mst":
            way = mbi.MST(estimator=fit, oneway_split=0.5, measure_split=_measured(self.price, len(columns)))
        else:
            way = mbi.AIM(estimator=fit, queries=self.ways)
        loss = {self.price.unit: self.price.amount}

        def release() -> tuple[Any, float]:
            unit = dp.unit_of(contributions=data.changed_rows)
            context = dp.Context.compositor(data=rows, privacy_unit=unit, privacy_loss=dp.loss_of(**loss))
            table = context.query(**loss).contingency_table(keys=keys, algorithm=way).release()
            return table, float(context.current_privacy_loss())

        with ending_in_time():
            table, stated = guarded(release)
        cliques = [tuple(names.index(one) for one in each.clique) for each in table.marginals.flatten()]
        deviation = max(float(each.stddev) for each in table.marginals.flatten() if len(each.clique) == 1)
        pure = self.price.accounting == "pure"
        scale = deviation / math.sqrt(2) if pure else deviation
        moved = data.changed_rows if pure else data.changed_length
        losses = (stated, None) if pure else (None, stated)
        term = Term("marginals and their choice", self.method, scale, moved, *losses)
        # Each record by itself: where mbi rounds counts instead, columns with a common neighbour move in step.
        drawn = guarded(lambda: table.synthesize(method="sample"))
        return _positions(data, columns, drawn), term, sorted({one for one in cliques if len(one) > 1})


@contextmanager
def ending_in_time() -> Iterator[None]:
    """Let opendp's aim end when all but the last bits of its budget are spent.

    It goes on while anything is left, if only by rounding, and means to end where so little is left that no scale
    fits. But it waits for a ValueError there, and its search raises its own error, so that now and then, as the last
    bits happen to fall, a run fails after it was paid for.
    """
    dp, aim = opendp(), vars(package("opendp.extras.mbi._aim", SyntheticTable.name))
    search = aim["binary_search_chain"]

    def found(*given: Any, **named: Any) -> Any:
        try:
            return search(*given, **named)
        except dp.OpenDPException:
            raise ValueError("no scale fits") from None

    aim["binary_search_chain"] = found
    try:
        yield
    finally:
        aim["binary_search_chain"] = search


def records(table: NoisyTable) -> pa.Table:
    """One row a record, of a table that counts equal ones."""
    times = np.rint(table.counts).astype(np.int64).clip(0)
    return pa.table({name: pa.array(np.repeat(np.array(labels, object), times)) for name, labels in table.keys.items()})


def _positions(data: ConfidentialTable, columns: Sequence[str], drawn: Any) -> NDArray[np.int64]:
    """Records as positions of labels. A value that the model leaves out counts as the policy counts a missing one."""
    results = []
    for number, name in enumerate(columns):
        domain = data.domains[name]
        missing = len(domain.labels) - 1 if isinstance(domain, Values) else 0
        results.append(drawn[f"c{number}"].fill_null(missing).to_numpy().astype(np.int64))
    return np.stack(results, axis=1)


def _measured(price: Price, columns: int) -> float:
    """The counts' share of what they and the choice of pairs may spend: nine tenths, or nearly.

    opendp divides the rest into equal parts, one for each pair to be chosen, adds them up again, rounding up at every
    step, and refuses if that is more than it divided: with eight columns for about half of all budgets, with nine for
    all. How its sums come out depends on the last bits alone, and so a share is looked for with which they fit.
    """
    chosen = columns - 1
    after_single_columns = _twice_before(price.amount - price.amount * 0.5)
    for share in _SHARES:
        rest = _twice_before(after_single_columns - after_single_columns * share)
        if _sum_rounded_up(math.nextafter(rest / chosen, -math.inf), chosen) <= rest:
            return share
    raise DataError(f"{price.unit} — opendp cannot divide it among {columns} columns — choose another amount")


def _sum_rounded_up(part: float, times: int) -> float:
    total = 0.0
    for _ in range(times):
        exact = Fraction(total) + Fraction(part)
        total = float(exact)
        total = total if Fraction(total) >= exact else math.nextafter(total, math.inf)
    return total


def _twice_before(number: float) -> float:
    return math.nextafter(math.nextafter(number, -math.inf), -math.inf)


def _fit(report: Callable[[int], None], rows: int, fits: int) -> Callable[..., Any]:
    """Fits the model and reports, as rows of the data, how far all fits together are about."""
    steps, reported = 0, 0

    def fit(domain: Any, loss: Any, *, potentials: Any = None) -> Any:
        def stepped(_: Any) -> None:
            nonlocal steps, reported
            steps += 1
            now = min(rows * steps // (fits * _ITERATIONS), rows - 1)
            if now - reported >= rows / 20:  # the first step compiles the model, and says nothing about the pace
                report(now - reported)
                reported = now

        estimation = package("mbi.estimation", "synthetic-table")
        return estimation.mirror_descent(domain, loss, potentials=potentials, iters=_ITERATIONS, callback_fn=stepped)

    return fit
