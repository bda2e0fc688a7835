"""Safe Harbor: checks published cells for the 18 kinds of identifiers of the HIPAA Privacy Rule.

## Guarantee
No published cell breaks a rule of 45 CFR 164.514(b)(2)(i) that can be read from the file: no ZIP code of more than
three digits or of a sparsely populated area, no part of a date but the year, no age above 89 and no year of birth that
tells it, no place smaller than a state, nothing in a column that is an identifier or free text. That a column is
`other` is believed only as far as its cells and its name do not contradict it:

* **Cells.** None is written like one of the eighteen kinds, in the forms below, whatever stands around it: words,
  brackets, a label (`ZIP02139`, `SSN no. …`), a port or path, other dashes, blanks, dots or digits of any script; as
  text, as a number, or in a set.
* **Name.** If the column's own name says a kind of the rule (`dob`, `age`, `zip`, `ssn`, `city` …), the cells that can
  be of that kind are held against its rule. Words in `phone_contact`, `adult` in `age_group` and 0 and 1 in
  `born_abroad` cannot be; 95 in `age`, 4711 in `mrn` and 20250131 in `visit_date` can. Name such a column by its
  category, drop it or generalise it. A column whose name says birth is judged as `birth-date` if it is called a `date`.

A column that nobody named and that is not recognised leaves the question undecided, and so fails.

Forms that are recognised in a column called `other`; "by the column" means by the other cells that it holds:

* (A) names: none; only by the column's name.
* (B) places: five-digit ZIP codes (by the column), ZIP+4, ZIP codes with a state or label; postcodes of Canada and the
  United Kingdom; coordinates; streets with a number.
* (C) dates and ages: days and months with the year in any usual order, with time and zone, named or compact; names of
  months (by the column); ages above 89 with a label or in a column of ages.
* (D), (E) telephone and fax: ten digits of North America, `+` and a country, a leading zero and groups; shorter ones
  with a label.
* (F), (N), (O) mail, web and network: addresses with `@`, a scheme, `www` or a usual domain; internet addresses of both
  versions with port, path or mask; hardware addresses.
* (G) social security: three, two and four digits; nine digits (by the column); the last four behind a mask.
* (H), (I) records and beneficiaries: Medicare's form; digits behind letters or zeros (by the column); any digits with a
  label.
* (J), (K) accounts and licences: cards and bank accounts by their check digits; nine digits or more (by the column);
  four or more with a label.
* (L), (M) vehicles and devices: vehicle numbers by their check character, plates (by the column), device codes of GS1,
  IMEI.
* (P), (Q) biometrics and pictures: files and data of pictures and sounds.
* (R) all others: random identifiers, hashes, words of machine-made letters and digits.

## Adversary
The rule names none: it lists what must not be published.

## What it does not protect
It bounds no risk: records may still be unique. **Not checked: actual knowledge** that what is left could identify a
person (164.514(b)(2)(ii)); identifiers without a form of their own (names, words, short codes) in a column that the
steward calls `other` and whose name does not say it.

Numbers without separators are judged by the other numbers of their column (`identifier_numbers`), so that costs and
codes may stay. Not seen: one five-digit number without a state, a label or a zero in front; one glued to a single
letter, as codes of diseases are; ZIP codes among many numbers of other lengths (as in street addresses) or among
numbers that mostly end in 00, with a unit behind or the name of a code system before them, or in a column called a
cost, count or other amount unless one begins with a zero, or called by a system of five-digit codes; a column of ZIP
codes that all lost their zero; telephone numbers without an area code or label; record numbers of up to eight digits
without letters, zero or label; a bare number of nine digits or more that five persons share (or five records, where the
file does not tell persons apart), or that carries the check digit of SNOMED CT where most of the column do; `2010-11`
where the column holds nothing but a year and the next.

On the other side these are refused although they may be harmless; round them, name their code system in the column's
name (`cpt`, `ndc`, `icd`), write the unit into the cell, rename the column, or drop it: a column that holds hardly any
numbers but of five digits (and fewer of four); two numbers that could be social security or telephone numbers; long
numbers, and codes of six digits or more behind letters, that few persons share; dates that are not about the
individual; a column of three letters and three or four digits (rooms, study drugs, genes) that few persons share; a
titre such as 1/2048, or `10-10-10`, where one cell in six is so; national drug codes of five and four digits alone in
their column; four numbers with dots, as some versions have; several numbers with hyphens in one cell; a column whose
name says a kind of the rule but means something else by its digits (`days_to_date` of five digits).

Three-digit areas are those of the 2020 census, by the census's own ZIP areas; compare with the current one before legal
use.

## Parameters
columns: column → category (`date`, `birth-date`, `age`, `zip`, `geography`, `identifier`, `text`, `other`). What is not
named is recognised by its name, or as dates by what it holds.
rest: `other`, to say that all columns not named and not recognised are none of the 18. By default it is not said.
year: the year of the release, needed for years of birth: one that is 90 years back or more reveals an age above 89.
unit: cells are judged record by record.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> shown = pa.table({"zip": ["021", "03601"], "age": ["44", "90+"], "seen": ["2019", "2019-03"], "sex": ["F", "M"]})
>>> table = Table.of(shown, quasi=["zip", "age"], keep=["seen", "sex"], published=True)
>>> rule = SafeHarborRule(columns={"seen": "date", "sex": "other"})
>>> print(rule.check(table))
safe-harbor = 2 cells (≤ 0: FAILS)
>>> [(part.column, part.value) for part in rule.check(table).parts if part.failed]
[('zip', 1), ('seen', 1)]

The word `other` does not help where the name or the cells say something else:

>>> shown = pa.table({"age": ["44", "95"], "ward": ["4 West", "ICU"], "x": ["4111 1111 1111 1111", "192.168.1.1:80"]})
>>> table = Table.of(shown, quasi=["age"], keep=["ward", "x"], published=True)
>>> rule = SafeHarborRule(columns={"age": "other", "ward": "other", "x": "other"})
>>> [(part.column, part.value) for part in rule.check(table).parts if part.failed]
[('age', 1), ('x', 2)]

## Why it is safe
Every published cell is read anew, as text, and must have one of a few forms; whatever has another form is a violation.
Nothing that a mechanism computed is used, nor the words and patterns by which it recognises columns: here a name is
held against the words of the rule (`hipaa_names`, `named_kinds`), a cell is brought to one spelling (`cell_spelling`),
days and months are read from groups of digits (`date_formats`), and formats by the numbering plans and check digits of
those who assign them (`identifier_formats`). Where the mechanism takes a column for something else, the release is
refused until the steward says what it is. Cells that cover several values (ranges, sets) must fit with all of them.

## Cost
O(n + d) time for n rows and d distinct cells; O(n log n) where persons are known.

## Source
45 CFR 164.514(b)(2); Office for Civil Rights, Guidance Regarding Methods for De-identification, 2012, whose example
gives a person born in 1910 and seen in 2010 the year "on or before 1920". The year of the release is used here, which
is later and so stricter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Criterion, Finding, Role
from sharewell.cells import Any as AnyCell
from sharewell.cells import Cell, Exact, Interval, Node, Prefix, Set, Suppressed, parse
from sharewell.parameters import Declared, Year
from sharewell.tables.data import Table
from sharewell.tables.engine.checks.hipaa_recognition import CENSUS, counted_texts, persons_of_texts, recognised
from sharewell.tables.engine.checks.identifier_formats import CountedCell, identifying_cells
from sharewell.tables.engine.checks.named_kinds import contradicted
from sharewell.tables.engine.checks.place_formats import is_populated_area, populated_areas
from sharewell.tables.engine.hipaa_categories import Category, named_columns

OLDEST = 89
TOP = "90+"
CALLED_OTHER = "though the column is called other"
ADVICE = "name it by its category, drop it or generalise it"
_AGE = re.compile(r"\d{1,3}(\.\d+)?", re.ASCII)
Fits = Callable[[Cell], bool]


@dataclass(frozen=True)
class SafeHarborProfile:
    """Which columns were judged as what, and by which census."""

    columns: dict[str, str]
    census: int
    not_checked: tuple[str, ...] = ("actual knowledge", "names and codes without a form in columns called other")


@dataclass(frozen=True)
class SafeHarborRule(Declared, Criterion[Table]):
    """No published cell breaks a rule of Safe Harbor."""

    columns: dict[str, Category] = field(default_factory=dict)
    rest: Literal["other"] | None = None
    year: Year | None = None
    unit: Literal["record"] = "record"

    about_columns: ClassVar[bool] = True
    bound: ClassVar[int] = 0

    def check(self, data: Table) -> Finding:
        result = recognised(data, self.columns, self.rest)
        parts = [self._judged(data, name, category) for name, category in result.items()]
        undecided = [part.column or "" for part in parts if part.value is None]
        profile = SafeHarborProfile({name: category or "unknown" for name, category in result.items()}, CENSUS)
        note = "actual knowledge is not checked"
        if undecided:
            note = f"undecided: {named_columns(undecided)} — say what they are"
        total = None if undecided or not data.rows or not parts else sum(int(part.value or 0) for part in parts)
        return self.finding(total, unit="cells", parts=parts, details=profile, note=note)

    def _judged(self, data: Table, name: str, category: str | None) -> Finding:
        role = data.schema.roles[name]
        value: int | None = None
        note = ""
        if category is None:
            note = "nothing says what this column is"
        elif category == "birth-date" and self.year is None:
            note = "years of birth are judged against the year of the release: give it"
        elif data.rows:
            fits = self._fits(category)
            dated = role is Role.SHIFT
            texts = [(text, count) for text, count in counted_texts(data, name) if text]
            # Columns outside the quasi ones hold values, which may look like anything.
            cells = [(parse(text) if role is Role.QUASI else Exact(text), count) for text, count in texts]
            value = sum(count for cell, count in cells if dated or not fits(cell))
            if category == "other" and not dated:
                persons = persons_of_texts(data, name)
                known = [persons.get(text) for text, _ in texts]
                value, note = self._called_other(name, [cell for cell, _ in cells], [n for _, n in cells], known)
        part = f"safe-harbor: {category or 'unknown'}"
        return Finding.judge(part, value, "≤", 0, column=name, unit="cells", note=note)

    def _called_other(
        self, name: str, cells: list[Cell], counts: list[int], persons: Sequence[NDArray[np.int32] | None]
    ) -> tuple[int | None, str]:
        """Cells that are written like identifiers, or that break the rule that the column's own name says."""
        shown = [CountedCell(_shown(cell), n, who) for cell, n, who in zip(cells, counts, persons, strict=True)]
        kinds = identifying_cells(shown, name)
        written = {i for i, kind in enumerate(kinds) if kind is not None}
        said, named = contradicted(name, shown) or ("", set())
        if said == "birth-date" and named and self.year is None:
            return None, f"its name says {said}: give the year of the release, or drop the column"
        if said != "age":
            named = {i for i in named if not self._fits(said)(cells[i])}
        if named - written:
            return sum(counts[i] for i in named | written), f"its name says {said}, {CALLED_OTHER} — {ADVICE}"
        by_kind = Counter({kind: 0 for kind in kinds if kind is not None})
        for i in written:
            by_kind[kinds[i] or ""] += counts[i]
        note = f"cells written like {by_kind.most_common(1)[0][0]}, {CALLED_OTHER} — {ADVICE}" if written else ""
        return by_kind.total(), note

    def _fits(self, category: str) -> Fits:
        if category == "birth-date":
            earliest = (self.year or 9999) - OLDEST
            return lambda cell: _is_top(cell) or _years(cell, earliest)
        by_category: dict[str, Fits] = {"date": _years, "age": _age, "zip": _zip, "other": lambda cell: True}
        return by_category.get(category, _empty)


