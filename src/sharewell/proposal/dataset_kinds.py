"""Which kind of data a file is, and so which datasets a draft makes of it.

A file is one dataset, but for diagnosis codes beside other columns: these are a dataset of their own that reads the
same file, because sets of codes are protected otherwise than columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from sharewell.errors import DataError
from sharewell.io.notes_folder import NOTE, SUBJECT
from sharewell.io.recognition import NOTES_FOLDER
from sharewell.io.sources import DNA
from sharewell.proposal.names import Words, by_name, is_event_key, is_technical_key, says, tokens
from sharewell.proposal.survey import ColumnLook, Columns, Survey
from sharewell.proposal.text_language import ENGLISH, language_of
from sharewell.roles import Role

DatasetKind = Literal["tables", "codes", "notes", "genomes", "reports"]

_POSITIONS = Words(
    "position,sequence,seq num,seq,diagnosis rank,code rank,code order,sort order,dx order,line number,priority",
    "rank,order,line,number,nr,no,pos",
)
_SYSTEMS = Words("code system,coding system,code type,vocabulary,icd version,dx type,terminology,classification")
_VISITS = Words("visit,encounter,admission,episode,hadm,fall,stay,contact,case")
_COUNTS = Words(
    "number of patients,number of persons,number of cases,patient count,person count,anzahl patienten",
    "count,counts,n,frequency,freq,anzahl,haufigkeit,nombre,total,patients,cases,persons",
)
_CODES = {"code", "codes", "concept", "icd", "snomed", "atc", "ndc", "rxnorm", "cpt", "hcpcs", "loinc"}
_MOST_CATEGORIES = 30
_MOST_ROWS_OF_FIGURES = 60
_MOST_ROWS_OF_COUNTS = 5000
_LEAST_SNPS = 5
_NOTES_ALONE = "it may be released as notes of its own: docs/notes.md"
_DROPPED_BESIDE = "is not published beside codes"


@dataclass(frozen=True)
class DatasetDraft(Columns):
    """One dataset of the draft."""

    name: str
    kind: DatasetKind
    survey: Survey
    columns: tuple[ColumnLook, ...]
    why: str
    keys: Mapping[str, str] = field(default_factory=dict)
    """Keys of the dataset that only its kind has, as they are written."""
    rest: Role | None = None

    @property
    def takes_roles(self) -> bool:
        """Whether a steward says of each column what others may know and what is sensitive."""
        return self.kind == "tables"


def datasets_of(surveys: Iterable[Survey]) -> list[DatasetDraft]:
    """The datasets of all files, in their order."""
    return [dataset for one in surveys for dataset in _of_file(one)]


def _of_file(one: Survey) -> list[DatasetDraft]:
    if one.source.format in DNA:
        what = {"bed": "calls of PLINK", "vcf": "calls of variants", "fasta": "sequences"}[one.source.format]
        return [DatasetDraft(one.name, "genomes", one, (), what)]
    if one.source.format == NOTES_FOLDER:
        return [_folder(one)]
    for recognised in (_figures, _genotypes, _sequences, _long_codes, _notes):
        if (dataset := recognised(one)) is not None:
            return [dataset]
    _refuse_counts(one)
    table, codes = _table(one), _codes_beside(one)
    if codes is None:
        return [table]
    moved = {column.name for column in codes.having(Role.QUASI)}
    columns = tuple(
        _given(column, Role.DROP, f"codes: see {codes.name}") if column.name in moved else column
        for column in table.columns
    )
    if not any(column.role in (Role.QUASI, Role.SENSITIVE, Role.TEXT, Role.SHIFT, Role.KEEP) for column in columns):
        return [replace(codes, name=one.name)]
    return [replace(table, columns=columns), codes]


def _given(column: ColumnLook, role: Role, *reasons: str) -> ColumnLook:
    """The column in another role; what went with the old one goes."""
    need = column.need if role in (Role.QUASI, Role.SENSITIVE, Role.KEEP, Role.SHIFT) else None
    return replace(column, role=role, reasons=reasons or column.reasons, hierarchy=None, date_form=None, need=need)


def _table(one: Survey) -> DatasetDraft:
    """Free text is protected in place where it is known whose it is, and where it can be held against its row."""
    columns = []
    for column in one.columns:
        if column.topic == "free text" and column.role is Role.DROP and column.kind == "text" and one.subject:
            if (language := language_of(one.samples[column.name])) != ENGLISH:
                what = f"free text in {language.title()}" if language else "free text that is not in English"
                why = "nothing can tell whether it discloses more than its row"
                columns.append(replace(_given(column, Role.DROP, what, why, _NOTES_ALONE), topic="free text"))
                continue
            reasons = (column.reasons[0], "identifiers in it are replaced")
            column = replace(_given(column, Role.TEXT, *reasons), topic="free text")
        columns.append(column)
    return DatasetDraft(one.name, "tables", one, tuple(columns), "records with columns")


# -- codes


def _long_codes(one: Survey) -> DatasetDraft | None:
    """One code a row: the person, the code, and nothing but visits, dates and positions beside it.

    OMOP writes a code twice, as a number of its own and as the source has it: that of a known classification counts.
    """
    every = [column for column in one.columns if _is_code(column)]
    listed = [column for column in every if column.cells.hierarchy]
    codes = listed if len(listed) == 1 else every
    if one.subject is None or len(codes) != 1 or (one.persons or 0) >= one.rows:
        return None
    columns, keys = _beside_codes(one, codes)
    others = [column for column in one.columns if column not in codes and column.role is not Role.SUBJECT]
    if any(not _may_stand_beside(column) and column not in every for column in others):
        return None
    return DatasetDraft(one.name, "codes", one, columns, "one code a row", keys)


def _is_code(column: ColumnLook) -> bool:
    """By the classification that lists its values, or by a name such as `dx_code` or `condition_concept_id`."""
    if column.cells.codes:
        return True
    called_so = not _CODES.isdisjoint(tokens(column.name))
    return column.role is Role.SENSITIVE and column.topic in ("diagnosis", "care") and called_so


def _may_stand_beside(column: ColumnLook) -> bool:
    """Visits, dates, positions, classifications and what is dropped anyway."""
    if column.role in (Role.DROP, Role.SHIFT) or column.kind in ("date", "instant"):
        return column.topic != "free text"
    return says(_POSITIONS, column.name) or says(_SYSTEMS, column.name) or column.role is Role.KEEP


def _codes_beside(one: Survey) -> DatasetDraft | None:
    """Several codes in a cell, or a column for each place (dx1, dx2, …), beside other columns."""
    several = [column for column in one.columns if column.cells.codes and column.cells.separator]
    wide = [] if several else _wide(one.columns)
    codes = several or wide
    if not codes or one.subject is None:
        return None
    columns, keys = _beside_codes(one, codes)
    listed = tuple(column for column in columns if column.role is not Role.DROP or column.name in keys.values())
    why = "several codes in a cell" if several else f"{len(codes)} columns of codes"
    return DatasetDraft(f"{one.name}-codes", "codes", one, listed, why, keys, Role.DROP)


def _wide(columns: Sequence[ColumnLook]) -> list[ColumnLook]:
    """Columns whose names differ in a number and of which most hold codes."""
    by_stem: dict[str, list[ColumnLook]] = {}
    for column in columns:
        if (stem := re.sub(r"[\W_]*\d+$", "", column.name)) != column.name:
            by_stem.setdefault(stem, []).append(column)
    for group in by_stem.values():
        filled = [column for column in group if column.distinct]
        if len(group) > 1 and filled and 2 * sum(_is_code(column) for column in filled) > len(filled):
            return group
    return []


def _beside_codes(one: Survey, codes: Sequence[ColumnLook]) -> tuple[tuple[ColumnLook, ...], dict[str, str]]:
    """Roles in a dataset of codes: the person, the codes, and all else dropped; and which columns are visits."""
    tree = next((column.cells.hierarchy for column in codes if column.cells.hierarchy), None)
    keys: dict[str, str] = {}
    columns = []
    for column in one.columns:
        if column in codes:
            given = replace(_given(column, Role.QUASI, "codes of a person"), hierarchy=tree)
            columns.append(replace(given, need=None if column.cells.separator else given.need))
            continue
        if column.role is Role.SUBJECT:
            columns.append(column)
            continue
        if key := _key_of(column, keys):
            keys[key] = column.name
        why = f"tells {_TELLS[key]}; it is read, and not published" if key else _DROPPED_BESIDE
        columns.append(_given(column, Role.DROP, why))
    return tuple(columns), keys


_TELLS = {"visit": "the visits of a person apart", "date": "when a visit was", "sequence": "the place of a code"}


def _key_of(column: ColumnLook, taken: Mapping[str, str]) -> str | None:
    tests: dict[str, Callable[[ColumnLook], bool]] = {
        "visit": lambda one: (is_technical_key(one.name) or is_event_key(one.name)) and says(_VISITS, one.name),
        "date": lambda one: one.kind in ("date", "instant") and one.topic == "" and one.need is None,
        "sequence": lambda one: one.kind == "number" and says(_POSITIONS, one.name),
    }
    return next((key for key, fits in tests.items() if key not in taken and fits(column)), None)


# -- notes


def _notes(one: Survey) -> DatasetDraft | None:
    """A column of text, and nothing about the person beside it but keys, dates and a few categories."""
    texts = [column for column in one.columns if column.topic == "free text" and column.kind == "text"]
    if len(texts) != 1:
        return None
    columns = []
    for column in one.columns:
        if column in texts:
            columns.append(_given(column, Role.TEXT, "the notes themselves"))
        elif column.role in (Role.SUBJECT, Role.DROP, Role.SHIFT, Role.KEEP):
            columns.append(column)
        elif column.role is Role.QUASI and not column.sure and not column.cells.codes:
            few = column.distinct <= _MOST_CATEGORIES
            why = "a few categories, published as they are" if few else column.reasons[0]
            columns.append(_given(column, Role.KEEP if few else Role.DROP, why))
        else:
            return None
    if any(column.topic in ("birth", "age", "sex", "postal") for column in columns):
        return None
    return DatasetDraft(one.name, "notes", one, tuple(columns), "notes")


def _folder(one: Survey) -> DatasetDraft:
    """Notes, one a file: the file's name, whose it is where a table says so, and the text."""
    roles = {NOTE: (Role.DROP, "the name of the file"), SUBJECT: (Role.SUBJECT, "whose note it is")}
    text = (Role.TEXT, "the notes themselves")
    columns = tuple(_given(column, *roles.get(column.name, text)) for column in one.columns)
    return DatasetDraft(one.name, "notes", one, columns, "a folder of notes")


