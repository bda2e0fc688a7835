"""Limited Data Set: the 16 direct identifiers of the HIPAA rule are removed; dates, places and ZIP codes stay.

## Guarantee
No published column is one of the direct identifiers of 45 CFR 164.514(e)(2) by the steward's word, by its name or by
its content, none is free text, and none is unknown; otherwise nothing is published. Every required criterion is
checked on what would be published, and `Infeasible` is raised if one fails. Values are published as they are.

## Adversary
None is kept out by this alone: a limited data set is still protected health information, and goes only to recipients
who sign a data use agreement (164.514(e)(4)).

## What it does not protect
Dates, cities, ZIP codes and ages stay exact, so that most people can be found by whoever looks for them. The agreement
is not checked, nor are names and short codes in a column called `other`.

## Parameters
columns: column → category: `date`, `birth-date`, `age`, `zip`, `geography`, `identifier`, `text` or `other`. Columns
that are not named are recognised by name and content; one that is neither is refused.
rest: `other`, to say that all columns not named and not recognised are none of the 16.
Both may be given once, with the criterion `limited-data-set`.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> people = pa.table({"phone": ["555-0100"], "zip": ["02139"], "admitted": ["2025-01-31"], "sex": ["F"]})
>>> table = Table.of(people, quasi=["zip"], keep=["admitted", "phone", "sex"])
>>> LimitedDataSet(columns={"sex": "other"}).protect(table, must=[])
Traceback (most recent call last):
sharewell.errors.PolicyError: policy: limited-data-set — 1 column(s) of direct identifiers or free text: phone — give \
them the role drop, or say under `columns` what else they are
>>> table = Table.of(people, quasi=["zip"], keep=["admitted", "sex"], drop=["phone"])
>>> LimitedDataSet(columns={"sex": "other"}).protect(table, must=[]).data.arrow.to_pydict()
{'zip': ['02139'], 'admitted': ['2025-01-31'], 'sex': ['F']}

## Why it is safe
Every published column has a category, or nothing is published; the categories that the rule forbids are refused. The
published table is judged by the independent criterion `limited-data-set` once more.

## Cost
O(n) time for n rows.

## Source
45 CFR 164.514(e).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from sharewell.algorithm import Criteria, Declared, Key, Mechanism, Protected, refuse_failing
from sharewell.tables.criteria.limited_data_set import LimitedDataSetRule
from sharewell.tables.data import Table
from sharewell.tables.engine.hipaa_categories import Category
from sharewell.tables.engine.protection.hipaa_recognition import agreed, known_categories
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_unfit
from sharewell.tables.engine.protection.perturbation.cell_writer import released


@dataclass(frozen=True)
class LimitedDataSetDetails:
    columns: dict[str, str]
    """Column → its category."""
    not_checked: tuple[str, ...] = ("the data use agreement", "names and codes without a form in columns called other")


@dataclass(frozen=True)
class LimitedDataSet(Declared, Mechanism[Table]):
    """Refuses direct identifiers, and changes nothing else."""

    columns: dict[str, Category] = field(default_factory=dict)
    rest: Literal["other"] | None = None

    engine: ClassVar[str] = "check"
    changes_named_columns: ClassVar[bool] = False

    def protect(self, data: Table, must: Criteria[Table], key: Key | None = None) -> Protected[Table]:
        refuse_unfit(self.name, data)
        asked = next((one for one in must if isinstance(one, LimitedDataSetRule)), LimitedDataSetRule())
        columns = agreed(self.name, "columns", self.columns, asked.columns)
        rest = agreed(self.name, "rest", self.rest, asked.rest)
        results = known_categories(self.name, data, columns, rest, content_counts=True)
        out = released(data)
        rule = LimitedDataSetRule(columns, rest)
        refuse_failing(self.name, out, [rule, *(c for c in must if c != rule)])
        return Protected(out, LimitedDataSetDetails(results), np.arange(data.rows))
