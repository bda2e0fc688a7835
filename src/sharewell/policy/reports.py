"""What only datasets of reports may say. A report is one of two things.

A table of patients: `measure` and `owners`. Quasi columns are its dimensions, the subject tells persons apart,
everything else is dropped. The column that `measure` names is added up; `owners` are further files with the same
columns.

Figures about owners and their measures: `table`, `publish`, `snoopers`, `protect` and `search`, as in a report file.
What `read` names has the cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any

from sharewell import registry
from sharewell.policy.mistakes import Reading
from sharewell.policy.model import Auto, ColumnRule, Named, ReportSources
from sharewell.policy.positions import Path as Place
from sharewell.policy.sources import source
from sharewell.roles import Role, did_you_mean

REPORTS = "reports"
OF_OWNERS = "reports of owners"
KEYS = ("measure", "owners")
FIGURES = ("table", "snoopers", "protect", "search")
_PATIENTS = (*KEYS, "columns", "rest", "map", "demographics", "visit", "date", "sequence", "system", "unit")
"""What says nothing about figures."""
_SNOOPERS = ("outsider", "owners", "coalitions")
_ROLES = (Role.SUBJECT, Role.QUASI, Role.DROP)


def report_sources(
    reading: Reading,
    kind: str | None,
    fields: Mapping[str, Any],
    rules: Mapping[str, ColumnRule],
    rest: Role | None,
    path: Place,
) -> ReportSources:
    """The keys of reports, where they are in place."""
    if kind != REPORTS:
        for key in (*KEYS, *FIGURES):
            if key in fields:
                reading.mistake((*path, key), f"{key} is for datasets of kind {REPORTS}", "take it out")
        return ReportSources()
    if "table" in fields:
        return _figures(reading, fields, path)
    for key in FIGURES:
        if key in fields:
            what = f"{key} is for reports of owners and measures, and there is no `table`"
            reading.mistake((*path, key), what, "say table: {rows: …, domain: […]}, or take it out")
    _check(reading, fields, rules, rest, path)
    measure = fields.get("measure")
    if measure is not None and measure not in rules:
        reading.mistake((*path, "measure"), f"no column '{measure}' in `columns`", did_you_mean(measure, rules))
    elif measure is not None and rules[measure].role is not Role.DROP:
        what = f"column '{measure}' has the role {rules[measure].role}, and only its sums are published"
        reading.mistake((*path, "measure"), what, "give it the role drop: it is added up all the same")
    given = [source(reading, one, (*path, "owners", i)) for i, one in enumerate(fields.get("owners", []))]
    return ReportSources(measure, tuple(one for one in given if one is not None))


def _figures(reading: Reading, fields: Mapping[str, Any], path: Place) -> ReportSources:
    for key in _PATIENTS:
        if key in fields:
            reading.mistake((*path, key), f"{key} is for tables of patients, and this one has owners", "take it out")
    if str(path[-1]).lower() in ("certificate", "dictionary"):
        reading.mistake(path, "a report writes a JSON file of its name, and every release has this one", "rename it")
    wing: Any = registry.wing(REPORTS)
    found = wing.asked(reading, str(path[-1]), fields, path)
    return ReportSources(figures=found)


def limits_asked(sources: ReportSources, path: Place) -> tuple[Named, ...]:
    """The criteria that `protect` asks for."""
    if sources.figures is None:
        return ()
    return tuple(Named(one.name, _given(one), one, at=(*path, "protect")) for one in sources.figures.must)


def snooped(reading: Reading, sources: ReportSources, require: Sequence[Named]) -> tuple[Named, ...]:
    """Criteria that `require` names, each for the snoopers that the report names."""
    if sources.figures is None:
        return tuple(require)
    found = []
    for one in require:
        twice = [key for key in _SNOOPERS if key in one.parameters]
        for key in twice:
            reading.mistake((*one.at, key), "who snoops is said once for a report", f"say {key} under `snoopers`")
        known = {f.name for f in fields_of(one.built)}
        who = {key: getattr(sources.figures.snoopers, key) for key in _SNOOPERS if key in known}
        found.append(one if twice else replace(one, built=replace(one.built, **who)))
    return tuple(found)


def searching(reading: Reading, sources: ReportSources, using: Any, path: Place) -> Any:
    """The mechanism with what `search` says; each said once."""
    search = {} if sources.figures is None else sources.figures.search
    given = {key: search[key] for key in ("weights", "keep") if search.get(key) is not None}
    if not given or (isinstance(using, str) and using not in ("aggregate", "auto")):
        return using
    if isinstance(using, dict):
        reading.mistake((*path, "search"), "`using` has parameters too", "say weights and keep under one of them")
        return using
    return {"aggregate": given}


def check_family(reading: Reading, sources: ReportSources, named: Sequence[Named | None]) -> None:
    """What is about cells of patients says nothing about figures of owners, and the other way round."""
    of_figures = sources.figures is not None
    for one in named:
        if one is None or one.built is None or isinstance(one.built, Auto):
            continue
        if getattr(one.built, "of_tables", False) is of_figures:
            about = "tables of patients" if of_figures else "figures of owners"
            data = "figures of owners" if of_figures else "a table of patients"
            reading.mistake(one.at, f"'{one.name}' is about {about}, and this is {data}", "take it out")


def _given(one: Any) -> dict[str, Any]:
    """Parameters that differ from the defaults, without who snoops."""
    plain = type(one)()
    named = [f.name for f in fields_of(one) if f.name not in _SNOOPERS]
    return {name: getattr(one, name) for name in named if getattr(one, name) != getattr(plain, name)}


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
