"""`columns:` — a role for each column, and what else the steward says about it."""

from __future__ import annotations

import datetime
import re
from typing import Literal, cast

from sharewell.errors import DataError, PolicyError
from sharewell.io.yaml_positions import Path as Place
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.mistakes import MistakeCollector
from sharewell.policy.model import ColumnRule
from sharewell.policy.specs import ColumnSpec
from sharewell.policy.wing_policy import text_policy
from sharewell.roles import TIMES, Role, did_you_mean
from sharewell.styles import ALONG_A_LINE, Style

TYPES = ("number", "date", "text")
_GENERALISED = (Role.QUASI, Role.SENSITIVE)
ANYWAY = {"keep": "anyway"}
"""The short form of {role: keep, anyway: true}."""

ColumnType = Literal["number", "date", "text"]


def columns(reading: MistakeCollector, given: JsonObject, path: Place) -> dict[str, ColumnRule]:
    """Every column that is named; one with a mistake is held as `drop`, so that the others can still be checked."""
    rules = {name: _column(reading, entry, (*path, name)) for name, entry in given.items()}
    subjects = [name for name, rule in rules.items() if rule.role is Role.SUBJECT]
    for name in subjects[1:]:
        reading.mistake((*path, name), f"a second subject; the first is '{subjects[0]}'", "name one person column")
    if not subjects:
        for name, rule in rules.items():
            if rule.role is Role.SHIFT:
                needs_subject(reading, (*path, name), "shift")
    return rules


def needs_subject(reading: MistakeCollector, path: Place, what: str) -> None:
    reading.mistake(path, f"{what} needs to know the person", "give one column the role subject")


def role(reading: MistakeCollector, word: Json, path: Place) -> Role | None:
    """A role by its word; `text` only where a kind of data is there to protect it."""
    if not isinstance(word, str):
        reading.mistake(path, "must be a role", f"roles: {', '.join(Role)}")
        return None
    if word not in list(Role):
        reading.mistake(path, f"no role named '{word}'", did_you_mean(word, Role) or f"roles: {', '.join(Role)}")
        return None
    if word == Role.TEXT and text_policy() is None:
        reading.mistake(path, "no kind of data that is installed protects texts", "drop the column")
        return None
    return Role(word)


def _column(reading: MistakeCollector, entry: Json, path: Place) -> ColumnRule:
    if not isinstance(entry, dict):
        return ColumnRule(role(reading, entry, path) or Role.DROP)
    if entry == ANYWAY:
        return ColumnRule(Role.KEEP, anyway=True)
    if "keep" in entry and "role" not in entry:
        reading.mistake((*path, "keep"), "keep takes the one word anyway", "write {keep: anyway}, or keep alone")
        return ColumnRule(Role.DROP)
    fields = reading.fields(ColumnSpec, entry, path)
    if "role" not in fields:
        return ColumnRule(Role.DROP)
    its_role = role(reading, fields["role"], (*path, "role"))
    if its_role is None:
        return ColumnRule(Role.DROP)
    kind, form = _type(reading, fields.get("type"), its_role, (*path, "type"))
    if "most_days" in fields and its_role is not Role.SHIFT:
        reading.mistake((*path, "most_days"), "most_days is for the role shift only", "take it out")
    _hierarchy(reading, fields.get("hierarchy"), its_role, (*path, "hierarchy"))
    _time(reading, fields.get("time"), its_role, (*path, "time"))
    days = {name: fields[name] for name in ("most_days", "time") if name in fields}
    style = _style(reading, fields, its_role, kind, (*path, "style"))
    apart = _separator(reading, fields.get("separator"), its_role, (*path, "separator"))
    anyway = fields.get("anyway", False)
    if anyway and its_role not in (Role.KEEP, Role.SENSITIVE):
        reading.mistake((*path, "anyway"), f"anyway has no effect on the role {its_role}", "take it out")
    return ColumnRule(
        its_role, fields.get("hierarchy"), kind, form, **days, style=style, separator=apart, anyway=anyway
    )


