"""A file as it would be read under the cleaning that is proposed for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pyarrow as pa
import pyarrow.compute as pc

from sharewell.io.cleaning import Cleaning
from sharewell.io.sources import Source
from sharewell.proposal.cleaning_needs import ANY_CENTURY, Need, Stated, decimal_of, missing_words, needed, order_of

_TYPED = ("csv", "excel")
_MOST_LOST = 0.1
"""A column in which more cells than these would be lost is left as text."""
_LONG = 40
"""Columns of longer texts are not made of words for "no value", dates or numbers."""


@dataclass(frozen=True)
class Tidied:
    """The source with what is proposed for it, the table that it then gives, and what each column needs."""

    source: Source
    table: pa.Table
    needs: Mapping[str, Need] = field(default_factory=dict)


def tidied(source: Source, table: pa.Table) -> Tidied:
    """Find what is untidy, and read the table as if it were said in the policy."""
    source, table = _named(source, table)
    values = {name: result for name in table.column_names if (result := _distinct(table[name])) is not None}
    words = tuple(word for word in missing_words(values) if word not in source.missing)
    if words:
        source = replace(source, missing=(*source.missing, *words))
        gone = pa.array(words, pa.string())
        values = {name: texts.filter(pc.invert(pc.is_in(texts, gone))) for name, texts in values.items()}
    needs = _needs(values, Stated(source.day_first, source.decimal))
    for i, name in enumerate(table.column_names):
        if name in values and (words or name in needs):
            bare, need = _read(table[name], None, source.missing), needs.get(name)
            read = bare if need is None else _read(bare, need, source.missing)
            if need is not None and (lost := read.null_count - bare.null_count) > _MOST_LOST * _filled(bare):
                needs[name], read = _of_several_kinds(need, lost, _filled(bare)), bare
            table = table.set_column(i, name, read)
    return Tidied(source, table, needs)


def _filled(column: pa.ChunkedArray) -> int:
    return len(column) - int(column.null_count)


def _of_several_kinds(need: Need, lost: int, cells: int) -> Need:
    """Results such as `5,2`, `<5` and `positive`: most of the values are numbers, and yet many cells are words."""
    what = "dates" if need.cleaning.date else "numbers"
    why = f"{lost} of {cells} cells are none of the {what} that the others are, so it is read as text"
    return Need(Cleaning(), (why,), of_several_kinds=True)


def _needs(values: Mapping[str, pa.Array], stated: Stated) -> dict[str, Need]:
    """What each column needs. What one column leaves open, the order of dates or the sign of decimals, others tell."""
    needs = {name: need for name, texts in values.items() if (need := needed(name, texts, stated)) is not None}
    order, decimal = order_of(list(needs.values())), decimal_of(list(needs.values()))
    shown = Stated(order if stated.day_first is None else stated.day_first, stated.decimal or decimal)
    if shown != stated:
        left = [name for name in values if name not in needs or needs[name].is_open]
        needs |= {name: need for name in left if (need := needed(name, values[name], shown)) is not None}
    return needs


def _named(source: Source, table: pa.Table) -> tuple[Source, pa.Table]:
    """Names of columns without the blanks around them, if people typed them and they stay different."""
    if source.format not in _TYPED:
        return source, table
    names = [" ".join(name.split()) or name for name in table.column_names]
    if names == table.column_names or len(set(names)) < len(names) or source.columns:
        return source, table
    renamed = {ours: theirs for ours, theirs in zip(names, table.column_names, strict=True) if ours != theirs}
    return replace(source, columns=renamed), table.rename_columns(names)


def _distinct(column: pa.ChunkedArray) -> pa.Array | None:
    """The different texts of a column; None if it holds none or long ones."""
    if not pa.types.is_string(column.type):
        return None
    texts = column.unique().drop_null()
    mean = pc.mean(pc.utf8_length(texts)).as_py()
    return None if mean is None or mean > _LONG else texts


def _read(column: pa.ChunkedArray, need: Need | None, missing: tuple[str, ...]) -> pa.ChunkedArray:
    if missing:
        gone = pc.is_in(column, pa.array(missing, pa.string()))
        column = pc.if_else(gone, pa.scalar(None, column.type), column)
    if need is None:
        return column
    cleaning = replace(need.cleaning, day_first=True) if need.undecided else need.cleaning
    cleaning = replace(cleaning, first_year=ANY_CENTURY) if need.two_digits else cleaning
    return cleaning.apply(column, missing)[0]