# -- DNA in a table


def _genotypes(one: Survey) -> DatasetDraft | None:
    """A column for each SNP, with 0, 1 or 2 copies of an allele."""
    snps = [column for column in one.columns if column.cells.what == "alleles"]
    others = [column for column in one.columns if column not in snps]
    if one.subject is None or len(snps) < _LEAST_SNPS or len(snps) < 2 * len(others):
        return None
    columns = tuple(
        column if column.role is Role.SUBJECT else _given(column, Role.DROP, "is not published beside DNA")
        for column in others
    )
    return DatasetDraft(one.name, "genomes", one, columns, f"{len(snps)} columns of SNPs", rest=Role.QUASI)


def _sequences(one: Survey) -> DatasetDraft | None:
    """One column of bases, a row for each person, perhaps beside what the person has."""
    bases = [column for column in one.columns if column.cells.what == "bases"]
    if len(bases) != 1:
        return None
    labels = one.having(Role.SENSITIVE)
    columns = []
    for column in one.columns:
        if column in bases:
            columns.append(_given(column, Role.QUASI, "sequences of bases"))
        elif column.role is Role.SUBJECT:
            columns.append(column)
        elif len(labels) == 1 and column in labels:
            columns.append(replace(column, hierarchy=None))
        else:
            columns.append(_given(column, Role.DROP, "is not published beside DNA"))
    return DatasetDraft(one.name, "genomes", one, tuple(columns), "a column of sequences")


