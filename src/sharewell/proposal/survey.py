"""Look at files: every column with its measures and a proposed role, and the few columns that single people out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.proposal.names import Topic, like_values
from sharewell.proposal.profile import Facts, Kind, measure
from sharewell.proposal.role_inference import choose_subject, judge
from sharewell.proposal.singling_out import MOST_ROWS, Singled, measured, single_out
from sharewell.roles import Role

_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_LONGEST = 60


@dataclass(frozen=True)
class ColumnLook:
    """One column: names and counts, never a value."""

    name: str
    kind: Kind
    distinct: int
    missing: int
    distinctness: float
    """Different values for each record: 1 if all differ."""
    separation: float
    """The share of pairs of records that differ here."""
    role: Role
    reasons: tuple[str, ...]
    hierarchy: str | None = None
    date_form: str | None = None
    sure: bool = True
    topic: Topic = ""


@dataclass(frozen=True)
class Survey:
    """One file as a dataset of a policy."""

    name: str
    source: Source
    rows: int
    persons: int | None
    """None if no column says whom a record is about."""
    columns: tuple[ColumnLook, ...]
    singled: tuple[Singled, ...]
    names_like_values: int = 0

    @property
    def sampled(self) -> bool:
        """Whether singling out was measured on a part of the records."""
        return self.rows > MOST_ROWS

    def having(self, role: Role) -> tuple[ColumnLook, ...]:
        return tuple(column for column in self.columns if column.role is role)

    @property
    def subject(self) -> str | None:
        return next((column.name for column in self.having(Role.SUBJECT)), None)

    def to_json(self) -> dict[str, object]:
        """Plain data for `--json`."""
        return {
            "rows": self.rows,
            "persons": self.persons,
            "columns": [{**asdict(column), "role": str(column.role)} for column in self.columns],
            "singled_out": [asdict(combination) for combination in self.singled],
        }


def look(source: Source) -> list[ColumnLook]:
    """Every column of a source, with its proposed role and why."""
    return list(_survey(source, "frame").columns)


def survey(paths: Sequence[Path]) -> list[Survey]:
    """Every file as a dataset; names come from the files and are told apart by a number."""
    if not paths:
        raise DataError("no file — nothing to look at — name at least one file")
    taken: set[str] = set()
    surveys = []
    for path in paths:
        name = stem = safe_name(path.stem)
        number = 2
        while name.casefold() in taken:
            name, number = f"{stem}-{number}", number + 1
        taken.add(name.casefold())
        surveys.append(_survey(Source.of(path), name))
    return surveys


def safe_name(text: str) -> str:
    """A name that can be a folder on any system.

    >>> safe_name("Patients (2024) é"), safe_name("..."), safe_name("aux")
    ('Patients-2024', 'data', 'data-aux')
    """
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", text)[:_LONGEST].strip("-_") or "data"
    return f"data-{plain}" if _RESERVED.fullmatch(plain) else plain


def _survey(source: Source, name: str) -> Survey:
    table = source.read()
    with ThreadPoolExecutor(max_workers=4) as pool:  # counting happens outside the interpreter's lock
        facts = list(pool.map(lambda column: measure(column, table[column]), table.column_names))
    subject, verdict = choose_subject(facts)
    looks = []
    for column in facts:
        answer = verdict if verdict and column.name == subject else judge(column, has_subject=subject is not None)
        measures = (column.kind, column.distinct, column.missing, column.distinctness, column.separation)
        looks.append(ColumnLook(column.name, *measures, **vars(answer)))
    person = next((column for column in facts if column.name == subject), None)
    persons = person.distinct + bool(person.missing) if person else None
    singled = _singled(looks, facts, person, table.num_rows)
    return Survey(name, source, table.num_rows, persons, tuple(looks), singled, like_values(table.column_names))


def _singled(
    looks: Sequence[ColumnLook], facts: Sequence[Facts], person: Facts | None, rows: int
) -> tuple[Singled, ...]:
    """How well quasi columns single people out; columns whose role is a guess are used only if there are no others."""
    codes = {column.name: column.codes for column in facts}
    quasi = {column.name: codes[column.name] for column in looks if column.role is Role.QUASI}
    sure = [column.name for column in looks if column.role is Role.QUASI and column.sure]
    whose = person.codes if person else None
    combinations = single_out({name: quasi[name] for name in sure} or quasi, whose, rows)
    for first in ("birth", "age"):
        by_topic = {column.topic: column.name for column in reversed(looks) if column.role is Role.QUASI}
        names = [by_topic[topic] for topic in (first, "sex", "postal") if topic in by_topic]
        if len(names) == 3 and rows and all(set(tried.columns) != set(names) for tried in combinations):
            combinations.append(measured(quasi, names, whose, rows))
    if rows and len(quasi) > max((len(tried.columns) for tried in combinations), default=0):
        combinations.append(measured(quasi, list(quasi), whose, rows))
    return tuple(combinations)
