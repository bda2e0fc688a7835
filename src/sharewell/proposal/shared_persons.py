"""Files of one hospital: which are about the same people, and which only list people whom an attacker may know.

Files belong together if a column of one names the persons of another: under the same name, or because most of its
values are theirs. The persons of a file of DNA are its samples. Names of persons are compared here and never leave this
module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from sharewell.proposal.names import by_name, is_event_key, is_sample_key
from sharewell.proposal.person_choice import BY_STEM
from sharewell.proposal.survey import ColumnLook, Survey, with_subject
from sharewell.roles import Role

_MOST = 0.5
"""This many of the values of a column must be persons of another file."""
_FEWEST = 5
_THEIRS = "its values are the persons of another file"


@dataclass(frozen=True)
class Group:
    """Files about the same people."""

    files: tuple[str, ...]
    shared: int
    """The most persons that two of them have in common."""


def with_persons_of_others(surveys: Sequence[Survey]) -> list[Survey]:
    """Files that name no person, where a column holds the persons of another file: that column is their person."""
    numbered = [one for one in surveys if one.subject is not None and not one.parts and not _is_mere_guess(one)]
    persons = [one.samples[one.subject or ""] for one in numbered if one.subject in one.samples]
    donors = [one.samples[""] for one in surveys if "" in one.samples]
    called = [(one.subject or "", one) for one in numbered]
    donors += [one.samples[name] for name, one in called if name in one.samples and is_sample_key(name)]
    return [one if one in numbered else _with_known_person(one, persons, donors) for one in surveys]


def _is_mere_guess(one: Survey) -> bool:
    """Was its person chosen by the form of the cells alone?"""
    return any(column.role is Role.SUBJECT and BY_STEM in column.reasons for column in one.columns)


def _with_known_person(one: Survey, known: Sequence[pa.Array], donors: Sequence[pa.Array]) -> Survey:
    """known: persons of other files; donors: of files of DNA and tables of SNPs, which a column of samples may name."""
    best, most = None, 0
    for column in one.columns:
        values = one.samples.get(column.name)
        if values is None or not len(values):
            continue
        persons = donors if is_event_key(column.name) else [*known, *donors]
        shared = max((overlap(values, theirs) for theirs in persons), default=0)
        if shared >= max(_FEWEST, _MOST * len(values)) and shared > most and _may_name_persons(column):
            best, most = column.name, shared
    return one if best is None else _explained(with_subject(one, best))


def _explained(one: Survey) -> Survey:
    """With the reason for which its column of persons was chosen."""
    looks = [
        replace(column, reasons=(_THEIRS, *column.reasons[1:])) if column.role is Role.SUBJECT else column
        for column in one.columns
    ]
    return replace(one, columns=tuple(looks))


def _may_name_persons(column: ColumnLook) -> bool:
    """Small numbers, such as ages, are among the numbers of any list of persons."""
    meaning = by_name(column.name)
    return meaning is None or meaning.role is Role.DROP


def overlap(first: pa.Array, second: pa.Array) -> int:
    """How many values two lists of different values have in common."""
    return int(pc.sum(pc.is_in(first.cast(pa.string()), second.cast(pa.string()))).as_py() or 0)


def groups(surveys: Sequence[Survey]) -> list[Group]:
    """Files that have persons in common, directly or through another one."""
    results: list[Group] = []
    for one in surveys:
        mine = _persons_of(one)
        if mine is None:
            continue
        shared = {other.name: _shared(mine, other) for other in surveys if other.name != one.name}
        near = [group for group in results if any(shared[name] for name in group.files)]
        files = tuple(name for group in near for name in group.files)
        most = max((*(group.shared for group in near), *(shared[name] for name in files)), default=0)
        results = [*(group for group in results if group not in near), Group((*files, one.name), most)]
    return [group for group in results if len(group.files) > 1]


def _shared(mine: pa.Array, other: Survey) -> int:
    theirs = _persons_of(other)
    return 0 if theirs is None else overlap(mine, theirs)


def _persons_of(one: Survey) -> pa.Array | None:
    """A mere list of people has names and dates of birth in common with a file of patients, and is none of theirs."""
    return None if one.parts and _lists_people(one) else one.samples.get(one.subject or "")


def registers(surveys: Sequence[Survey]) -> tuple[str, ...]:
    """Files that list people and nothing about their health, beside files of patients who are called otherwise.

    Such a list is what an attacker may have. It is not released.
    """
    tied = {name for group in groups(surveys) for name in group.files}
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
