"""`extract:` of notes — a table that is made from what the notes themselves say, protected, and written back into them.

It has the keys `columns`, `require`, `using`, `attacks` and `utility` of a dataset of kind tables; its columns are what
can be read from notes. The table is published beside the notes, under their name with `-extracted`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from sharewell.io.sources import Source
from sharewell.policy.algorithms import check_columns, listed, mechanism
from sharewell.policy.columns import columns
from sharewell.policy.mistakes import Reading
from sharewell.policy.model import ColumnRule, Dataset, Named
from sharewell.policy.positions import Path as Place
from sharewell.policy.positions import dotted
from sharewell.roles import Role, did_you_mean

ATTRIBUTES = ("age", "sex", "first", "last", "year", "zip", "city", "state")
"""What is read from a person's notes: age, sex, the first and the last date, the last year, and where they live."""
PERSON = "person"
SUFFIX = "-extracted"
NOTES, TABLES = "notes", "tables"
CRITERION = "extracted-values"
"""By which what is written back is judged; a release adds it where it is not asked for."""
_USUAL = "mondrian"


@dataclass(frozen=True, kw_only=True)
class WrittenExtract:
    """The table made from notes."""

    columns: Annotated[dict[str, Any], "What is read from the notes, each with the role quasi."]
    require: Annotated[list[Any], "Criteria that must hold in the table."]
    using: Annotated[str | dict[str, Any], "The mechanism of the table."] = _USUAL
    attacks: Annotated[list[Any] | None, "Attacks to mount on the table."] = None
    utility: Annotated[list[Any] | None, "Measures of what protection of the table cost."] = None


def extracted(
    reading: Reading,
    name: str,
    kind: str | None,
    fields: Mapping[str, Any],
    rules: Mapping[str, ColumnRule],
    path: Place,
) -> tuple[Dataset | None, list[str]]:
    """The dataset of the table, without its rows, which are read from the notes; and what was decided."""
    if "extract" not in fields:
        return None, []
    at = (*path, "extract")
    if kind not in (None, NOTES):
        reading.mistake(at, f"extract is for datasets of kind {NOTES}", "take it out")
    if not any(rule.role is Role.SUBJECT for rule in rules.values()):
        reading.mistake(at, "a row is one person's, and no column tells whose a note is", "give one the role subject")
    given = reading.fields(WrittenExtract, fields["extract"], at)
    mine = columns(reading, given.get("columns", {}), (*at, "columns"))
    _check_columns(reading, mine, (*at, "columns"))
    require = listed(reading, TABLES, "criteria", given.get("require", []), (*at, "require"))
    if "require" in given and not given["require"]:
        reading.mistake((*at, "require"), "nothing is required of the table", "such as require: [k-anonymity: {k: 5}]")
    check_columns(reading, require, mine, [], open_ended=False)
    using, decided = mechanism(reading, TABLES, given.get("using", _USUAL), require, (*at, "using"))
    table = name + SUFFIX
    plain = reading.document.plain
    if isinstance(plain, dict) and table in (plain.get("datasets") or {}):
        reading.mistake(at, f"the table would be named '{table}', as another dataset is", "rename that one")
    attacks = listed(reading, TABLES, "attacks", given.get("attacks", []), (*at, "attacks"))
    utility = listed(reading, TABLES, "utility", given.get("utility", []), (*at, "utility"))
    whole = {PERSON: ColumnRule(Role.DROP), **mine}  # one row a person: anybody can count them
    using = using or Named(_USUAL, {}, None)
    told = f"{', '.join(mine)} are read from the notes, published as {table}, and written back; what is required of"
    decisions = [f"{told} that table holds for these values alone", *([f"of {table}, {decided}"] if decided else [])]
    dataset = Dataset(table, TABLES, Source(), whole, require, using, attacks, utility)
    return dataset, [f"{dotted(path)}: {text}" for text in decisions]


def check_extracted(reading: Reading, require: Sequence[Named], extract: Dataset | None) -> None:
    """What is judged of a table made from notes needs the table."""
    for one in require:
        if one.name == CRITERION and extract is None:
            reading.mistake(one.at, "no table is made from these notes", "say extract: {columns: …}, or take it out")
        elif one.name == CRITERION and one.parameters:
            reading.mistake(one.at, "the release fills in what it is judged by", "take the parameters out")


def _check_columns(reading: Reading, rules: Mapping[str, ColumnRule], path: Place) -> None:
    for name, rule in rules.items():
        if name not in ATTRIBUTES:
            hint = did_you_mean(name, ATTRIBUTES) or f"known: {', '.join(ATTRIBUTES)}"
            reading.mistake((*path, name), "no such thing is read from notes", hint)
        elif rule.role is not Role.QUASI:
            what = f"what is read from notes is protected as quasi, not as {rule.role}"
            reading.mistake((*path, name), what, "give it the role quasi, or leave it out")
    if not rules:
        reading.mistake(path, "the table has no column", f"such as age: quasi; known: {', '.join(ATTRIBUTES)}")