def _shown(cell: Cell) -> str:
    """What a cell shows: of a set its members, of a prefix its beginning with the digits left open."""
    if isinstance(cell, Prefix):
        return cell.start.ljust(5, "0") if len(cell.start) == 4 else cell.start
    return "; ".join(_texts(cell) or ())


def _empty(cell: Cell) -> bool:
    return isinstance(cell, AnyCell | Suppressed)


def _is_top(cell: Cell) -> bool:
    return isinstance(cell, Exact | Node) and (cell.value if isinstance(cell, Exact) else cell.label) == TOP


def _texts(cell: Cell) -> tuple[str, ...] | None:
    """The ends or members of a cell; None if it is of another kind."""
    match cell:
        case Exact(value):
            return (value,)
        case Node(label):
            return (label,)
        case Interval(low, high):
            return low, high
        case Set(members):
            return members
    return None


def _years(cell: Cell, earliest: int = 0) -> bool:
    """Years, or spans of them, none before the earliest."""
    if _empty(cell):
        return True
    spans = [text.split("-") for text in _texts(cell) or ("",)]
    if not all(len(span) <= 2 and all(_is_year(end) for end in span) for span in spans):
        return False
    return min(int(end) for span in spans for end in span) >= earliest


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isascii() and text.isdecimal()


def _age(cell: Cell) -> bool:
    if _empty(cell) or _is_top(cell):
        return True
    texts = _texts(cell)
    return texts is not None and all(_AGE.fullmatch(text) and float(text) < OLDEST + 1 for text in texts)


def _zip(cell: Cell) -> bool:
    if _empty(cell):
        return True
    if isinstance(cell, Prefix):
        return len(cell.start) < 3 or cell.start in populated_areas()
    texts = None if isinstance(cell, Interval) else _texts(cell)
    return texts is not None and all(map(is_populated_area, texts))
