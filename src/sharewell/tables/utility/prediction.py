"""Prediction: how well a model that was trained on the release predicts a label of the original records.

## What it does not protect
Not a privacy measure. It speaks for one kind of model and for the label that was asked for.

## Parameters
label: the column to predict, sensitive or kept; left out, the only sensitive column.
model: `logistic` (regression) or `tree` (a decision tree with at least 1 % of the training records in each leaf).
folds: into how many parts the persons are divided; each is predicted by a model that has not seen it.
limit: train and test on at most this many distinct records, drawn.
seed: of the drawing and the folds.

Needs scikit-learn: `pip install 'sharewell[learn]'`.

## Worked example
The young are well and the aged are ill; ranges that keep them apart predict as well as the exact ages.

>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> rows = pa.table({"age": [*range(20, 40), *range(60, 80)], "state": ["well"] * 20 + ["ill"] * 20})
>>> before = Table.of(rows, quasi=["age"], sensitive=["state"])
>>> cells = pa.table({"age": ["[20-39]"] * 20 + ["[60-79]"] * 20, "state": rows["state"]})
>>> result = Prediction().score(before, Table.from_arrow(cells, before.schema, {}, published=True))
>>> result.value, result.details.accuracy_before, result.details.majority
(1.0, 1.0, 0.5)

## Why it is safe
The value is the share of original records whose label the model gets right. Beside it stand the same for a model that
was trained on the original, and the share of the most frequent label, which needs no model. Each cell is read as the
mean of what it leaves open (numbers and dates) or as an even share for each value it leaves open (categories, the
first 50 and neighbours together beyond that). Where the tables tell which published record is whose, a person's
records are never both trained on and tested on; where they do not (rows withheld, no subject), all records are
trained on and tested on, before and after alike, and the finding says so.

## Cost
2 · folds trainings on distinct records, at most `limit` of them.

## Source
LeFevre, DeWitt and Ramakrishnan, 2008 (classification as a workload); Iyengar, 2002.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Count, Declared, Finding, Measure, Sense, TwoOrMore
from sharewell.extras import package
from sharewell.tables.data import Column, Floats, Indices, Ints, Table
from sharewell.tables.engine.classes import combination_numbers, group
from sharewell.tables.engine.measures.cell_regions import numbers_of, regions
from sharewell.tables.engine.measures.row_alignment import rows_behind
from sharewell.tables.utility.classification import label_column

_MOST_BINS = 50
TOLD_APART = "records are trained on and tested on: which published record is whose cannot be told"


@dataclass(frozen=True)
class PredictionDetails:
    accuracy_before: float | None
    """Of a model trained on the original in the same way."""
    majority: float
    """The share of the most frequent label."""
    labels: int
    folds: int
    """1 where records could not be told apart."""
    withheld_records: int


@dataclass(frozen=True)
class Prediction(Declared, Measure[Table]):
    """The accuracy on original records of a model trained on the release."""

    label: str | None = None
    model: Literal["logistic", "tree"] = "logistic"
    folds: TwoOrMore = 3
    limit: Count = 20_000
    seed: int = 0

    packages: ClassVar[tuple[str, ...]] = ("sklearn",)
    sense: ClassVar[Sense] = "≥"
    """More is better."""

    def score(self, before: Table, after: Table) -> Finding:
        name = self.label or (before.schema.sensitive[0] if len(before.schema.sensitive) == 1 else None)
        if name is None:
            return Finding(self.name, None, note="no label to predict: name one")
        old, new = label_column(before, name), label_column(after, name)
        visible = np.flatnonzero(~after.suppressed)
        if not before.rows or not before.quasi or not len(visible):
            return Finding(self.name, None, note="no cells to learn from")
        rows = rows_behind(before, after)
        fold, folds = self._folds(before, known=rows is not None)
        numbers = {text: code for code, text in enumerate(old.texts)}
        ids = np.array([numbers.get(text, -1) for text in new.texts] or [0])[new.codes]
        shown = _Examples.of(before, after, ids, np.zeros(after.rows, int) if rows is None else fold[rows], visible)
        true = _Examples.of(before, before, old.codes, fold, np.arange(before.rows))
        shown, true = (examples.drawn(self.limit, self.seed) for examples in (shown, true))
        counts = np.bincount(old.codes)
        details = PredictionDetails(
            accuracy_before=self._accuracy(true, true, folds),
            majority=int(counts.max()) / before.rows,
            labels=int((counts > 0).sum()),
            folds=folds,
            withheld_records=before.rows - len(visible),
        )
        value = self._accuracy(shown, true, folds)
        return Finding(self.name, value, unit="share", details=details, note=TOLD_APART if rows is None else "")

    def _folds(self, before: Table, known: bool) -> tuple[Ints, int]:
        """The fold of each original row: one for all records of a person, and of those who are all alike."""
        if not known:
            return np.zeros(before.rows, dtype=np.int64), 1
        if before.subject is not None:
            person = before.subject.codes.astype(np.int64)
        else:
            person = combination_numbers([c.codes for c in (*before.quasi, *before.sensitive)], before.rows)
        rng = np.random.default_rng(self.seed)
        return (rng.permutation(int(person.max()) + 1) % self.folds)[person], self.folds

    def _accuracy(self, train: _Examples, test: _Examples, folds: int) -> float | None:
        """The share of test records that models get right which were trained on the other folds."""
        right = total = 0.0
        for fold in range(folds):
            learn, judge = (train.fold != fold) | (folds == 1), test.fold == fold
            labels = train.labels[learn]
            if not len(labels) or not judge.any():
                continue
            if len(np.unique(labels)) == 1:
                predicted = np.full(int(judge.sum()), labels[0])
            else:
                fitted = self._model().fit(train.features[learn], labels, sample_weight=train.weights[learn])
                predicted = fitted.predict(test.features[judge])
            right += float(test.weights[judge] @ (predicted == test.labels[judge]))
            total += float(test.weights[judge].sum())
        return right / total if total else None

    def _model(self) -> Classifier:
        if self.model == "tree":
            tree = package("sklearn.tree", self.name)
            return cast(Classifier, tree.DecisionTreeClassifier(min_weight_fraction_leaf=0.01, random_state=self.seed))
        return cast(Classifier, package("sklearn.linear_model", self.name).LogisticRegression(max_iter=5_000))


class Classifier(Protocol):
    """What is asked of a model of scikit-learn."""

    def fit(self, features: Floats, labels: Ints, /, *, sample_weight: Floats) -> Classifier: ...

    def predict(self, features: Floats, /) -> Ints: ...


@dataclass(frozen=True, eq=False)
class _Examples:
    """Distinct records in the order of their content, with how often each occurs."""

    features: Floats
    labels: Ints
    fold: Ints
    weights: Floats

    @classmethod
    def of(
        cls, before: Table, shown: Table, labels: NDArray[np.integer], fold: NDArray[np.integer], rows: Indices
    ) -> _Examples:
        published = [shown.columns[column.name] for column in before.quasi]
        keys = [column.codes[rows] for column in published]
        order, starts = group([*keys, (labels[rows] + 1).astype(np.int32), fold[rows].astype(np.int32)], len(rows))
        first = rows[order[starts[:-1]]]
        both = zip(before.quasi, published, strict=True)
        features = [_features(column, cells)[cells.codes[first]] for column, cells in both]
        weights = np.diff(starts).astype(np.float64)
        return cls(np.hstack(features), labels[first].astype(np.int64), fold[first].astype(np.int64), weights)

    def drawn(self, limit: int, seed: int) -> _Examples:
        """No more than the limit."""
        if len(self.labels) <= limit:
            return self
        kept = np.sort(np.random.default_rng(seed).choice(len(self.labels), limit, replace=False))
        return _Examples(self.features[kept], self.labels[kept], self.fold[kept], self.weights[kept])


def _features(column: Column, cells: Column) -> Floats:
    """Cells × features: a scaled number and whether there is one, or the share of each value."""
    cell_regions, numbers = regions(column, cells), numbers_of(column)
    if numbers is None:
        return cell_regions.spread(cell_regions.line.edges(_MOST_BINS))
    middles = cell_regions.middles(numbers)
    own_numbers = numbers[column.codes]
    own_numbers = own_numbers[~np.isnan(own_numbers)]
    spread = float(own_numbers.std()) if len(own_numbers) else 0.0
    scaled = (middles - (float(own_numbers.mean()) if len(own_numbers) else 0.0)) / (spread or 1.0)
    unknown = np.isnan(middles)
    return np.column_stack([np.where(unknown, 0.0, scaled), unknown])
