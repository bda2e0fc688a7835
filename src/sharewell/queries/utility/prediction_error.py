"""Prediction error: how often a column of the original rows is predicted wrongly from a noisy table.

## What it does not protect
Not a privacy measure, and confidential: it is computed from the original rows. It is shown to the steward and never
published, and no release is accepted or rejected by it. It speaks for one simple classifier, which uses each column by
itself: another may predict better.

## Parameters
label: the column to predict; left out, the only sensitive column.

## Worked example
All women have asthma and all men have not. A noisy table that has two people in the wrong cell still predicts everybody
right; one that shows everybody alike is wrong for half of them.

>>> import numpy as np, pyarrow as pa
>>> from sharewell.io.sources import Source
>>> from sharewell.queries import ConfidentialTable, NoisyTable, Values
>>> rows = pa.table({"sex": ["F"] * 10 + ["M"] * 10, "asthma": ["yes"] * 10 + ["no"] * 10})
>>> domains = {"sex": Values(("F", "M")), "asthma": Values(("yes", "no"))}
>>> before = ConfidentialTable(Source.of(rows), domains)
>>> cells = {"sex": ["F", "F", "M", "M"], "asthma": ["yes", "no", "yes", "no"]}
>>> result = PredictionError(label="asthma").score(before, NoisyTable(cells, np.array([9.0, 1.0, 1.0, 9.0]), {}))
>>> result.value, result.details.exact, result.details.most_frequent
(0.0, 0.0, 0.5)
>>> PredictionError(label="asthma").score(before, NoisyTable(cells, np.array([5.0, 5.0, 5.0, 5.0]), {})).value
0.5

## Why it is safe
Naive Bayes: the probability of a label is estimated from the counts of the labels, and that of another column's value
given the label from the counts of both columns together, with one added to every cell and negative counts taken as 0.
The value is the share of original rows whose label is not the most probable one. Beside it stand the same for a
classifier from the true counts, and the share of rows without the most frequent label, which needs no classifier.
Columns that the table does not show together with the label are left out, and counted.

## Cost
O(rows · columns · labels).

## Source
Mohammed, Chen, Fung and Yu, 2011 (classification as a use of tables under differential privacy).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Declared, Finding, Measure, Role
from sharewell.queries.data import ConfidentialTable, NoisyTable
from sharewell.queries.engine.marginal_estimates import Estimates

Floats = NDArray[np.float64]
Counts = Callable[[Sequence[str]], Floats | None]
"""Counts by some columns, one axis each; None if they are not known."""


@dataclass(frozen=True)
class PredictionErrorDetails:
    """Shares of rows that are predicted wrongly."""

    exact: float
    """By the same classifier from the true counts."""
    most_frequent: float
    """By always saying the most frequent label."""
    columns: int
    """Columns that the prediction uses."""


@dataclass(frozen=True)
class PredictionError(Declared, Measure[ConfidentialTable | NoisyTable]):
    """The share of original rows whose label the noisy table predicts wrongly."""

    label: str | None = None

    def score(self, before: ConfidentialTable | NoisyTable, after: ConfidentialTable | NoisyTable) -> Finding:
        if not isinstance(before, ConfidentialTable) or not isinstance(after, NoisyTable):
            return Finding(self.name, None, note="there is no noisy table to learn from")
        label = self._label(before)
        if label is None:
            return Finding(self.name, None, note="no column to predict: name it as the label")
        if not len(before.kept):
            return Finding(self.name, None, note="there are no rows to predict")
        estimates = Estimates(before.domains, after)
        others = [name for name in before.domains if name != label and estimates.of([name, label]) is not None]
        if not others:
            return Finding(self.name, None, note="the table shows no column together with the label")
        own = before.codes[:, list(before.domains).index(label)]
        result = _wrong(before, own, label, others, estimates.of)
        exact = _wrong(before, own, label, others, lambda columns: before.counts(columns).astype(np.float64))
        most_frequent = 1 - float(np.bincount(own).max()) / len(own)
        details = PredictionErrorDetails(exact, most_frequent, len(others))
        return Finding(self.name, result, unit="of the rows", details=details)

    def _label(self, before: ConfidentialTable) -> str | None:
        if self.label is not None:
            return self.label if self.label in before.domains else None
        sensitive = [name for name in before.domains if before.roles.get(name) == str(Role.SENSITIVE)]
        return sensitive[0] if len(sensitive) == 1 else None


def _wrong(
    before: ConfidentialTable, own: NDArray[np.int64], label: str, others: Sequence[str], counts: Counts
) -> float:
    """The share of rows whose own label is not the most probable by these counts."""
    together = {name: _shares(counts([name, label])) for name in others}
    labels = _shares(counts([label]))
    logarithms = np.tile(np.log(labels), (len(own), 1))
    for name, likelihoods in together.items():
        logarithms += np.log(likelihoods)[before.codes[:, list(before.domains).index(name)]]
    return float((logarithms.argmax(axis=1) != own).mean())


def _shares(counts: Floats | None) -> Floats:
    """The share of each label, or the likelihood of each value (row) given each label (column)."""
    assert counts is not None  # a table that shows two columns together shows each of them
    positive = np.maximum(counts, 0.0) + 1
    shares: Floats = positive / positive.sum(axis=0)
    return shares
