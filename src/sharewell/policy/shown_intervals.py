"""Quasi columns of numbers that two shifted dates of the same row would publish exactly, however they are generalised.

`sharewell.shown_intervals` has the rule. Such a policy contradicts itself, and is refused: the number cannot be known
to attackers and be the time between two dates that keep their intervals.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sharewell.errors import SharewellError
from sharewell.io.sources import Source
from sharewell.policy.model import ColumnRule, Dataset
from sharewell.roles import Role

if TYPE_CHECKING:
    from sharewell.shown_intervals import Shown


def shown_by_dates(dataset: Dataset, most: int) -> Iterator[tuple[str, str, str]]:
    """(column, what is wrong, what to do), looking at `most` records of each file."""
    for source in dataset.own.column_files(dataset.read):
        try:
            yield from map(_problem, _of_source(dataset, source, most))
        except SharewellError:  # a source that cannot be read is told of elsewhere
            continue


def _of_source(dataset: Dataset, source: Source, most: int) -> list[Shown]:
    from sharewell.shown_intervals import days_in, numbers_in, shown_intervals

    rules = {name: dataset.columns.get(name) or ColumnRule(dataset.rest or Role.DROP) for name in source.names()}
    shifted = [name for name, rule in rules.items() if rule.role is Role.SHIFT]
    quasi = [name for name, rule in rules.items() if rule.role is Role.QUASI]
    if len(shifted) < 2 or not quasi:
        return []
    columns = [*shifted, *quasi]
    table = next(iter(source.batches(columns, most)), None) if source.is_large else source.read(columns).slice(0, most)
    if table is None:
        return []
    days = {name: days_in(table[name], rules[name].date_format) for name in shifted}
    numbers = {name: numbers_in(table[name]) for name in quasi}
    return shown_intervals(
        {name: values for name, values in days.items() if values is not None},
        {name: values for name, values in numbers.items() if values is not None},
    )


def _problem(shown: Shown) -> tuple[str, str, str]:
    what = (
        f"is the time from {shown.earlier} to {shown.later}: shifted dates keep intervals and would publish it exactly"
    )
    advice = f"drop {shown.later} or {shown.earlier}, or make {shown.number} drop if that time may be published exactly"
    return shown.number, what, advice
