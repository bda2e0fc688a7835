"""What only datasets of codes may say: `visit`, `date`, `sequence`, `system`, `unit`, and `separator` of a column.

One record is published for each person (or visit), with the codes alone. So every other column is the subject or is
dropped; the columns that the keys name are read and dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sharewell.policy.mistakes import Reading
from sharewell.policy.model import CodeColumns, ColumnRule
from sharewell.policy.positions import Path as Place
from sharewell.roles import Role, did_you_mean

CODES, JOINT = "codes", "joint"
KEYS = ("visit", "date", "sequence", "system", "unit")
_ROLES = (Role.SUBJECT, Role.QUASI, Role.DROP)


def code_columns(
    reading: Reading, fields: Mapping[str, Any], rules: Mapping[str, ColumnRule], path: Place
) -> CodeColumns:
    """The columns that the keys name. Each must be one of `columns`, and dropped."""
    given = {key: fields[key] for key in KEYS if fields.get(key) is not None}
    for key, column in given.items():
        if key == "unit":
            continue
        if column not in rules:
            reading.mistake((*path, key), f"no column '{column}' in `columns`", did_you_mean(column, rules))
        elif rules[column].role is not Role.DROP:
            what = f"column '{column}' has the role {rules[column].role}, and only codes are published"
            reading.mistake((*path, key), what, "give it the role drop: it is read all the same")
    if given.get("unit") == "visit" and not {"visit", "date"} & set(given):
        reading.mistake((*path, "unit"), "unit: visit needs to know the visits", "name their column under `visit`")
    if given.get("unit") == "visit" and not any(rule.role is Role.SUBJECT for rule in rules.values()):
        what = "visits are told apart within a person, and no column tells whose they are"
        reading.mistake((*path, "unit"), what, "give the column of the person, or of the visit, the role subject")
    return CodeColumns(**given)


def check_codes(
    reading: Reading,
    kind: str | None,
    fields: Mapping[str, Any],
    rules: Mapping[str, ColumnRule],
    rest: Role | None,
    path: Place,
) -> None:
    """What belongs to codes alone stands nowhere else, and codes come with nothing that they cannot publish."""
    if kind not in (CODES, JOINT):
        for key in KEYS:
            if fields.get(key) is not None:
                reading.mistake((*path, key), f"{key} is for datasets of codes", "take it out")
        for name, rule in rules.items():
            if rule.separator is not None:
                where = (*path, "columns", name, "separator")
                reading.mistake(where, "a separator is for a column of codes", "take it out")
    if kind != JOINT and "demographics" in fields:
        reading.mistake((*path, "demographics"), "demographics are for kind joint", "take it out, or say kind: joint")
    if kind == JOINT and "demographics" not in fields:
        reading.mistake(
            path, "kind joint needs the people beside their codes", "such as demographics: {csv: people.csv}"
        )
    if kind == CODES:
        _check_roles(reading, rules, rest, path)
    if kind in (CODES, JOINT):
        for key in ("publish", "map"):
            if fields.get(key) not in (None, False, "none"):
                what = "a record of codes is published without a pseudonym, so there is none to keep"
                reading.mistake((*path, key), what, "take it out")


def _check_roles(reading: Reading, rules: Mapping[str, ColumnRule], rest: Role | None, path: Place) -> None:
    if not any(rule.role is Role.QUASI for rule in rules.values()):
        reading.mistake((*path, "columns"), "no column holds codes", "give the column of the codes the role quasi")
    for name, rule in rules.items():
        if rule.role not in _ROLES:
            what = f"a record of codes holds nothing but codes, so that a column cannot be {rule.role}"
            reading.mistake((*path, "columns", name), what, "drop it, or publish it with the people (kind: joint)")
        if rule.style is not None:
            where = (*path, "columns", name, "style")
            reading.mistake(where, "codes are published as labels", "take the style out")
    if rest is not None and rest is not Role.DROP:
        reading.mistake((*path, "rest"), f"the other columns of a dataset of codes cannot be {rest}", "say rest: drop")
