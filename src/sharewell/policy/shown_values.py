"""Quasi columns of tables that other published columns of the row would tell more exactly than their cells.

`sharewell.shown_values` has the rule. Such a policy contradicts itself, and is refused: what attackers may know cannot
also stand beside its own generalisation. Who means it writes `anyway` for a column that is published unchanged.
Of a file of more than 200,000 records the first ones are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sharewell.errors import SharewellError
from sharewell.io.sources import Source
from sharewell.policy.changed_columns import changed_by_mechanism
from sharewell.policy.model import Auto, ColumnRule, Dataset
from sharewell.policy.wing_policy import policy_of
from sharewell.roles import Role

if TYPE_CHECKING:
    from sharewell.shown_values import ShownValue

_PUBLISHED = (Role.QUASI, Role.SHIFT, Role.KEEP, Role.SENSITIVE)


def shown_by_columns(dataset: Dataset, most: int) -> Iterator[tuple[str, str, str]]:
    """(column, what is wrong, what to do), looking at `most` records of each file."""
    if not policy_of(dataset.kind).typed_columns:
        return
    for source in dataset.own.column_files(dataset.read):
        try:
            yield from (_problem(shown, dataset) for shown in _of_source(dataset, source, most))
        except SharewellError:  # a source that cannot be read is told of elsewhere
            continue


def _of_source(dataset: Dataset, source: Source, most: int) -> list[ShownValue]:
    from sharewell.proposal.profile import measure
    from sharewell.proposal.shown_columns import ColumnFate, shown_columns

    using, changed = dataset.using.built, changed_by_mechanism(dataset)
    if not isinstance(using, Auto) and using.only_years:
        return []
    rules = {name: dataset.columns.get(name) or ColumnRule(dataset.rest or Role.DROP) for name in source.names()}
    subject = next((name for name, rule in rules.items() if rule.role is Role.SUBJECT), None)
    rules = {
        name: rule
        for name, rule in rules.items()
        if rule.role in _PUBLISHED and name not in changed and not rule.anyway
    }
    if Role.QUASI not in {rule.role for rule in rules.values()} or len({rule.role for rule in rules.values()}) < 2:
        return []
    columns = [*rules, *([subject] if subject else [])]
    table = next(iter(source.batches(columns, most)), None) if source.is_large else source.read(columns).slice(0, most)
    if table is None:
        return []
    persons = None if subject is None else measure(subject, table[subject])
    fates = {name: ColumnFate(rule.role, rule.date_format, rule.most_days) for name, rule in rules.items()}
    return shown_columns(table, fates, persons)


def _problem(shown: ShownValue, dataset: Dataset) -> tuple[str, str, str]:
    if len(shown.by) > 1:
        one, other = shown.by
        if not shown.shifted and not shown.dated:
            what = f"follows from {one} and {other}, which are published as they are, by their sum or difference"
            return shown.quasi, what, f"drop {other} or {one}, or make them quasi too"
        kept = "shifted dates keep intervals" if shown.shifted else "they are published as they are"
        what = f"follows from the time between {one} and {other}: {kept} and would publish it"
        return shown.quasi, what, f"drop {other} or {one}, or make {shown.quasi} drop if that time may be published"
    [one] = shown.by
    if shown.shifted:
        days = (dataset.columns.get(one) or ColumnRule(Role.SHIFT)).most_days
        what = f"follows from {one}: a date that moves by at most {days} days still tells it, however it is generalised"
        return shown.quasi, what, f"drop {one}, or make {shown.quasi} drop if {one} may tell it"
    what = f"follows from {one}, which is published as it is and would tell it, however it is generalised"
    return shown.quasi, what, f"drop {one}, make it quasi too, or write anyway: true for {one} if it may tell it"
