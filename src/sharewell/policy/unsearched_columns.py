"""Columns that a text beside them may repeat although nothing looks for them in it, because their names do not say so.

What a column of text is searched for follows from the names of the columns (or is written: `known`,
`agrees_with_table`). Here the cells are looked at: a person's column that holds names, whatever it is called, and quasi
columns of dates. Where such a column is not searched for, the policy is refused with the line that would do it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sharewell.errors import SharewellError
from sharewell.io.sources import Source
from sharewell.policy.model import ColumnRule, Dataset
from sharewell.roles import Role

if TYPE_CHECKING:
    import pyarrow as pa

_SOME_ROWS = 10_000
_FEWEST, _NEARLY_ALL = 5, 0.9
_LETTERS = r"[[:alpha:]].*[[:alpha:]].*[[:alpha:]]"


def unsearched(dataset: Dataset) -> Iterator[tuple[str, str, str]]:
    """(column of text, what is wrong, what to do). A source that cannot be read is told of elsewhere."""
    texts = {name: rule for name, rule in dataset.columns.items() if rule.role is Role.TEXT and rule.using is not None}
    for source in dataset.own.column_files(dataset.read) if texts else ():
        try:
            for name, rule in texts.items():
                yield from _of_text(dataset, source, name, rule)
        except SharewellError:
            continue


def _of_text(dataset: Dataset, source: Source, text: str, rule: ColumnRule) -> Iterator[tuple[str, str, str]]:
    names, named = set(source.names()), _named(rule)
    rules = {name: one for name, one in dataset.columns.items() if name in names and name not in named}
    subject = [name for name, one in rules.items() if one.role is Role.SUBJECT and name not in source.joined]
    quasi = [name for name, one in rules.items() if one.role is Role.QUASI and rule.agrees and one.hierarchy is None]
    if not subject and not quasi:
        return
    table = next(iter(source.batches([*subject, *quasi], _SOME_ROWS)), None)
    if table is None:
        return
    if subject and _holds_words(table[subject[0]]):
        known = {**rule.known, "names": (*rule.known.get("names", ()), subject[0])}
        line = ", ".join(f"{sort}: [{', '.join(columns)}]" for sort, columns in known.items())
        what = f"is not searched for {subject[0]}, which tells persons apart by words: a text may hold their names"
        yield text, what, f"write known: {{{line}}} beside role: text"
    for name in quasi:
        if _holds_dates(table[name]):
            what = f"is not searched for dates, and {name} holds dates that are generalised: a text may tell them"
            yield text, what, f"write {name}: {{role: quasi, type: date}}, or name it under agrees_with_table: dates"


def _named(rule: ColumnRule) -> set[str]:
    """The columns that some criterion of the text names."""
    results: set[str] = set()
    for criterion in rule.require:
        for value in criterion.parameters.values():
            results |= set(value) if isinstance(value, list | tuple) else set()
    return results


def _holds_words(column: pa.ChunkedArray) -> bool:
    """Are nearly all values letters without digits?"""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_string(column.type):
        return False
    values = column.unique().drop_null()
    if len(values) < _FEWEST:
        return False
    words = pc.and_(
        pc.match_substring_regex(values, _LETTERS), pc.invert(pc.match_substring_regex(values, r"[[:digit:]]"))
    )
    return bool(pc.mean(words).as_py() >= _NEARLY_ALL)


def _holds_dates(column: pa.ChunkedArray) -> bool:
    from sharewell.proposal.profile import kind_and_values

    return kind_and_values(column)[0] in ("date", "instant")
