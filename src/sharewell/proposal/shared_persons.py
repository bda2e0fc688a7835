"""Files of one hospital: which are about the same people, and which only list people whom an attacker may know.

Files belong together if a column of one names the persons of another: under the same name, or because most of its
values are theirs. Names of persons are compared here and never leave this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from sharewell.proposal.names import by_name, is_event_key
from sharewell.proposal.survey import ColumnLook, Survey, with_subject
from sharewell.roles import Role

_MOST = 0.5
"""So many of the values of a column must be persons of another file."""
_FEWEST = 5


@dataclass(frozen=True)
class Tie:
    """Two files about the same people."""

    first: str
    second: str
    shared: int
    """Persons in both."""


def with_persons_of_others(surveys: Sequence[Survey]) -> list[Survey]:
    """Files that name no person, where a column holds the persons of another file: that column is their person."""
    known = [(one.subject, one.samples[one.subject]) for one in surveys if one.subject in one.samples]
    return [one if one.subject is not None else _with_known_person(one, known) for one in surveys]


def _with_known_person(one: Survey, known: Sequence[tuple[str | None, pa.Array]]) -> Survey:
    best, most = None, 0
    for column in one.columns:
        values = one.samples.get(column.name)
        if values is None or is_event_key(column.name) or not len(values):
            continue
        shared = max((overlap(values, persons) for _, persons in known), default=0)
        if shared >= max(_FEWEST, _MOST * len(values)) and shared > most and _may_name_persons(column):
            best, most = column.name, shared
    return one if best is None else with_subject(one, best)


def _may_name_persons(column: ColumnLook) -> bool:
    """Small numbers, such as ages, are among the numbers of any list of persons."""
    meaning = by_name(column.name)
    return meaning is None or meaning.role is Role.DROP


def overlap(first: pa.Array, second: pa.Array) -> int:
    """How many values two lists of different values have in common."""
    return int(pc.sum(pc.is_in(first.cast(pa.string()), second.cast(pa.string()))).as_py() or 0)


def ties(surveys: Sequence[Survey]) -> list[Tie]:
    """Every two files that have persons in common."""
    found = []
    for i, one in enumerate(surveys):
        for other in surveys[i + 1 :]:
            mine, theirs = (file.samples.get(file.subject or "") for file in (one, other))
            if mine is not None and theirs is not None and (shared := overlap(mine, theirs)):
                found.append(Tie(one.name, other.name, shared))
    return found


def registers(surveys: Sequence[Survey]) -> tuple[str, ...]:
    """Files that list people and nothing about their health, beside files of patients who are called otherwise.

    Such a list is what an attacker may have. It is not released.
    """
    tied = {name for tie in ties(surveys) for name in (tie.first, tie.second)}
    lists = [one.name for one in surveys if one.name not in tied and _lists_people(one)]
    others = [one for one in surveys if one.name not in lists and one.having(Role.QUASI)]
    return tuple(lists) if others else ()


def _lists_people(one: Survey) -> bool:
    names = any((meaning := by_name(column.name)) and meaning.identifier == "names" for column in one.columns)
    health = any(
        column.role in (Role.SENSITIVE, Role.SHIFT, Role.TEXT) or column.topic == "free text" or column.cells.codes
        for column in one.columns
    )
    return names and not health and len(one.having(Role.QUASI)) > 1
