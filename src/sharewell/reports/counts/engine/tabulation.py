"""Where tables come from: rows of patients, grouped by some columns, or a table that somebody published.

`tabulate` counts persons once, or adds up a measure, over the files of one or several owners.

>>> import pyarrow as pa
>>> north = pa.table({"who": ["a", "a", "b"], "sex": ["f", "f", "m"], "cost": ["10.5", "2", "7"]})
>>> south = pa.table({"who": ["c", "b"], "sex": ["f", "m"], "cost": ["1", "0.5"]})
>>> tabulate([north, south], ["sex"], subject="who").arrow.to_pylist()
[{'sex': '*', 'count': 3}, {'sex': 'f', 'count': 2}, {'sex': 'm', 'count': 1}]
>>> tabulate([north, south], ["sex"], subject="who", measure="cost").arrow.to_pylist()
[{'sex': '*', 'cost': '21.0'}, {'sex': 'f', 'cost': '13.5'}, {'sex': 'm', 'cost': '7.5'}]

`read_table` takes a published table as it stands: what do its totals give away?

>>> table = read_table(pa.table({"sex": ["all", "f", "m"], "n": ["23", "-5", "20"]}), ["sex"], "n", total="all")
>>> table.arrow.to_pylist()
[{'sex': '*', 'count': 23}, {'sex': 'f', 'count': -5}, {'sex': 'm', 'count': 20}]
>>> from sharewell.reports.counts.attacks.table_interval import TableInterval
>>> TableInterval().mount(table).value
1.0
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sharewell.cells import Exact
from sharewell.errors import DataError
from sharewell.hierarchy.levels import Hierarchy
from sharewell.io.grouped_files import grouped
from sharewell.io.sources import Source
from sharewell.reports.counts.data import HIDDEN, Contributions, CountTable, cells_of
from sharewell.reports.counts.engine.dimensions import TOTAL, Dimension
from sharewell.reports.counts.engine.relations import NO_LIMIT


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
    files = sources if isinstance(sources, list | tuple) else [sources]
    groups = grouped([Source.of(one) for one in files], dimensions, subject, measure)
    if measure is None and groups.repeated:
        what = f"{groups.repeated} of {groups.persons} persons stand in more than one cell, so that totals are no sums"
        advice = "leave out the dimension in which they differ, or name a measure to be added up"
        raise DataError(f"the table — {what} — {advice}")
    if not groups.table.num_rows:
        raise DataError("the table — no row falls into it — is a dimension or the measure empty?")
    columns = [groups.table[str(i)].to_pylist() for i in range(len(dimensions))]
    built = []
    for name, column in zip(dimensions, columns, strict=True):
        tree = (hierarchies or {}).get(name)
        values = sorted(set(column), key=lambda value: (value is not None, value or ""))
        above = {value: () if tree is None or value is None else tree.chain(value)[1:] for value in values}
        built.append(Dimension.of(name, above, tree))
    amounts = groups.table["amount"].to_numpy(zero_copy_only=False).astype(np.int64)
    if float(np.abs(amounts).astype(np.float64).sum()) >= NO_LIMIT:
        raise DataError("the table — its sums are too large to be computed with exactly")
    zeros = np.zeros(cells_of(built), np.int64)
    empty = CountTable(tuple(built), zeros, value=measure or "count", decimals=groups.decimals)
    places = empty.places(list(zip(*columns, strict=True)))
    contributions = None
    if measure is not None and subject is not None:
        person = groups.table["person"].to_numpy(zero_copy_only=False).astype(np.int64)
        contributions = Contributions(places, person, amounts)
    return empty.with_truth(places, amounts, contributions)


def read_table(source: object, dimensions: Sequence[str], value: str, *, total: str = TOTAL) -> CountTable:
    """One row a cell, whole numbers. Empty, or absent, is hidden; −k is "1 to k − 1", as OHDSI's tools write it.

    total: what stands for the total of a dimension.
    """
    table = Source.of(source).read([*dimensions, value])
    columns = [table[name].cast("string").to_pylist() for name in dimensions]
    built = tuple(
        Dimension.flat(name, {code for code in column if code != total})
        for name, column in zip(dimensions, columns, strict=True)
    )
    shown = np.full(cells_of(built), HIDDEN, np.int64)
    counts = CountTable(built, shown)
    places = []
    for dimension, column in zip(built, columns, strict=True):
        codes = [TOTAL if code == total else None if code is None else Exact(code).text for code in column]
        places.append([dimension.place[code] for code in codes])
    if not table.num_rows:
        raise DataError("the table — has no cell")
    cells = np.ravel_multi_index(tuple(np.array(place) for place in places), counts.shape)
    if len(np.unique(cells)) < len(cells):
        raise DataError(f"the table — {len(cells) - len(np.unique(cells))} cell(s) stand twice — keep one of each")
    shown[cells] = _numbers(table[value].to_pylist(), value)
    return counts


def _numbers(values: Sequence[object], name: str) -> list[int]:
    try:
        numbers = [HIDDEN if value is None else int(str(value)) for value in values]
    except ValueError:
        raise DataError(f"column {name} — cells that are not whole numbers — leave empty what is hidden") from None
    if odd := numbers.count(-1):
        raise DataError(f"column {name} — {odd} cell(s) of −1, which means nothing — −k stands for 1 to k − 1")
    return numbers
