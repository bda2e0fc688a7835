"""Safe Harbor: the HIPAA rule by which a table counts as de-identified once 18 kinds of identifiers are removed.

## Guarantee
The published cells break no rule of 45 CFR 164.514(b)(2)(i) that can be read from them (see the criterion
`safe-harbor`, which is checked on the result whether it is asked for or not), and every other required criterion
holds, or `Infeasible` is raised. All columns are treated, whatever their role.

## Adversary
The rule names none. Criteria that are asked for bring their own.

## What it does not protect
Records may still be unique: sex, race, year of admission and a rare diagnosis are enough. Ask for k-anonymity too.
**Not checked: actual knowledge** that what is left could identify a person, which the rule also demands to be absent.
Names and short codes in a column called `other` are the steward's word. Pseudonyms (`publish: within-class`) are made
with a secret key that is not disclosed; whether that suits 164.514(c) is for people to decide.

## Parameters
columns: column → category: `date`, `birth-date`, `age`, `zip`, `geography`, `identifier`, `text` or `other`. Columns
that are not named are recognised by their name; one that is neither is refused, never passed.
rest: `other`, to say that all columns not named and not recognised, neither by name nor by content, are none of the 18.
year: the year of the release; needed if there is a date or year of birth.
suppress: the share of persons whose records may be withheld so that criteria about classes hold (default 0).
`columns`, `rest` and `year` may be given once, with the criterion `safe-harbor`.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> people = pa.table({"zip": ["02139", "03601"], "born": ["1981-05-01", "1930-02-03"], "age": [44, 95],
...                    "seen": ["2025-01-31", "2025-02-28"], "sex": ["F", "M"]})
>>> table = Table.of(people, quasi=["zip", "born", "age", "sex"], keep=["seen"])
>>> released = SafeHarbor(columns={"sex": "other", "seen": "date"}, year=2026).protect(table, must=[])
>>> for name, cells in released.data.arrow.to_pydict().items():
...     print(name, cells)
zip ['021', '000']
born ['1981', '90+']
age ['44', '90+']
seen ['2025', '2025']
sex ['F', 'M']

## Why it is safe
Every published column has a category, or nothing is published. Dates lose all but the year; a year of birth at least
90 years before the release becomes `90+`, as the rule allows, and so does an age above 89; a ZIP code keeps three
digits where more than 20,000 people live behind them, and becomes `000` elsewhere; places smaller than a state become
`*` (empty outside the quasi columns). Identifiers and free text are refused: they must be dropped. Shifted dates are
refused. Then the published table is judged by the independent criterion. Cells name hierarchies that everybody has, by
which `1981`, `90+`, `021` and `000` cover whom they stand for: criteria and attacks that hold them against a list of
people find those people.

## Cost
O(n + d) time for n rows and d distinct values in each column.

## Source
45 CFR 164.514(b)(2); Office for Civil Rights, Guidance Regarding Methods for De-identification, 2012. Areas with more
than 20,000 people: 2020 census, by ZIP tabulation areas.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Criteria, DataError, Infeasible, Key, Mechanism, PolicyError, Protected, Role
from sharewell.cells import Exact
from sharewell.exact_shares import part_of
from sharewell.hierarchy.dates import Dates
from sharewell.hierarchy.levels import Hierarchy
from sharewell.hierarchy.safe_harbor_ages import SafeHarborAge, SafeHarborBirth
from sharewell.hierarchy.zips import SafeHarborZip
from sharewell.output_check import refuse_failing
from sharewell.parameters import Declared, ShareBelowOne, Year
from sharewell.tables.criteria.safe_harbor import SafeHarborRule
from sharewell.tables.data import Column, Table, encode
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.hipaa_categories import Category
from sharewell.tables.engine.protection.hipaa_recognition import agreed, known_categories, refuse_shifted
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_unfit
from sharewell.tables.engine.protection.perturbation.cell_writer import WrittenColumn, as_cells, released
from sharewell.tables.engine.protection.perturbation.number_columns import any_column, split
from sharewell.tables.engine.published_cells import persons_withheld
from sharewell.tables.mechanisms.record_suppression import classes_that_hold
from sharewell.wing import ColumnFacts

LAST_AGE, ABOVE = 89, "90+"
"""The last age that is published as it is, and what stands for all later ones."""


def tree_of(category: str, year: int | None) -> Hierarchy | None:
    """The hierarchy by which anybody can tell whom the cells of a category cover; None where they are exact, or `*`."""
    trees: dict[str, Hierarchy] = {
        "date": Dates(),
        "birth-date": SafeHarborBirth(year or 0),
        "age": SafeHarborAge(),
        "zip": SafeHarborZip(),
    }
    return trees.get(category)


@dataclass(frozen=True)
class SafeHarborDetails:
    columns: dict[str, str]
    """Column → the rule it fell under."""
    changed: dict[str, int]
    """Column → cells that are published as something else."""
    census: int
    year: int | None
    suppressed_records: int
    suppressed_persons: int
    not_checked: tuple[str, ...] = ("actual knowledge", "names and codes without a form in columns called other")

    @property
    def dictionary(self) -> dict[str, ColumnFacts]:
        claim: dict[str, ColumnFacts] = {}
        for name, category in self.columns.items():
            if category != "other":
                tree = tree_of(category, self.year)
                named = None if tree is None else tree.name
                settings = {named: {"year": self.year}} if category == "birth-date" and self.year else None
                census = {"census": self.census} if category == "zip" else {}
                claim[name] = {"safe_harbor": category, "hierarchy": named, "settings": settings, **census}
        return claim


@dataclass(frozen=True)
class SafeHarbor(Declared, Mechanism[Table]):
    """Dates to the year, ages to 90+, ZIP codes to three digits, the rest of the 18 away."""

    columns: dict[str, Category] = field(default_factory=dict)
    rest: Literal["other"] | None = None
    year: Year | None = None
    suppress: ShareBelowOne = 0.0

    engine: ClassVar[str] = "check"
    own_hierarchies: ClassVar[bool] = True
    only_years: ClassVar[bool] = True

    def protect(self, data: Table, must: Criteria[Table], key: Key | None = None) -> Protected[Table]:
        refuse_unfit(self.name, data)
        asked = next((one for one in must if isinstance(one, SafeHarborRule)), SafeHarborRule())
        columns = agreed(self.name, "columns", self.columns, asked.columns)
        rest, year = agreed(self.name, "rest", self.rest, asked.rest), agreed(self.name, "year", self.year, asked.year)
        refuse_shifted(self.name, data)
        results = known_categories(self.name, data, columns, rest, content_counts=False)
        if "birth-date" in results.values() and year is None:
            raise PolicyError(f"{self.name} — there is a date of birth — set year, the year of the release")
        written, changed = [], {}
        for name, category in results.items():
            if category != "other":
                column, _ = any_column(self.name, data, name)
                texts = [_published(column, code, category, year) for code in range(column.size)]
                _refuse_unreadable(self.name, name, category, texts)
                role, tree = data.schema.roles[name], tree_of(category, year)
                written.append((name, _written(column, role, category, [t or "" for t in texts], tree)))
                differs = np.array([t != old for t, old in zip(texts, column.texts, strict=True)], dtype=bool)
                changed[name] = int(differs[column.codes].sum())
        out, rows = self._withheld(data, released(data, *split(written)), must)
        rule = SafeHarborRule(columns, rest, year)
        refuse_failing(self.name, out, [rule, *(c for c in must if c != rule)])
        details = SafeHarborDetails(
            results, changed, SafeHarborZip.census, year, data.rows - len(rows), persons_withheld(data, rows)
        )
        return Protected(out, details, rows)

    def _withheld(self, data: Table, out: Table, criteria: Criteria[Table]) -> tuple[Table, NDArray[np.intp]]:
        """Without the records of failing classes, as far as the limit allows."""
        if not self.suppress:
            return out, np.arange(data.rows)
        kept, _, blocked = classes_that_hold(out, [c for c in criteria if isinstance(c, ClassCriterion)])
        gone, most = persons_withheld(data, kept), part_of(self.suppress, data.persons)
        if gone > most or not len(kept):
            blocking = [f"{name} fails in {count} class(es)" for name, count in blocked.items()]
            what = f"{gone} of {data.persons} persons would lose records, and at most {most} may"
            raise Infeasible(f"{self.name} — {what}", blocking=blocking, relaxations=["drop a quasi column"])
        return out.take(kept), kept


def _published(column: Column, code: int, category: str, year: int | None) -> str | None:
    """What a value is published as; None if it cannot be read as what the column is said to be."""
    text = column.texts[code]
    if not text or category == "geography":
        return ""
    by_category: dict[str, Callable[[], str | None]] = {
        "date": lambda: _year(text),
        "birth-date": lambda: _birth_year(_year(text), year),
        "age": lambda: _age(text),
        "zip": lambda: _zip(text),
    }
    return by_category[category]()


def _year(text: str) -> str | None:
    """The year of an ISO date, month, year or instant. Dates of another known form are ISO by now."""
    try:
        chain = Dates().chain(text)
    except DataError:
        return None
    return next((label for label in chain if len(label) == 4 and label.isdigit()), None)


def _birth_year(born: str | None, year: int | None) -> str | None:
    assert year is not None
    return ABOVE if born is not None and int(born) < year - LAST_AGE else born


def _age(text: str) -> str | None:
    try:
        age = float(text)
    except ValueError:
        return text if text == ABOVE else None
    if not 0 <= age < 1000:
        return None
    return ABOVE if age >= LAST_AGE + 1 else text


def _zip(text: str) -> str | None:
    try:
        return SafeHarborZip().chain(text)[-2]
    except DataError:
        return None


def _refuse_unreadable(mechanism: str, name: str, category: str, texts: Sequence[str | None]) -> None:
    bad = sum(text is None for text in texts)
    if bad:
        hints = {
            "zip": "write ZIP codes with five digits (leading zeros lost?)",
            "age": "write ages in years as numbers",
        }
        hint = hints.get(category, "write dates as YYYY-MM-DD, or say their form under `type`")
        what = f"{bad} of {sum(text != '' for text in texts)} distinct value(s) are no {category}"
        raise DataError(f"{mechanism} — column {name} — {what} — {hint}, correct them, or drop the column")


def _written(column: Column, role: Role, category: str, texts: list[str], tree: Hierarchy | None) -> WrittenColumn:
    if role is Role.QUASI:
        shown = ["*"] * len(texts) if category == "geography" else [Exact(text).text for text in texts]
        return replace(as_cells(column, column.codes, shown), hierarchy=tree), None
    import pyarrow as pa

    array = pa.array([text or None for text in texts], pa.string()).take(pa.array(column.codes))
    codes = encode(column.name, Role.SENSITIVE, array, kind="text") if role is Role.SENSITIVE else None
    return None, (array, codes)
