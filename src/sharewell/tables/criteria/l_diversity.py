"""l-diversity (distinct): every class holds at least l different values of each sensitive column.

## Guarantee
Whoever finds the class of a person still sees at least l different sensitive values there.

## Adversary
Knows the quasi values of a target and that the target is in the data; wants the target's sensitive value.

## What it does not protect
The values may be unequally frequent: in {HIV, HIV, HIV, HIV, flu, cancer} distinct l is 3, and yet four in six are HIV.
One person with many values may give a class all of its l. The finding therefore says how large a share of the persons
of a class has one value at most (`person_share`), but does not judge it: h-affiliation does. Values may also mean
nearly the same. The entropy and recursive forms, and t-closeness, ask for more.

## Parameters
l: the least number of different values.
column: one sensitive column; without it, every sensitive column is judged.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> rows = pa.table({"age": ["[20-29]"] * 6, "disease": ["HIV", "HIV", "HIV", "HIV", "flu", "cancer"]})
>>> finding = LDiversity(3).check(Table.of(rows, quasi=["age"], sensitive=["disease"]))
>>> print(finding, finding.details.person_share)
l-diversity = 3 values (≥ 3: holds) 2/3

## Why it is safe
The check groups the published cells anew. A missing sensitive value never counts towards l: it does not protect the
others. A class with nothing but missing values therefore fails, which errs on the careful side. Spellings of one value
count once: `1`, `1.0` and `1e0`, or `HIV` and `hiv `. Typing errors and synonyms are values of their own.

## Cost
O(s · n log n) time for s sensitive columns and n records, O(n) memory.

What holds of a class holds of every larger one. A search over levels therefore rules out every level below one at
which too much is withheld, and takes all above one that fits to fit.

## Source
Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam, 2007.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Count, Declared, Finding, Sense
from sharewell.tables.data import Classes, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.checks.sensitive_columns import largest_share_in_words, sensitive_columns, value_profile


@dataclass(frozen=True)
class LDiversity(ClassCriterion, Declared):
    """At least l distinct sensitive values in every class."""

    l: Count  # noqa: E741 - the name the literature gives it
    column: str | None = None

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "l"
    growing: ClassVar[bool] = True
    unit_name: ClassVar[str] = "values"

    @property
    def least_records(self) -> int:
        return self.l

    def worst(self, classes: Classes) -> NDArray[np.number]:
        """The fewest distinct values over the judged columns."""
        columns = sensitive_columns(self.name, classes, self.column)
        return np.asarray(np.min([classes.distinct(column) for column in columns], axis=0))

    def check(self, data: Table) -> Finding:
        finding, classes = super().check(data), data.classes
        profile = value_profile(classes, finding.details.failing, sensitive_columns(self.name, classes, self.column))
        return replace(finding, details=profile, note=largest_share_in_words(profile, classes))
