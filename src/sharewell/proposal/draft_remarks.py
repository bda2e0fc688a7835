"""What a draft says about a file as a whole, in sentences."""

from __future__ import annotations

import re
from collections import Counter

from sharewell.proposal.dataset_kinds import DatasetDraft
from sharewell.proposal.singling_out import MOST_ROWS
from sharewell.proposal.survey import ColumnLook, Survey
from sharewell.proposal.yaml_text import scalar
from sharewell.roles import Role

K = 11
REPEATED = "redcap_repeat_instrument"
_NUMBERED = re.compile(r"(.{0,12}?)\d{3,}\D{0,4}")
_LEAST_NUMBERED = 10
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def remarks(dataset: DatasetDraft, first: bool = True) -> list[str]:
    """What is true of the file as a whole; `first`: no dataset before it reads the same file."""
    seen = dataset.survey
    if not first:
        return [f"{dataset.why}, in the same file"]
    if not seen.columns:
        return [dataset.why, *seen.decided]
    persons = "" if seen.persons is None else f", {seen.persons} persons"
    lines = [f"{dataset.why}: {seen.rows} records, {len(seen.columns)} columns{persons}", *seen.decided]
    lines += cautions(seen)
    if dataset.kind == "tables":
        lines += _of_table(dataset)
    if dataset.kind in ("tables", "codes", "genomes") and (seen.rows if seen.persons is None else seen.persons) < K:
        lines.append(f"Fewer than {K} {_unit(seen)}: nothing can meet k: {K}.")
    return lines


def cautions(seen: Survey) -> list[str]:
    """What only somebody who changes the file can put right."""
    lines = []
    if refused := sum(bool(_CONTROL.search(column.name)) for column in seen.columns):
        lines.append(f"CAREFUL: {refused} column names hold control characters, which a policy refuses: rename them.")
    if alike := len(seen.columns) - len({column.name.casefold().strip() for column in seen.columns}):
        lines.append(f"CAREFUL: {alike} column name(s) differ from another only in spelling.")
    if any(column.name == REPEATED and column.distinct for column in seen.columns):
        lines.append(
            "CAREFUL: a REDCap export with repeating instruments: rows of several forms are in one file, and what"
            " the other forms left blank counts as a value. Export each instrument by itself, as a file of its own."
        )
    if seen.same_people:
        names, people = seen.same_people
        lines.append(
            f"CAREFUL: {' + '.join(map(scalar, names))} are {people} different people in {seen.rows} records, and no"
            " column identifies the person. Export one that numbers the persons; otherwise records are counted,"
            f" and {K} of them may be a few people."
        )
    if numbered := columns_like_persons(seen):
        lines.append(
            f"CAREFUL: {numbered} columns of numbers are called by one word and a number of three figures or more, and"
            " no column says whom a record is about. If these columns are persons, turn the table: else it publishes"
            " whom it is about, and counts what was measured."
        )
    if seen.one_cell_rows:
        lines.append(
            f"CAREFUL: the last {seen.one_cell_rows} row(s) have a value in at most one column, like totals:"
            " if they are not records, delete them from the file, or each counts as a patient."
        )
    return lines


def columns_like_persons(seen: Survey) -> int:
    """How many columns may be persons: `S001` to `S150`, in a table of genes, say. 0 if they are few."""
    if seen.subject is not None:
        return 0
    numbers = [column.name for column in seen.columns if column.kind == "number" and not column.cells.what]
    stems = Counter(match[1] for name in numbers if (match := _NUMBERED.fullmatch(name)))
    most = max(stems.values(), default=0)
    return most if most >= _LEAST_NUMBERED and 2 * most > len(seen.columns) else 0


def _of_table(dataset: DatasetDraft) -> list[str]:
    seen, lines = dataset.survey, []
    if dataset.subject is None:
        lines.append(
            "No column identifies the person of a record. If a person can have several records, give the column that"
        )
        lines.append("identifies the person the role subject: without it, records are counted, not persons.")
        lists = [scalar(column.name) for column in seen.columns if column.cells.codes and column.cells.separator]
        if lists:
            lines.append(f"Some cells hold several codes: {', '.join(lists)}. Once you name the person, they can be")
            lines.append("published as sets of codes: sharewell init --interactive asks for the person, and drafts it.")
    lines += single_lines(seen)
    if not dataset.having(Role.QUASI):
        lines.append("There is no quasi column, so all records form one class. Is there nothing that others may know?")
    return lines


def _unit(seen: Survey) -> str:
    return "records" if seen.persons is None else "persons"


def single_lines(seen: Survey) -> list[str]:
    """`age + sex + zip make 63 % of the persons unique`, for each set that was measured."""
    part = f" (on {MOST_ROWS} of {seen.rows} records)" if seen.sampled else ""
    lines = []
    for combination in seen.singled:
        count = len(combination.columns)
        columns = f"All {count} quasi columns together" if count > 4 else " + ".join(map(scalar, combination.columns))
        verb = "makes" if count == 1 else "make"
        lines.append(f"{columns} {verb} {percent(combination.share)} of the {_unit(seen)} unique{part}")
    return lines


def percent(share: float) -> str:
    """
    >>> percent(0), percent(0.004), percent(0.63), percent(0.999), percent(1)
    ('0 %', 'less than 1 %', '63 %', 'more than 99 %', '100 %')
    """
    if 0 < share < 0.01:
        return "less than 1 %"
    return "more than 99 %" if 0.99 < share < 1 else f"{share:.0%}".replace("%", " %")


def counted(column: ColumnLook, short: bool = False) -> str:
    """The measures of a column in a few words; of what is not published they do not matter."""
    if column.role in (Role.DROP, Role.SUBJECT):
        return ""
    missing = f", {column.missing} missing" if column.missing else ""
    if short:
        return f"{column.distinct} different{missing}"
    return f"{column.distinct} different{missing}, separates {percent(column.separation)} of pairs"
