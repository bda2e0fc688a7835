"""From patients to a table in one step: rows of one or several owners, grouped by some columns, persons counted once.

>>> import pyarrow as pa
>>> north = pa.table({"who": ["a", "a", "b"], "sex": ["f", "f", "m"], "cost": ["10.5", "2", "7"]})
>>> south = pa.table({"who": ["c", "b"], "sex": ["f", "m"], "cost": ["1", "0.5"]})
>>> tabulate([north, south], ["sex"], subject="who").arrow.to_pylist()
[{'sex': '*', 'count': 3}, {'sex': 'f', 'count': 2}, {'sex': 'm', 'count': 1}]
>>> tabulate([north, south], ["sex"], subject="who", measure="cost").arrow.to_pylist()
[{'sex': '*', 'cost': '21.0'}, {'sex': 'f', 'cost': '13.5'}, {'sex': 'm', 'cost': '7.5'}]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from sharewell.errors import DataError
from sharewell.hierarchy import Hierarchy
from sharewell.io.grouped_files import grouped
from sharewell.io.sources import Source
from sharewell.reports.counts.data import Contributions, CountTable, cells_of
from sharewell.reports.counts.engine.dimensions import Dimension
from sharewell.reports.counts.engine.relations import NO_LIMIT

if TYPE_CHECKING:
    import pyarrow as pa


def tabulate(
    sources: object,
    dimensions: Sequence[str],
    *,
    subject: str | None = None,
    measure: str | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
) -> CountTable:
    """Counts of persons (or of rows, where nobody is named), or sums of a measure, with every total.

    sources: a path, a dataframe or a Source, or a list of them, one an owner; a person has the same name in all.
    """
    many = sources if isinstance(sources, list | tuple) else [sources]
    found = grouped([Source.of(_plain(one)) for one in many], dimensions, subject, measure)
    if measure is None and found.repeated:
        what = f"{found.repeated} of {found.persons} persons stand in more than one cell, so that totals are no sums"
        advice = "leave out the dimension in which they differ, or name a measure to be added up"
        raise DataError(f"the table — {what} — {advice}")
    if not found.table.num_rows:
        raise DataError("the table — no row falls into it — is a dimension or the measure empty?")
    columns = [found.table[str(i)].to_pylist() for i in range(len(dimensions))]
    built = []
    for name, column in zip(dimensions, columns, strict=True):
        tree = (hierarchies or {}).get(name)
        values = sorted(set(column), key=lambda value: (value is not None, value or ""))
        above = {value: () if tree is None or value is None else tree.chain(value)[1:] for value in values}
        built.append(Dimension.of(name, above, tree))
    amounts = found.table["amount"].to_numpy(zero_copy_only=False).astype(np.int64)
    if float(np.abs(amounts).astype(np.float64).sum()) >= NO_LIMIT:
        raise DataError("the table — its sums are too large to be computed with exactly")
    empty = CountTable(
        tuple(built), np.zeros(cells_of(built), np.int64), value=measure or "count", decimals=found.decimals
    )
    places = empty.places(list(zip(*columns, strict=True)))
    given = None
    if measure is not None and subject is not None:
        person = found.table["person"].to_numpy(zero_copy_only=False).astype(np.int64)
        given = Contributions(places, person, amounts)
    return empty.with_truth(places, amounts, given)


@runtime_checkable
class Relation(Protocol):
    """A relation of DuckDB."""

    def to_arrow_table(self) -> pa.Table: ...


def _plain(given: object) -> object:
    """A relation of DuckDB stands for a query on any database that DuckDB can attach."""
    if not isinstance(given, str | Path | Source) and isinstance(given, Relation):
        return given.to_arrow_table()
    return given
