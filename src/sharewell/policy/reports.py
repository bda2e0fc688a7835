"""What only datasets of reports may say: `measure` and `owners`.

A table is published, not records: quasi columns are its dimensions, the subject tells persons apart, everything else is
dropped. The column that `measure` names is added up; `owners` are further files with the same columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sharewell.policy.model import ColumnRule, ReportSources
from sharewell.policy.positions import Path as Place
from sharewell.policy.reading import Reading
from sharewell.policy.sources import source
from sharewell.roles import Role, did_you_mean

REPORTS = "reports"
KEYS = ("measure", "owners")
_ROLES = (Role.SUBJECT, Role.QUASI, Role.DROP)


def report_sources(
    reading: Reading,
    kind: str | None,
    fields: Mapping[str, Any],
    rules: Mapping[str, ColumnRule],
    rest: Role | None,
    path: Place,
) -> ReportSources:
    """The keys of tables of counts and sums, where they are in place."""
    if kind != REPORTS:
        for key in KEYS:
            if key in fields:
                reading.mistake((*path, key), f"{key} is for datasets of kind {REPORTS}", "take it out")
        return ReportSources()
    _check(reading, fields, rules, rest, path)
    measure = fields.get("measure")
    if measure is not None and measure not in rules:
        reading.mistake((*path, "measure"), f"no column '{measure}' in `columns`", did_you_mean(measure, rules))
    elif measure is not None and rules[measure].role is not Role.DROP:
        what = f"column '{measure}' has the role {rules[measure].role}, and only its sums are published"
        reading.mistake((*path, "measure"), what, "give it the role drop: it is added up all the same")
    given = [source(reading, one, (*path, "owners", i)) for i, one in enumerate(fields.get("owners", []))]
    return ReportSources(measure, tuple(one for one in given if one is not None))


def _check(
    reading: Reading, fields: Mapping[str, Any], rules: Mapping[str, ColumnRule], rest: Role | None, path: Place
) -> None:
    """A table holds dimensions and numbers; nothing of a person's own is published with it."""
    if not any(rule.role is Role.QUASI for rule in rules.values()):
        reading.mistake((*path, "columns"), "the table has no dimension", "give the columns to group by the role quasi")
    if fields.get("measure") is not None and not any(rule.role is Role.SUBJECT for rule in rules.values()):
        reading.mistake((*path, "measure"), "whose part is how large only the subject tells", "name it in `columns`")
    for name, rule in rules.items():
        if rule.role not in _ROLES:
            what = f"a table holds dimensions and numbers, so that a column cannot be {rule.role}"
            reading.mistake((*path, "columns", name), what, "drop it; to add it up, name it under `measure` too")
        if rule.style is not None:
            reading.mistake((*path, "columns", name, "style"), "a dimension has no style", "take the style out")
    if rest is not None and rest is not Role.DROP:
        reading.mistake((*path, "rest"), f"the other columns of a table cannot be {rest}", "say rest: drop")
    for key in ("publish", "map"):
        if fields.get(key) not in (None, False, "none"):
            reading.mistake((*path, key), "a table holds no person, so there is no pseudonym", "take it out")
