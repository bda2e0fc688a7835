"""Columns whose type matters and that would be read as categories although they hold dates, numbers or free text.

Text is published as sets of exact values, and counted without order. So a quasi or sensitive column of dates or numbers
that nothing reads as such is a mistake of the policy, unless it says `type: text`, gives the column a hierarchy, or
chooses its style. So is a quasi or sensitive column of free text. A column of dates that are shifted must be dates in
one form. `sharewell.written_types` has the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sharewell.errors import SharewellError
from sharewell.io.sources import Source
from sharewell.policy.model import ColumnRule, Dataset
from sharewell.policy.wing_policy import policy_of
from sharewell.roles import Role

if TYPE_CHECKING:
    import pyarrow as pa

    from sharewell.written_types import FreeText

_TYPED = (Role.QUASI, Role.SENSITIVE, Role.SHIFT)


def mistyped_columns(dataset: Dataset, most: int) -> Iterator[tuple[str, str, str]]:
    """(column, what is wrong, what to do), looking at `most` records of each file."""
    if not policy_of(dataset.kind).typed_columns:
        return
    for source in dataset.own.typed_files(dataset.read):
        try:
            yield from _of_source(dataset, source, most)
        except SharewellError:  # a source that cannot be read is told of elsewhere
            continue


def says_its_type(rule: ColumnRule) -> bool:
    """Does the policy itself say what the values are, or how they are generalised?"""
    return rule.type is not None or rule.hierarchy is not None or rule.style is not None


def _of_source(dataset: Dataset, source: Source, most: int) -> Iterator[tuple[str, str, str]]:
    from sharewell.proposal.profile import kind_and_values
    from sharewell.written_types import mistyped

    rules = {name: dataset.columns.get(name) or ColumnRule(dataset.rest or Role.DROP) for name in source.names()}
    names = [name for name, rule in rules.items() if rule.role in _TYPED and not says_its_type(rule)]
    table = _first_rows(source, names, most) if names else None
    for name in names if table is not None else ():
        assert table is not None
        if not _is_text(table[name].type):
            continue
        kind, values = kind_and_values(table[name])
        role = rules[name].role
        if kind == "text" or (kind == "instant" and role is not Role.SHIFT):
            result = mistyped(values) or _prose(table[name], values, role)
            if result is not None:
                yield name, *result.problem(name, role is not Role.SHIFT)


def _prose(column: pa.ChunkedArray, distinct: pa.Array, role: Role) -> FreeText | None:
    from sharewell.written_types import free_text

    filled = len(column) - column.null_count
    return None if role is Role.SHIFT else free_text(distinct, filled, sentences=role is Role.SENSITIVE)


def _first_rows(source: Source, names: list[str], most: int) -> pa.Table | None:
    if not source.is_large:
        return source.read(names)
    return next(iter(source.batches(names, most)), None)


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
