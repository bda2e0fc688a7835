"""Linkage: an attacker with a list of named people looks for those who fit a published record.

Guarantee
---------
None; a measurement. The value is the largest probability of naming the right person for a published record.

Adversary
---------
Holds a population list (a register, a voter list) with some or all of the quasi columns, exact and true; for each
published record picks one of the N people who fit it, at random (the journalist).

What it does not protect
------------------------
If the list lacks some of the released people the true risk is lower; if the attacker knows more columns it is higher.

Parameters
----------
population: a file or frame with named people; `columns` of the source map names where they differ.
threshold: records whose probability exceeds this are counted as at risk.

Worked example
--------------
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> people = pa.table({"age": [40, 40, 45, 45, 61], "area": ["NW10", "NW10", "NW15", "NW15", "NW15"]})
>>> published = pa.table({"age": ["40", "[41-50]"], "area": ["NW10", "NW15"]})
>>> table = Table.of(published, quasi=["age", "area"])
>>> Linkage(people).mount(table).value
0.5

Why it is safe
--------------
It reads the release and the list, and returns numbers only. A published record that nobody on the list fits is
counted apart: it cannot be linked, and it shows that the list is not complete.

Cost
----
Classes are walked as a tree, column by column, and each branch keeps only the people who still fit:
O(people · cells of the first column) in the worst case, far less in practice.

Source
------
Sweeney, 2002; El Emam and Dankar, 2008 (journalist risk).
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any as Anything
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.cells import Any, Cell, Exact, Interval, Node, Prefix, Set, Suppressed
from sharewell.errors import DataError
from sharewell.findings import Finding
from sharewell.hierarchy.levels import Hierarchy
from sharewell.io.sources import Source
from sharewell.protocols import Truth
from sharewell.roles import Role
from sharewell.tables.attacks.prosecutor import RiskProfile, risk_profile
from sharewell.tables.columns import Column, encode
from sharewell.tables.dataset import Table


@dataclass(frozen=True)
class LinkageDetails:
    """People on the list, columns they were matched by, and the probabilities."""

    people: int
    columns: tuple[str, ...]
    unmatched_records: int
    unique_records: int
    """Published records that fit one person alone."""
    risk: RiskProfile


@dataclass(frozen=True)
class Linkage:
    """1 / (people of the list who fit), for every published record."""

    population: Anything
    threshold: float = 0.09

    name: ClassVar[str] = "linkage"

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        source = Source.of(self.population)
        listed = source.names()
        shared = [column for column in released.quasi if column.name in listed]
        if not shared:
            wanted = ", ".join(released.schema.quasi)
            raise DataError(
                f"{source.label} — shares no quasi column with the release ({wanted}) — map names with `columns:`"
            )
        frame = source.read([column.name for column in shared])
        people = [encode(c.name, Role.QUASI, frame[c.name], kind="text") for c in shared]
        classes = released.classes
        first = classes.order[classes.starts[:-1]]
        fits = count_fitting(shared, people, np.stack([c.codes[first] for c in shared]), frame.num_rows)
        risk = np.where(fits > 0, 1.0 / np.maximum(fits, 1), 0.0)
        details = LinkageDetails(
            frame.num_rows,
            tuple(c.name for c in shared),
            int(classes.sizes[fits == 0].sum()),
            int(classes.sizes[fits == 1].sum()),
            risk_profile(risk, classes.sizes, self.threshold),
        )
        value = float(risk.max()) if len(risk) else None
        return Finding(self.name, value, unit="probability", details=details)


def count_fitting(
    published: Sequence[Column], people: Sequence[Column], cells: NDArray[np.int32], total: int
) -> NDArray[np.int64]:
    """For each class (a column of `cells`): how many of the people its cells cover."""
    covers = [_coverage(column, listed) for column, listed in zip(published, people, strict=True)]
    counts = np.zeros(cells.shape[1], dtype=np.int64)

    def walk(depth: int, classes: NDArray[np.intp], fitting: NDArray[np.intp]) -> None:
        if depth == len(published) or not len(fitting):
            counts[classes] = len(fitting)
            return
        here = cells[depth, classes]
        values = people[depth].codes[fitting]
        for cell in np.unique(here):
            row = covers[depth][cell]
            walk(depth + 1, classes[here == cell], fitting if row is None else fitting[row[values]])

    walk(0, np.arange(cells.shape[1]), np.arange(total))
    return counts


def _coverage(published: Column, listed: Column) -> list[NDArray[np.bool_] | None]:
    """For each published cell, which of the list's distinct values it covers (None: all)."""
    chains = None
    if published.hierarchy is not None:
        chains = [_chain(published.hierarchy, text) for text in listed.texts]
    return [_covered(cell, listed.texts, chains) for cell in published.cells]


def _chain(hierarchy: Hierarchy, text: str) -> tuple[str, ...]:
    """What covers a value of the list; one that the hierarchy lacks is covered by itself and the root alone."""
    if not text:
        return ()
    try:
        return hierarchy.chain(text)
    except DataError:
        return (text, "*")


def _covered(cell: Cell, texts: Sequence[str], chains: Sequence[Sequence[str]] | None) -> NDArray[np.bool_] | None:
    """Which of these values a cell covers. A cell with a label is looked up in the values' chains."""
    match cell:
        case Any():
            return None
        case Suppressed():
            return np.zeros(len(texts), dtype=bool)
        case Exact(value) if chains is None:
            return np.array([text == value for text in texts])
        case Set(members):
            return np.array([text in members for text in texts])
        case _ if chains is not None:
            label = cell.label if isinstance(cell, Node) else cell.value if isinstance(cell, Exact) else cell.text
            return np.array([label in chain or (not chain and not label) for chain in chains])
        case Prefix(start):
            return np.array([text.startswith(start) for text in texts])
        case Interval(low, high):
            bottom, top = _line(low), _line(high)
            places = [_line(text) for text in texts]
            return np.array(
                [p is not None and bottom is not None and top is not None and bottom <= p <= top for p in places]
            )
        case Node(label):
            return np.array([text == label for text in texts])
    raise AssertionError(cell)


def _line(text: str) -> float | None:
    """A number or a date as a place on a line."""
    try:
        return float(text)
    except ValueError:
        pass
    try:
        return float(datetime.date.fromisoformat(text).toordinal())
    except ValueError:
        return None
