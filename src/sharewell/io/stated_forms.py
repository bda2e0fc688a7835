"""Numbers and dates of a file whose forms somebody has stated, such as "the decimal sign is a comma".

A column is read in the stated form only if that reads every value of it and the form says something about it (a column
of plain whole numbers has no decimal sign); every other column stays text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sharewell.errors import PolicyError
from sharewell.io.cleaning import Cleaning
from sharewell.io.number_forms import NumberForm
from sharewell.io.sources import Source

if TYPE_CHECKING:
    import pyarrow as pa

_DAY_FIRST = ("%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y")
_MONTH_FIRST = ("%m/%d/%Y", "%m.%d.%Y", "%m-%d-%Y")


def with_stated_forms(source: Source) -> tuple[Source, tuple[str, ...]]:
    """The source with its numbers and dates cleaned by the stated forms, and what was decided, in sentences."""
    import pyarrow as pa

    tried = _cleanings(source)
    if not tried:
        return source, ()
    table = source.read()
    clean, decided = dict(source.clean), []
    for name in table.column_names:
        column = table[name]
        if name in clean or not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
            continue
        for what, cleaning in tried.items():
            if _reads_all(column, cleaning):
                clean[name] = cleaning
                decided.append(f"{source.label}: column {name} is read as {what}")
                break
    return replace(source, clean=clean), tuple(decided)


def _cleanings(source: Source) -> dict[str, Cleaning]:
    tried = {}
    if source.decimal is not None or source.thousands is not None:
        try:
            form = NumberForm(source.decimal or ("," if source.thousands == "." else "."), source.thousands)
        except PolicyError as error:
            raise PolicyError(f"--decimal — {error.mistakes[0].what}") from None
        tried["numbers"] = Cleaning(trim=True, number=form)
    if source.day_first is not None:
        forms = _DAY_FIRST if source.day_first else _MONTH_FIRST
        tried["dates"] = Cleaning(trim=True, date=forms, day_first=source.day_first)
    return tried


def _reads_all(column: pa.ChunkedArray, cleaning: Cleaning) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    distinct = pc.unique(column.drop_null())
    if not len(distinct):
        return False
    cleaned, account = cleaning.apply(pa.chunked_array([distinct]))
    if cleaning.problem(account) is not None or cleaned.null_count:
        return False
    changed = sum(step.changed for step in account.steps if step.name != "trim")
    return changed > 0
