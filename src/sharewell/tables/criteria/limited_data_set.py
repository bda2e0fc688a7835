"""Limited Data Set: no published column is one of the 16 direct identifiers of the HIPAA rule.

## Guarantee
Every published column is known (named by the steward, or recognised), and those that are direct identifiers or free
text show nothing. In all other columns no cell is written like a direct identifier, and none can be the one that the
column's own name says, whatever the steward calls the column: `mrn` and `ssn` are not `other`, nor `zip`. In a column
called `other`, numbers are judged by the others of their column too. `safe-harbor` lists the forms, and how cells are
read; of these, dates, ages, ZIP codes and foreign postcodes may stay here, streets and coordinates may not. A column
that is unknown leaves the question undecided, and so fails.

## Adversary
The rule names none: it lists what must not be published, and demands a data use agreement.

## What it does not protect
It bounds no risk: dates and places stay exact. The agreement is not checked, nor are names and short codes in a column
whose name does not say them. What is refused although it may be harmless is listed by `safe-harbor`.

## Parameters
columns: column → category (`date`, `birth-date`, `age`, `zip`, `geography`, `identifier`, `text`, `other`). What is not
named is recognised by its name, or as dates by what it holds.
rest: `other`, to say that all columns not named and not recognised are none of the 16. By default it is not said.
unit: cells are judged record by record.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> shown = pa.table({"zip": ["02139"], "email": ["ann@example.org"], "admitted": ["2025-01-31"]})
>>> table = Table.of(shown, quasi=["zip"], keep=["email", "admitted"], published=True)
>>> print(LimitedDataSetRule().check(table))
limited-data-set = 1 cells (≤ 0: FAILS)

## Why it is safe
It looks at every published column, by its name and by what it holds, and uses nothing that a mechanism computed, nor
its words and patterns (`safe-harbor` says what it uses instead).

## Cost
O(n + d) time for n rows and d distinct cells.

## Source
45 CFR 164.514(e)(2).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from sharewell.algorithm import Criterion, Declared, Finding
from sharewell.tables.data import Table
from sharewell.tables.engine.checks.hipaa_recognition import counted_texts, persons_of_texts, recognised
from sharewell.tables.engine.checks.identifier_formats import CountedCell, format_of, identifying_cells
from sharewell.tables.engine.checks.named_kinds import contradicted
from sharewell.tables.engine.hipaa_categories import Category, named_columns

_NOTHING = ("", "*", "<suppressed>")
_DIRECT = ("identifier", "text")


@dataclass(frozen=True)
class LimitedDataSetProfile:
    columns: dict[str, str]
    not_checked: tuple[str, ...] = ("the data use agreement", "names and codes without a form in columns called other")


@dataclass(frozen=True)
class LimitedDataSetRule(Declared, Criterion[Table]):
    """No direct identifier is published."""

    columns: dict[str, Category] = field(default_factory=dict)
    rest: Literal["other"] | None = None
    unit: Literal["record"] = "record"

    about_columns: ClassVar[bool] = True
    bound: ClassVar[int] = 0

    def check(self, data: Table) -> Finding:
        result = recognised(data, self.columns, self.rest)
        profile = LimitedDataSetProfile({name: category or "unknown" for name, category in result.items()})
        unknown = [name for name, category in result.items() if category is None]
        note = f"undecided: {named_columns(unknown)} — say what they are" if unknown else ""
        total = None
        if result and data.rows and not unknown:
            direct = [name for name, category in result.items() if category in _DIRECT]
            total = sum(count for name in direct for text, count in counted_texts(data, name) if text not in _NOTHING)
            called = {name: _identifying(data, name, category) for name, category in result.items()}
            total += sum(called.values())
            wrong = named_columns(name for name, count in called.items() if count)
            if wrong:
                note = f"named or written like identifiers, though called something else: {wrong} — drop them"
        return self.finding(total, unit="cells", details=profile, note=note)


def _identifying(data: Table, name: str, category: str | None) -> int:
    """Cells that are written like identifiers, or can be the one that the name says, though called otherwise."""
    if category in _DIRECT:
        return 0
    persons = persons_of_texts(data, name)
    cells = [CountedCell(text, count, persons.get(text)) for text, count in counted_texts(data, name)]
    # What the company of a number says counts in columns called other: dates and ZIP codes may be long numbers too.
    other = category == "other"
    kinds = identifying_cells(cells, name, limited=True) if other else [format_of(c.text, limited=True) for c in cells]
    said, named = contradicted(name, cells) or ("", set())
    written = {i for i, kind in enumerate(kinds) if kind is not None}
    return sum(cells[i].rows for i in (written | named if said in _DIRECT else written))