# -- figures and counts


def _figures(one: Survey) -> DatasetDraft | None:
    """A few rows, each with a name of its own, and numbers: figures of owners, such as hospitals or plans."""
    if one.subject is not None or not 2 <= one.rows <= _MOST_ROWS_OF_FIGURES or len(one.columns) < 3:
        return None
    first, numbers = one.columns[0], one.columns[1:]
    named = first.kind == "text" and first.distinct == one.rows and not _names_a_person(first)
    if not named or any(column.kind != "number" or column.missing or _is_demographic(column) for column in numbers):
        return None
    return DatasetDraft(one.name, "reports", one, one.columns, "figures, one owner a row")


def _names_a_person(column: ColumnLook) -> bool:
    meaning = by_name(column.name)
    return meaning is not None and bool(meaning.identifier)


def _is_demographic(column: ColumnLook) -> bool:
    return column.topic in ("age", "sex", "birth", "death", "postal")


def _refuse_counts(one: Survey) -> None:
    """A table of counts, one cell a row: it cannot be protected any more, for whose counts they are is not known."""
    counted = [column for column in one.columns if column.kind == "number" and says(_COUNTS, column.name)]
    others = [column for column in one.columns if column not in counted]
    if one.subject is not None or len(counted) != 1 or not others or one.rows > _MOST_ROWS_OF_COUNTS:
        return
    if all(column.kind == "text" and column.distinct * 2 <= max(one.rows, 4) for column in others) and len(others) > 1:
        raise DataError(
            f"{one.source.label} — a table of counts already ({len(others)} columns of categories and a count), which "
            "names nobody whom sharewell could protect — name the file of the patients: kind reports makes such a "
            "table from it and hides what is too small"
        )
