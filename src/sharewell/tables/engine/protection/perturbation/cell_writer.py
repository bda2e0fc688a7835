"""Tables whose cells a mechanism writes one by one, and the draws that their rows take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.algorithm import Key, Mechanism, PolicyError, Role
from sharewell.cells import Exact
from sharewell.content_order import ranks
from sharewell.key_scope import drawing_key
from sharewell.tables.data import Ints, Table
from sharewell.tables.engine.columns import ArrowColumn, Column, as_shown
from sharewell.tables.engine.protection.row_order import by_content
from sharewell.tables.engine.published_cells import replace_carried

Replacement: TypeAlias = tuple[ArrowColumn, Column | None]
"""A column as it is shown, and its codes if it is sensitive."""
WrittenColumn: TypeAlias = tuple[Column | None, Replacement | None]
"""The cells of a quasi column, or what stands for another one."""


NO_TREE = {"hierarchy": None, "settings": None}
"""For the dictionary of a release: the cells of this column are no labels of its hierarchy any more."""


def exact_texts(column: Column) -> list[str]:
    """What each code publishes if nothing is changed: the value itself, in its hierarchy's spelling; empty if missing.

    >>> from sharewell.tables.engine.columns import encode
    >>> exact_texts(encode("mark", Role.QUASI, pa.array(["*", "a", None])))
    ['\\\\*', 'a', '']
    """
    texts: Sequence[str] = column.texts[: column.known]
    if column.levels is not None:
        texts = [column.levels.labels[node] for node in column.levels.nodes[0, : column.known]]
    return [Exact(text).text for text in texts] + [""] * column.has_missing


def as_cells(column: Column, codes: NDArray[np.integer], texts: Sequence[str]) -> Column:
    """A published column: row i shows texts[codes[i]]; an empty text is a missing value. O(n + d log d)"""
    shown = np.zeros(len(texts), dtype=bool)
    shown[codes] = True
    occurring = [text for text, occurs in zip(texts, shown, strict=True) if occurs]
    return as_shown(replace(column, role=Role.QUASI, asked=None), occurring, (np.cumsum(shown) - 1)[codes])


def released(
    table: Table,
    quasi: Mapping[str, Column] | None = None,
    others: Mapping[str, Replacement] | None = None,
) -> Table:
    """The published table: quasi columns as given, else each value itself; `others` replaces columns that are shown.

    An entry of `others` is (Arrow column, its codes if it is sensitive). O(columns · n)
    """
    if styled := [column.name for column in table.quasi if column.asked is not None]:
        problem = f"columns {', '.join(styled)} — cells that are written one by one have no style"
        raise PolicyError(f"{problem} — take the style out, or use mondrian")
    exact = [column for column in table.quasi if column.name not in (quasi or {})]
    cells = {column.name: as_cells(column, column.codes, exact_texts(column)) for column in exact}
    out = table.released({**cells, **(quasi or {})})
    for name, (array, codes) in (others or {}).items():
        columns = out.columns if codes is None else {**out.columns, name: codes}
        out = replace(out, columns=columns, carried=replace_carried(out.carried, name, array))
    return out


def recoded(column: Column, role: Role, array: ArrowColumn, codes: NDArray[np.integer]) -> WrittenColumn:
    """A column with other codes of its own: as a quasi column of cells, or (Arrow as the original writes it, codes).

    A row that keeps its code keeps its cell. Where a value is written in several ways (`0.0` and `-0.0`), another row
    gets the first of them by text, so that the order of rows decides nothing.
    """
    if role is Role.QUASI:
        return as_cells(column, codes, exact_texts(column)), None
    example = np.full(column.size, -1, dtype=np.int64)
    order = np.argsort(-ranks(array, as_written=True), kind="stable")
    example[column.codes[order]] = order
    source = np.where(codes == column.codes, np.arange(len(codes)), example[codes])
    changed = replace(column, codes=codes.astype(np.int32)) if role is Role.SENSITIVE else None
    return None, (array.take(pa.array(source)), changed)


def draws(table: Table, columns: Sequence[Column]) -> tuple[Ints, int]:
    """(number of the draw that each row takes, how many draws there are).

    Equal values of one person take the same draw: repeated records must not let anybody average the noise away. A row
    without a person has a draw of its own. Draws are numbered by content, whatever the order of rows.
    """
    order = by_content(table)
    if table.subject is None:
        number = np.empty(table.rows, dtype=np.int64)
        number[order] = np.arange(table.rows)
        return number, table.rows
    person = table.subject.codes.astype(np.int64)
    if table.subject.has_missing:
        nobody = order[person[order] == table.subject.size - 1]
        person[nobody] = table.subject.size + np.arange(len(nobody))
    for column in columns:
        person = np.unique(person * max(1, column.size) + column.codes, return_inverse=True)[1].astype(np.int64)
    if not columns:
        person = np.unique(person, return_inverse=True)[1].astype(np.int64)
    return person, int(person.max(initial=-1)) + 1


def generator(key: Key, mechanism: Mechanism[Table], table: Table, columns: Sequence[str]) -> np.random.Generator:
    """The generator of a mechanism for one or several columns of a table.

    Another column, other parameters of the mechanism or other data get another one: were noise the same under two
    amounts, 2·(half the noise) − (all of it) would be the original.
    """
    return drawing_key(key, mechanism, table.content).rng("columns", "\0".join(columns))
