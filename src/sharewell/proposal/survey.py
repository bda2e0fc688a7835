"""Look at files: every column with its measures and a proposed role, and the few columns that single people out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import pyarrow as pa

from sharewell.errors import DataError
from sharewell.io.cleaning import Cleaning
from sharewell.io.joined_person import JoinedPerson, rows_of
from sharewell.io.plink import read_plink_samples
from sharewell.io.sources import DNA, Source
from sharewell.io.vcf import read_samples
from sharewell.proposal.cleaning_needs import Need, sentinel, written
from sharewell.proposal.content import is_nested
from sharewell.proposal.header_check import WITHOUT_SCHEMA, refuse_headless
from sharewell.proposal.last_rows import rows_of_one_cell
from sharewell.proposal.names import Topic, is_person_key, tokens
from sharewell.proposal.person_choice import choose_subject, joined_verdict, parts_of_person, repeated_people
from sharewell.proposal.profile import COMPACT, ISO, Facts, Kind, measure
from sharewell.proposal.role_inference import judge
from sharewell.proposal.shown_columns import ColumnFate, shown_columns
from sharewell.proposal.singling_out import MOST_ROWS, Singled, measured, same_partition, single_out
from sharewell.proposal.special_cells import CellForm, form_of
from sharewell.proposal.tidy_table import Tidied, tidied
from sharewell.roles import Role
from sharewell.shown_intervals import days_in, numbers_in, shown_intervals
from sharewell.terminal_text import legible

_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_LONGEST = 60
_PERSON = ("person", *(f"person_{i}" for i in range(2, 1 << 16)))


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
    labels: bool = False
    """Whether it is to be read as text: its numbers are labels without an order, or stand among words."""
    cells: CellForm = field(default_factory=CellForm)
    """What else its cells hold: codes, DNA, counts."""
    need: Need | None = None
    """How it is to be cleaned."""

    def to_json(self) -> dict[str, object]:
        plain = {**asdict(self), "role": str(self.role), "cells": asdict(self.cells)}
        return plain | {"need": None if self.need is None else list(written(self.need))}


class Columns:
    """Columns by what is proposed for them."""

    columns: tuple[ColumnLook, ...]

    def having(self, role: Role) -> tuple[ColumnLook, ...]:
        return tuple(column for column in self.columns if column.role is role)

    @property
    def subject(self) -> str | None:
        return next((column.name for column in self.having(Role.SUBJECT)), None)


@dataclass(frozen=True)
class Survey(Columns):
    """One file as a dataset of a policy."""

    name: str
    source: Source
    rows: int
    persons: int | None
    """None if no column says whom a record is about."""
    columns: tuple[ColumnLook, ...]
    singled: tuple[Singled, ...]
    sentinels: Mapping[str, str] = field(default_factory=dict)
    """Column → a number that may stand for "no value"."""
    decided: tuple[str, ...] = ()
    """How the file is read, in sentences."""
    one_cell_rows: int = 0
    """Rows at the end with one value at most, as a line of totals has."""
    same_people: tuple[tuple[str, ...], int] | None = None
    """Without a subject: columns of names and birth, and how many people they tell apart, if fewer than records."""
    parts: Mapping[str, Need | None] = field(default_factory=dict)
    """Where the person is joined of columns: these, and how each is cleaned before."""
    samples: Mapping[str, pa.Array] = field(default_factory=dict, repr=False, compare=False)
    """Column → some of its values, to compare files by; never shown or written. The samples of DNA have no column."""

    @property
    def sampled(self) -> bool:
        """Whether singling out was measured on a part of the records."""
        return self.rows > MOST_ROWS

    def to_json(self) -> dict[str, object]:
        """Plain data for `--json`."""
        return {
            "rows": self.rows,
            "persons": self.persons,
            "columns": [column.to_json() for column in self.columns],
            "singled_out": [asdict(combination) for combination in self.singled],
        }


def look(source: Source) -> list[ColumnLook]:
    """Every column of a source, with its proposed role and why; cells are taken as they stand."""
    return list(_surveyed(Tidied(source, source.read()), "frame").columns)


def survey(sources: Sequence[Source], decided: Sequence[tuple[str, ...]] = ()) -> list[Survey]:
    """Every file as a dataset; names come from the files and are told apart by a number.

    decided: how each file is read, in sentences.
    """
    if not sources:
        raise DataError("no file — nothing to look at — name at least one file")
    names = _names([source.path or Path("frame") for source in sources])
    surveys = []
    for i, (source, name) in enumerate(zip(sources, names, strict=True)):
        said = decided[i] if decided else ()
        if source.format in DNA:
            source.names()  # refuses a file that is not there
            surveys.append(Survey(name, source, 0, None, (), (), decided=said, samples=_dna_samples(source)))
            continue
        table = source.read()
        if source.format in WITHOUT_SCHEMA:
            refuse_headless(table, source.label)
        surveys.append(replace(_surveyed(tidied(source, table), name), decided=said))
    return surveys


def _dna_samples(source: Source) -> dict[str, pa.Array]:
    """The samples of a file of DNA, under no name of a column; nothing where they cannot be read yet."""
    if source.path is None or source.format not in ("vcf", "bed"):
        return {}
    read = read_samples if source.format == "vcf" else read_plink_samples
    with suppress(DataError):
        return {"": pa.array(sorted(set(read(source.path))), pa.string())}
    return {}


def _names(paths: Sequence[Path]) -> list[str]:
    taken: set[str] = set()
    names = []
    for path in paths:
        name = stem = safe_name(path.name.split(".")[0] or path.stem)
        number = 2
        while name.casefold() in taken:
            name, number = f"{stem}-{number}", number + 1
        taken.add(name.casefold())
        names.append(name)
    return names


def safe_name(text: str) -> str:
    """A name that can be a folder on any system.

    >>> safe_name("Patients (2024) é"), safe_name("..."), safe_name("aux")
    ('Patients-2024', 'data', 'data-aux')
    """
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", text)[:_LONGEST].strip("-_") or "data"
    return f"data-{plain}" if _RESERVED.fullmatch(plain) else plain


def renamed(one: Survey, path: Path) -> Survey:
    """The same file under another name."""
    return replace(one, source=replace(one.source, path=path))


def with_subject(one: Survey, name: str | None) -> Survey:
    """The same file, with another column as the person, or none."""
    if one.subject == name:
        return one
    return replace(_surveyed(tidied(one.source, one.source.read()), one.name, name or ""), decided=one.decided)


def _surveyed(tidy: Tidied, name: str, person: str | None = None) -> Survey:
    table = tidy.table
    with ThreadPoolExecutor(max_workers=4) as pool:  # counting happens outside the interpreter's lock
        facts = list(pool.map(lambda column: measure(column, table[column]), table.column_names))
    _refuse_nested_persons(facts, tidy.source.label)
    subject, verdict = choose_subject(facts, person)
    parts = parts_of_person(facts) if subject is None and person is None else ()
    if parts:
        joined = _joined(table, parts)
        subject, verdict = joined.name, joined_verdict(joined, parts)
        tidy = replace(tidy, needs={**tidy.needs, **_dates_of(parts, facts, tidy.needs)})
        facts = [joined, *facts]
    looks = []
    for column in facts:
        answer = verdict if verdict and column.name == subject else judge(column, has_subject=subject is not None)
        measures = (column.kind, column.distinct, column.missing, column.distinctness, column.separation)
        form = CellForm() if column.name == subject else form_of(column)
        seen = ColumnLook(column.name, *measures, **vars(answer), cells=form)
        looks.append(_cleaned(seen, tidy.needs.get(column.name)))
    whose = next((column for column in facts if column.name == subject), None)
    looks = _without_shown_intervals(_without_twins(looks, facts), table)
    looks = _without_showing(looks, table, whose)
    persons = whose.distinct + bool(whose.missing) if whose else None
    singled = _singled(looks, facts, whose, table.num_rows)
    apart = {column.name: result for column in facts if column.kind == "number" and (result := sentinel(column.values))}
    samples = {column.name: column.values for column in facts if column.kind in ("text", "number")}
    needs = {name: need if (need := tidy.needs.get(name)) and need.cleaning.date else None for name in parts}
    last = rows_of_one_cell(table)
    again = repeated_people(facts) if whose is None else None
    rest = (apart, (), last, again, needs, samples)
    return Survey(name, tidy.source, table.num_rows, persons, tuple(looks), singled, *rest)


def _refuse_nested_persons(facts: Sequence[Facts], label: str) -> None:
    """Were such a column dropped, records would count as persons; an object may name somebody in several ways."""
    for column in facts:
        if is_person_key(column.name) and column.kind == "text" and is_nested(column.sample):
            what = f"column {column.name} says whom a record is about, but its cells are objects or lists in JSON"
            raise DataError(f"{label} — {what} — make a plain column of the key in them first")


def _joined(table: pa.Table, parts: Sequence[str]) -> Facts:
    """The person of every row by several columns, under a name that no column has."""
    free = next(name for name in _PERSON if name not in table.column_names)
    persons, _ = JoinedPerson(parts=tuple(parts)).apply(rows_of(table, parts))
    return measure(free, persons)


def _dates_of(parts: Sequence[str], facts: Sequence[Facts], needs: Mapping[str, Need]) -> dict[str, Need]:
    """Dates of birth are joined in one form, whatever files have, so that other files name the same persons."""
    forms = {one.name: one.date_form for one in facts if one.name in parts and one.kind == "date"}
    return {
        name: Need(Cleaning(date=(form,)), ("it is a part of the person, which is joined of dates in one form",))
        for name, form in forms.items()
        if form not in (None, ISO, COMPACT) and name not in needs
    }


def _cleaned(column: ColumnLook, need: Need | None) -> ColumnLook:
    """Cleaning is proposed for columns that are published, and dates are then in one form."""
    if column.role in (Role.DROP, Role.SUBJECT) and not column.cells.codes:
        return column
    if need is None:
        return column
    if need.of_several_kinds and column.role is Role.SENSITIVE:  # a quasi column of exact values is for the steward
        return replace(column, need=need, labels=True)
    dated = need.cleaning.date and column.role is Role.QUASI and column.hierarchy is None
    return replace(column, need=need, date_form=ISO if dated else None)


def _without_twins(looks: Sequence[ColumnLook], facts: Sequence[Facts]) -> list[ColumnLook]:
    """Of two columns whose names differ in spelling alone and that say the same, the second is dropped."""
    first: dict[str, Facts] = {}
    kept = []
    for column, measures in zip(looks, facts, strict=True):
        twin = first.setdefault("".join(tokens(column.name)) or column.name, measures)
        if twin is not measures and column.role is not Role.DROP and same_partition(twin.codes, measures.codes):
            why = f"carries the same information as {legible(twin.name)}, under another spelling"
            column = replace(column, role=Role.DROP, reasons=(why,), hierarchy=None, date_form=None, need=None)
        kept.append(column)
    return kept


def _without_shown_intervals(looks: Sequence[ColumnLook], table: pa.Table) -> list[ColumnLook]:
    """Two shifted dates may publish a quasi number exactly, such as a length of stay; then the later is dropped."""
    shifted = [column for column in looks if column.role is Role.SHIFT]
    read = {column.name: days_in(table[column.name], column.date_form) for column in shifted}
    days = {name: values for name, values in read.items() if values is not None}
    quasi = [column.name for column in looks if column.role is Role.QUASI and column.kind == "number"]
    numbers = {name: values for name in quasi if len(days) > 1 and (values := numbers_in(table[name])) is not None}
    dropped = {shown.later: shown for shown in shown_intervals(days, numbers)}
    kept = []
    for column in looks:
        if (shown := dropped.get(column.name)) is not None:
            why = f"its time from {legible(shown.earlier)} would publish {legible(shown.number)} exactly"
            column = replace(column, role=Role.DROP, reasons=(why,), date_form=None, need=None)
        kept.append(column)
    return kept


def _without_showing(looks: Sequence[ColumnLook], table: pa.Table, persons: Facts | None) -> list[ColumnLook]:
    """What is published beside a quasi column may show it, however it is generalised; then it is dropped."""
    kept = {column.name: column for column in looks}
    while True:
        read = {name: column for name, column in kept.items() if name in table.column_names}
        rules = {name: ColumnFate(column.role, column.date_form) for name, column in read.items()}
        shown = shown_columns(table, rules, persons)
        if not shown:
            return list(kept.values())
        name = shown[0].by[-1]
        why = f"with {legible(shown[0].by[0])} it" if len(shown[0].by) > 1 else "it"
        why += f" would tell {legible(shown[0].quasi)}, however that is generalised"
        kept[name] = replace(kept[name], role=Role.DROP, reasons=(why,), date_form=None, need=None)


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
