"""A dataset of the draft as lines of YAML, for each kind of data."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from string import Template

import pyarrow as pa
import pyarrow.compute as pc

from sharewell.io.recognition import NOTES_FOLDER
from sharewell.io.shipped import shipped_text
from sharewell.io.sources import Source
from sharewell.policy.sources import FOLDER
from sharewell.proposal.cleaning_needs import ANY_CENTURY, written
from sharewell.proposal.dataset_kinds import DatasetDraft, DatasetKind
from sharewell.proposal.draft_remarks import K, counted, remarks
from sharewell.proposal.names import by_name
from sharewell.proposal.profile import ISO
from sharewell.proposal.survey import ColumnLook, Survey
from sharewell.proposal.text_language import ENGLISH, language_of
from sharewell.proposal.yaml_text import commented, entry, mapping, scalar, sequence
from sharewell.roles import Role

_COLUMN = " " * 6
_WORDS = {NOTES_FOLDER: FOLDER}
"""Formats that a policy calls otherwise."""
_TEXTS: dict[str, str] = tomllib.loads(shipped_text("draft.toml"))["algorithms"]


@dataclass(frozen=True)
class Setting:
    """What the datasets of a draft share."""

    base: Path = field(default_factory=Path)
    """The folder in which the policy will lie: paths in a policy are relative to it."""
    drafts: tuple[DatasetDraft, ...] = ()
    registers: tuple[Survey, ...] = ()
    """Lists of people whom an attacker may know; they are not released."""
    profile_has_k: bool = True
    """Whether the profile adds k-anonymity to tables."""


def dataset_lines(dataset: DatasetDraft, setting: Setting) -> list[str]:
    """The whole entry under `datasets`."""
    first = next(other for other in setting.drafts if other.survey is dataset.survey)
    lines = [f"  {scalar(dataset.name)}:", *(f"    # {line}" for line in remarks(dataset, first.name == dataset.name))]
    lines += [f"    kind: {dataset.kind}", *read_lines(dataset, setting.base)]
    if dataset.columns and dataset.kind != "reports":
        lines += ["    columns:", *(line for column in dataset.columns for line in column_lines(column, dataset.kind))]
    lines += [f"    rest: {dataset.rest}"] if dataset.rest else []
    lines += [f"    {key}: {scalar(value)}" for key, value in dataset.keys.items()]
    return [*lines, *_ALGORITHMS[dataset.kind](dataset, setting)]


# -- read


def read_lines(dataset: DatasetDraft, base: Path) -> list[str]:
    """`read:` with what was found about the file, and the cleaning of the columns that this dataset publishes."""
    source = dataset.survey.source
    options = reader_options(source, base)
    parts = dataset.survey.parts
    needs = [column for column in dataset.columns if column.need is not None]
    shown = {column.name for column in needs}
    needs += [
        replace(column, need=parts[column.name])
        for column in dataset.columns
        if column.name not in shown and parts.get(column.name) is not None
    ]
    if not needs and not parts and len(options) < 4 and not source.columns:
        return [f"    read: {mapping(options)}"]
    lines = ["    read:", *(f"{_COLUMN}{key}: {value}" for key, value in options.items())]
    if source.columns:
        names = {scalar(ours): scalar(theirs) for ours, theirs in source.columns.items()}
        lines += [f"{_COLUMN}columns: {mapping(names)}   # name in this policy: name in the file"]
    for column in (column for column in dataset.columns if column.role is not Role.DROP):
        if word := dataset.survey.sentinels.get(column.name):
            far = f"{scalar(column.name)} holds {word}, far from its other numbers: if it means no value, add it"
            where = "to `missing` above" if source.missing else f"missing: [{word}]"
            lines.append(f"{_COLUMN}# {where}: {far}")
    if needs or parts:
        lines += [f"{_COLUMN}clean:", *(line for column in needs for line in _clean_lines(column))]
    if parts and dataset.survey.subject is not None:
        why = "the person, for want of a number; plan says how many may be counted twice"
        written = f"{{join: {sequence(tuple(parts))}}}"
        lines += commented(entry(dataset.survey.subject, written, _COLUMN + "  "), why)
    return lines


def joined_options(one: Survey) -> dict[str, str]:
    """`clean` of a file on one line, where its person is joined of columns: nothing else that it names is cleaned."""
    if not one.parts or one.subject is None:
        return {}
    clean = {scalar(name): "{" + ", ".join(written(need)) + "}" for name, need in one.parts.items() if need is not None}
    return {"clean": mapping(clean | {scalar(one.subject): f"{{join: {sequence(tuple(one.parts))}}}"})}


def _clean_lines(column: ColumnLook) -> list[str]:
    need = column.need
    assert need is not None
    fields = list(written(need))
    comment = "; ".join(need.reasons)
    if need.unread:
        comment += (
            f"; {need.unread} value(s) fit none: correct them, list them under `missing`, or say unreadable: missing"
        )
    if not fields:
        return [f"{_COLUMN}  # {scalar(column.name)}: {comment}"]
    if need.undecided:
        comment += "; DECIDE: day_first: true if the day stands first, false if the month does"
    if need.two_digits:
        comment += f"; DECIDE: first_year: {ANY_CENTURY}, say, if 30 is 1930 and 29 is 2029"
    return commented(entry(column.name, "{" + ", ".join(fields) + "}", _COLUMN + "  "), comment)


def reader_options(source: Source, base: Path) -> dict[str, str]:
    """The file and how it is read, as fields of `read:`."""
    assert source.path is not None
    options = {_WORDS.get(source.format, source.format): scalar(relative(source.path, base))}
    if source.subjects is not None:
        whose = {scalar(ours): scalar(theirs) for ours, theirs in source.subjects.columns.items()}
        columns = {"columns": mapping(whose)} if whose else {}
        options["subjects"] = mapping(reader_options(source.subjects, base) | columns)
    if source.sheet is not None:
        options["sheet"] = scalar(source.sheet)
    if source.skip:
        options["skip"] = str(source.skip)
    if source.encoding is not None:
        options["encoding"] = scalar(source.encoding)
    if source.separator is not None:
        options["separator"] = scalar(source.separator)
    if source.newlines:
        options["newlines"] = "true"
    if source.decimal is not None:
        options["decimal"] = f'"{source.decimal}"'
    if source.thousands is not None:
        options["thousands"] = f'"{source.thousands}"'
    if source.day_first is not None:
        options["day_first"] = str(source.day_first).lower()
    if source.missing:
        options["missing"] = sequence(source.missing)
    return options


def relative(path: Path, base: Path) -> str:
    """As a policy in `base` would name the file: relative, unless an absolute path outside was given."""
    absolute, folder = path.absolute(), base.absolute()
    if path.is_absolute() and not absolute.is_relative_to(folder):
        return path.as_posix()
    return Path(os.path.relpath(absolute, folder)).as_posix()


# -- columns


def column_lines(column: ColumnLook, kind: DatasetKind) -> list[str]:
    fields = {"role": str(column.role)}
    if column.hierarchy:
        fields["hierarchy"] = column.hierarchy
    if column.date_form:
        fields["type"] = "date" if column.date_form == ISO else f'{{date: "{column.date_form}"}}'
    elif column.labels and kind == "tables":
        fields["type"] = "text"
    if kind == "codes" and column.role is Role.QUASI and column.cells.separator:
        fields["separator"] = scalar(column.cells.separator)
    value = str(column.role) if len(fields) == 1 else mapping(fields)
    return commented(
        entry(column.name, value, _COLUMN), "; ".join(filter(None, (*column.reasons, counted(column, short=True))))
    )


# -- criteria, mechanisms, attacks and measures, by kind


def _of_tables(dataset: DatasetDraft, setting: Setting) -> list[str]:
    sensitive = dataset.having(Role.SENSITIVE)
    require = [] if setting.profile_has_k else [f"      - k-anonymity: {{k: {K}}}"]
    if sensitive and all(column.distinct > 1 for column in sensitive):
        require.append("      - l-diversity: {l: 2}   # every class has at least two values of each sensitive column")
    lines = ["    require:", *require] if require else []
    attacks = ["prosecutor", *(result for one in setting.registers if (result := _linkage(dataset, one, setting)))]
    return [*lines, "    using: auto", f"    attacks: [{', '.join(attacks)}]", "    utility: [ncp, discernibility]"]


def _linkage(dataset: DatasetDraft, register: Survey, setting: Setting) -> str | None:
    """The attack by whoever has a list of people with the same columns."""
    theirs = {column.name for column in register.columns}
    if sum(column.name in theirs for column in dataset.having(Role.QUASI)) < 2:
        return None
    population = mapping(reader_options(register.source, setting.base))
    named = register.subject is not None and not register.parts  # of a list, every row is somebody
    subject = f", subject: {scalar(register.subject or '')}" if named else ""
    return f"linkage: {{population: {population}{subject}}}"


def _of_codes(dataset: DatasetDraft, setting: Setting) -> list[str]:
    return _algorithms("codes")


def _of_notes(dataset: DatasetDraft, setting: Setting) -> list[str]:
    people = _people_of(dataset, setting.drafts)
    samples = [dataset.survey.samples.get(column.name) for column in dataset.having(Role.TEXT)]
    language = language_of(samples[0]) if samples and samples[0] is not None else ENGLISH
    if language != ENGLISH:
        words = {"language": language or "any", "people": scalar(people or "patients")}
        return _algorithms("foreign_notes" if people is None else "foreign_notes_with_people", **words)
    return _algorithms("notes") if people is None else _algorithms("notes_with_people", people=scalar(people))


def _people_of(dataset: DatasetDraft, drafts: Sequence[DatasetDraft]) -> str | None:
    """The table of the same persons that says the most of them by which they could be searched for."""

    def identifiers(other: DatasetDraft) -> int:
        return sum(bool((meaning := by_name(column.name)) and meaning.identifier) for column in other.columns)

    tables = [other for other in drafts if other.kind == "tables" and other.subject == dataset.subject is not None]
    best = max(tables, key=identifiers, default=None)
    return best.name if best is not None and identifiers(best) else None


def _of_genomes(dataset: DatasetDraft, setting: Setting) -> list[str]:
    sequences = dataset.survey.source.format == "fasta" or any(one.cells.what == "bases" for one in dataset.columns)
    return _algorithms("sequences" if sequences else "genotypes")


def _of_reports(dataset: DatasetDraft, setting: Setting) -> list[str]:
    owners, *figures = dataset.columns
    high = _greatest_possible([dataset.survey.samples[column.name] for column in figures])
    table = {"rows": scalar(owners.name), "domain": "undecided" if high is None else f"[0, {high}]"}
    decide = "DECIDE: the least and the greatest that a figure can be, such as [0, 5000]"
    comment = decide if high is None else "the least and the greatest that a figure can be"
    width = {100: "3", 1: "0.03", None: "10"}[high]
    return [f"    table: {mapping(table)}   # {comment}", *_algorithms("figures", width=width)]


def _algorithms(which: str, **words: str) -> list[str]:
    """The lines of a kind of data that do not depend on its columns."""
    return Template(_TEXTS[which]).substitute(k=K, year=date.today().year, **words).strip("\n").splitlines()


def _greatest_possible(columns: Sequence[pa.Array]) -> int | None:
    """Shares and percentages have bounds that everybody knows; what else figures can be is not read from them."""
    numbers = [values.cast(pa.float64()) for values in columns]
    greatest = max(float(pc.max(values).as_py()) for values in numbers)
    if min(float(pc.min(values).as_py()) for values in numbers) < 0 or greatest > 100:
        return None
    return 1 if greatest <= 1 else 100


_ALGORITHMS: Mapping[DatasetKind, Callable[[DatasetDraft, Setting], list[str]]] = {
    "tables": _of_tables,
    "codes": _of_codes,
    "notes": _of_notes,
    "genomes": _of_genomes,
    "reports": _of_reports,
}
