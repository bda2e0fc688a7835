"""Files of any length: a Parquet or CSV file in, a protected Parquet file out, and only codes in memory.

    from sharewell.tables import KAnonymity, Mondrian
    from sharewell.tables.engine.large_files import protect_file

    protect_file("people.parquet", "shared.parquet", quasi=["age", "sex", "zip"], sensitive=["illness"],
                 must=[KAnonymity(10)], hierarchies={"zip": Prefixes()})

Columns that are not named are left out. Rows are written sorted by what they show: their order in the source is not
published. Cells are the same as those of `Mondrian().protect` on a frame. Memory is about twice the codes of the quasi
columns (one or two bytes a cell where they have up to 65,000 distinct values) and 20 bytes a row. Nothing is certified:
for a release that can be verified write a policy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from sharewell.content_order import ranks
from sharewell.errors import PolicyError
from sharewell.hierarchy.levels import Hierarchy
from sharewell.io.coded_file import Coded, read_coded, write_pieces
from sharewell.io.sources import Source
from sharewell.roles import Role, Schema
from sharewell.tables.data import Classes, Kind, Table, encode
from sharewell.tables.engine.checks.class_criterion import ClassCriteria
from sharewell.tables.engine.protection.partitioning.cuts import positions
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_unions, root_class
from sharewell.tables.engine.published_cells import class_cells, persons_withheld
from sharewell.tables.mechanisms.mondrian import Mondrian, MondrianDetails

_PIECE = 1 << 20


def protect_file(
    source: Source | str | Path,
    target: str | Path,
    *,
    must: ClassCriteria,
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    keep: Sequence[str] = (),
    subject: str | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    mechanism: Mondrian | None = None,
) -> MondrianDetails:
    """Protect a file by Mondrian. Every criterion asked for holds in the file written, or an error says why not.

    O(q · n · depth) time; see the module for memory.
    """
    named = {Role.QUASI: quasi, Role.SENSITIVE: sensitive, Role.KEEP: keep, Role.SUBJECT: [subject] if subject else []}
    roles = {name: role for role, names in named.items() for name in names}
    if len(roles) < sum(map(len, named.values())):
        raise PolicyError("protect_file — a column has two roles — give it one")
    mondrian = mechanism or Mondrian()
    if mondrian.label in keep:
        raise PolicyError(f"protect_file — label: column {mondrian.label} is kept — make it sensitive")
    coded = read_coded(Source.of(source), list(roles))
    table = _table(coded, Schema(roles), hierarchies or {})
    coded = {name: coded[name] for name in (*sensitive, *keep)}  # the rest has codes of its own now
    refuse_unions("protect_file", must, root_class(mondrian.name, table, must))
    classes, depth = mondrian.classes(table, must)
    rows = write_pieces(Path(target), _written(table, classes, coded))
    withheld_persons = persons_withheld(table, np.sort(classes.order)) if rows < table.rows else 0
    return MondrianDetails(classes.count, int(classes.sizes.min()), depth, table.rows - rows, withheld_persons)


def _table(given: Mapping[str, Coded], schema: Schema, hierarchies: Mapping[str, Hierarchy]) -> Table:
    """The columns that algorithms look at, in as few bytes as they fit in."""
    columns = {}
    for name in schema.having(Role.QUASI, Role.SENSITIVE, Role.SUBJECT):
        role, coded = schema.roles[name], given[name]
        lacks = len(coded.codes) > 0 and int(coded.codes.min()) == 0
        values = coded.values if lacks else coded.values[1:]
        kind: Kind | None = "text" if role is Role.SUBJECT else None
        column = encode(name, role, values, hierarchy=hierarchies.get(name), kind=kind)
        final = column.codes.astype(np.min_scalar_type(column.size))
        final = final if lacks else np.append(final[:1] * 0, final)
        columns[name] = replace(column, codes=final[coded.codes])
    rows = len(next(iter(given.values())).codes) if given else 0
    return Table(schema, columns, pa.table({}), rows)


def _written(table: Table, classes: Classes, shown: Mapping[str, Coded]) -> Iterator[pa.Table]:
    """The rows by what they show, about a million at a time; the order of the source decides nothing."""
    cells = [class_cells(column, classes) for column in table.quasi]
    order = np.lexsort([column.codes for column in reversed(cells)]) if cells else np.arange(classes.count)
    alike = np.ones(classes.count, dtype=bool)  # does the class show something else than the one before?
    alike[1:] = np.any([c.codes[order][1:] != c.codes[order][:-1] for c in cells], axis=0) if cells else False
    group = np.cumsum(alike) - 1
    piece = np.cumsum(classes.sizes[order]) // _PIECE
    piece = piece[np.searchsorted(group, group)]  # classes that show the same belong to one piece
    places = [ranks(coded.values) for coded in shown.values()]
    for some in np.split(np.arange(classes.count), np.flatnonzero(np.diff(piece)) + 1):
        which = order[some]
        sizes = classes.sizes[which]
        rows = classes.order[positions(classes.starts[:-1][which], classes.starts[1:][which])]
        group_of_row, class_of_row = np.repeat(group[some], sizes), np.repeat(which, sizes)
        kept = [place[coded.codes[rows]] for place, coded in zip(places, shown.values(), strict=True)]
        by_content = np.lexsort([*reversed(kept), group_of_row])
        rows, class_of_row = rows[by_content], class_of_row[by_content]
        carried = pa.table({name: coded.values.take(pa.array(coded.codes[rows])) for name, coded in shown.items()})
        columns = {column.name: column.take(class_of_row) for column in cells}
        yield Table(table.schema, columns, carried, len(rows), published=True).arrow