def _separator(reading: MistakeCollector, given: str | None, its_role: Role, path: Place) -> str | None:
    """What stands between codes; their kind of data refuses it where there are none."""
    if given == "":
        reading.mistake(path, "the separator is empty", 'such as ";" or " "')
    if given is not None and its_role is not Role.QUASI:
        reading.mistake(path, "a separator is for a column of codes, which is quasi", "take it out")
    return given or None


def _style(
    reading: MistakeCollector, fields: JsonObject, its_role: Role, kind: str | None, path: Place
) -> Style | None:
    """What the policy alone can tell: a column's own kind is known with the data."""
    if fields.get("style") is None:
        return None
    try:
        style = Style.of(fields["style"])
    except PolicyError as error:
        reading.borrow(error, path)
        return None
    if its_role is not Role.QUASI:
        reading.mistake(path, f"a style has no effect on the role {its_role}", "take it out, or make the column quasi")
    elif style.name in ALONG_A_LINE and fields.get("hierarchy") is not None:
        hint = "take the hierarchy out, or choose node, common or set"
        reading.mistake(path, f"{style.name} is for columns without a hierarchy", hint)
    elif style.name in ALONG_A_LINE and kind == "text":
        reading.mistake(path, f"{style.name} is for numbers and dates, not for text", "choose common or set")
    elif style.name == "node" and fields.get("hierarchy") is None:
        reading.mistake(path, "node needs a hierarchy", "give the column one, or choose common or set")
    return style


def _time(reading: MistakeCollector, word: str | None, its_role: Role, path: Place) -> None:
    if word is not None and its_role is not Role.SHIFT:
        reading.mistake(path, "time is for the role shift only", "take it out")
    elif word is not None and word not in TIMES:
        reading.mistake(path, f"no way to treat times of day is called '{word}'", f"one of {', '.join(TIMES)}")


def _hierarchy(reading: MistakeCollector, spec: Json, its_role: Role, path: Place) -> None:
    """Built-ins are checked here; a tree in a file only when the data is looked at."""
    if spec is None:
        return
    if its_role not in _GENERALISED:
        reading.mistake(
            path, f"a hierarchy has no effect on the role {its_role}", "take it out, or make the column quasi"
        )
    if isinstance(spec, dict) and "csv" in spec:
        return
    from sharewell.hierarchy.specs import from_spec

    try:
        from_spec(spec, reading.base)
    except PolicyError as error:
        reading.borrow(error, path)
    except DataError as error:
        reading.mistake(path, str(error))


def _type(reading: MistakeCollector, given: Json, its_role: Role, path: Place) -> tuple[ColumnType | None, str | None]:
    """(type, form of dates)."""
    if given is None:
        return None, None
    if isinstance(given, dict):
        kind, form = "date", given.get("date")
        if set(given) != {"date"} or not isinstance(form, str) or not _is_date_form(form):
            reading.mistake(path, "must be a form with year, month and day", 'such as {date: "%d/%m/%Y"}')
            return None, None
    else:
        kind, form = given, None
        if kind not in TYPES:
            reading.mistake(path, f"no type named '{kind}'", did_you_mean(kind, TYPES) or f"types: {', '.join(TYPES)}")
            return None, None
    if its_role is Role.SHIFT and kind != "date":
        reading.mistake(path, "only a date can be shifted", "make it a date, or give another role")
    return cast("ColumnType", kind), form


def _is_date_form(form: str) -> bool:
    """Year, month and day once each, so that a date can be read and written again.

    >>> _is_date_form("%d/%m/%Y"), _is_date_form("%d/%m/%y")
    (True, False)
    """
    if sorted(re.findall(r"%.?", form)) != ["%Y", "%d", "%m"]:
        return False
    day = datetime.date(2001, 2, 3)
    try:
        return datetime.datetime.strptime(day.strftime(form), form).date() == day
    except ValueError:
        return False
