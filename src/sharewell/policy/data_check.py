"""Hold a policy against the data it names: headers, populations and hierarchy files, and some columns.

Cells are looked at in columns that would be published as they are, that are cleaned, or whose type matters; of all
other columns only headers.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from sharewell.errors import Mistake, PolicyError, SharewellError
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Document, dotted
from sharewell.io.yaml_positions import Path as Place
from sharewell.policy.dataset_files import files_of, files_of_algorithms
from sharewell.policy.doubtful_persons import join_problems, tie_problems
from sharewell.policy.identifying_columns import FIRST_ROWS, identifying
from sharewell.policy.mistyped_columns import mistyped_columns
from sharewell.policy.model import Dataset, Disagreement, Policy
from sharewell.policy.shown_intervals import shown_by_dates
from sharewell.policy.shown_values import shown_by_columns
from sharewell.policy.unsearched_columns import unsearched
from sharewell.roles import Role, did_you_mean
from sharewell.styles import clash

_NAMES_SHOWN = 12
_NO_HEADER = (
    "put a line with the names of columns above the first record; if these are the names, give each column a role "
    "instead of rest:"
)


def against_data(policy: Policy) -> list[Mistake]:
    """Everything in which the policy and its data disagree."""
    base = policy.path.absolute().parent
    document = Document(positions=dict(policy.positions))
    for dataset in policy.datasets.values():
        path: Place = ("datasets", dataset.name)
        problems = (*_columns(dataset, path), *_evidence(dataset), *_hierarchies(base, dataset, path))
        earlier = list(policy.datasets.values())[: list(policy.datasets).index(dataset.name)]
        problems += tuple(dataset.own.beside(dataset, earlier, path))
        if not problems:
            problems += tuple(_uncleaned(dataset, path))
        if not problems:
            problems += (*_mistyped(dataset, path), *_identifying(dataset, path), *_shown(dataset, path))
            problems += tuple(join_problems(dataset, path))
        for where, what, hint, of_data in problems:
            shown = what.replace(f"{base}{os.sep}", "")  # paths as the policy writes them
            document.mistakes.append(Mistake(*document.at(where), dotted(where), shown, hint, of_data))
    for where, what, hint, of_data in () if document.mistakes else tie_problems(policy):
        document.mistakes.append(Mistake(*document.at(where), dotted(where), what, hint, of_data))
    return document.mistakes


def _identifying(dataset: Dataset, path: Place) -> Iterator[Disagreement]:
    """Columns that would be published as they are and look like identifiers, or single people out."""
    for name, why, hint in identifying(dataset, FIRST_ROWS):
        yield (*path, "columns", name), why, hint, False


def _shown(dataset: Dataset, path: Place) -> Iterator[Disagreement]:
    """Quasi columns that two shifted dates would publish exactly, or that other published columns or texts may tell."""
    shown = {one[0]: one for one in (*shown_by_columns(dataset, FIRST_ROWS), *shown_by_dates(dataset, FIRST_ROWS))}
    for name, what, hint in (*shown.values(), *unsearched(dataset)):
        yield (*path, "columns", name), what, hint, False


def _mistyped(dataset: Dataset, path: Place) -> Iterator[Disagreement]:
    """Columns of dates or numbers that would be read as text."""
    for name, what, hint in mistyped_columns(dataset, FIRST_ROWS):
        yield (*path, "columns", name), what, hint, False


def _uncleaned(dataset: Dataset, path: Place) -> Iterator[Disagreement]:
    """Cells that the steps of `clean` cannot read: of a large file, among its first rows."""
    for place, source in files_of(dataset, path):
        try:
            accounts = source.account(FIRST_ROWS if source.is_large else None) if source.clean else {}
        except SharewellError as error:
            yield (*place, "clean"), *_said(error), True
            continue
        for name, account in accounts.items():
            if problem := source.clean[name].problem(account):
                what, _, hint = problem.partition(" — ")
                yield (*place, "clean", name), what, hint, False


def _names(source: Source, path: Place) -> tuple[list[str] | None, list[Disagreement]]:
    """The column names of a source, or why there are none. A file that is there but cannot be read is bad data."""
    readable = False
    try:
        replace(source, columns={}, clean={}).names()
        readable = True
        names = replace(source, clean={}).names()
        asked = [(name, part) for name, one in source.clean.items() for part in one.columns(name)]
        wrong = [(name, part) for name, part in asked if part not in names]
        problems = [_absent(source, names, (*path, "clean", name), name, part) for name, part in wrong]
        for name in (name for name in source.joined if name in names):
            what = f"{source.label} has a column of this name already"
            problems.append(((*path, "clean", name), what, "give the joined column another name", False))
        return [*names, *(name for name in source.joined if name not in names)], problems
    except SharewellError as error:
        there = source.path is not None and source.path.exists()
        of_data = there and not readable and not isinstance(error, PolicyError)
        return None, [(path, *_said(error), of_data)]


def _absent(source: Source, names: list[str], place: Place, name: str, part: str) -> Disagreement:
    what = f"{source.label} has no such column" if part == name else f"{source.label} has no column '{part}' to join"
    return place, what, did_you_mean(part, names) or f"it has: {_some(names)}", False


def _said(error: SharewellError) -> tuple[str, str]:
    """(what, hint) of an error raised elsewhere."""
    if isinstance(error, PolicyError):
        return error.mistakes[0].what, error.mistakes[0].hint
    what, _, hint = str(error).splitlines()[0].rpartition(" — ")
    return (what, hint) if what else (hint, "")


def _columns(dataset: Dataset, path: Place) -> Iterator[Disagreement]:
    names, problems = _names(dataset.read, (*path, "read"))
    yield from problems
    if (result := dataset.own.against_data(dataset, names is not None, path)) is not None:
        yield from result
        return
    for key, named in dataset.own.files():
        yield from _names(named, (*path, *key))[1]
    if dataset.read.is_dna:  # no columns: its persons and places are read with the data
        return
    label = dataset.read.label
    for key, further in dataset.own.further_tables():  # the columns of several files, with the subject in each
        others, problems = _names(further, (*path, *key))
        yield from problems
        names = None if names is None or others is None else list(dict.fromkeys([*names, *others]))
        label = f"{label} or {further.label}"
    if names is None:
        return
    if dataset.columns and 2 * len(set(dataset.columns) & set(names)) < min(len(dataset.columns), len(names)):
        # Perhaps a file without a header: then its names are somebody's record, and are not to be shown.
        shared = len(set(dataset.columns) & set(names))
        what = f"{label} has {shared} of these {len(dataset.columns)} columns, and {len(names)} in all"
        yield (*path, "columns"), what, "has the file a header line? is it the right file?", False
        return
    bare = [name for name in names if name not in dataset.columns]
    if bare and (headless := _headless(dataset.read)):
        yield (*path, "read"), headless, _NO_HEADER, True
        return
    for name in dataset.columns:
        if name not in names:
            hint = did_you_mean(name, [n for n in names if n not in dataset.columns] or names)
            yield (
                (*path, "columns", name),
                f"{label} has no such column",
                hint or f"it has: {_some(names)}",
                False,
            )
    if bare and dataset.rest is None:
        what = f"{len(bare)} column(s) of {label} without a role: {_some(bare)}"
        yield (*path, "columns"), what, f"give each one of {', '.join(Role)}, or say rest:", False
    roles = {name: dataset.columns[name].role if name in dataset.columns else dataset.rest for name in names}
    shown = [name for name, role in roles.items() if role not in (None, Role.DROP)]
    for name, rule in dataset.columns.items():
        if rule.style is not None and (taken := clash(name, rule.style, shown)):
            yield (*path, "columns", name, "style"), *taken, False


def _headless(source: Source) -> str:
    """Why the names of a file's columns seem to be a record: then messages and a dossier must not repeat them."""
    from sharewell.proposal import header_check

    if source.format not in header_check.WITHOUT_SCHEMA:
        return ""
    try:
        rows = next(iter(replace(source, clean={}).batches(None, header_check.FIRST_ROWS)), None)
    except SharewellError:  # what cannot be read is told where it is read
        return ""
    try:
        if rows is not None:
            header_check.refuse_headless(rows, source.label)
    except SharewellError as error:
        return _said(error)[0]
    return ""


def _some(names: list[str]) -> str:
    more = len(names) - _NAMES_SHOWN
    return ", ".join(names[:_NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _evidence(dataset: Dataset) -> Iterator[Disagreement]:
    for place, source in files_of_algorithms(dataset):
        yield from _names(source, place)[1]


def _hierarchies(base: Path, dataset: Dataset, path: Place) -> Iterator[Disagreement]:
    """Trees in files; built-ins were checked when the policy was loaded."""
    from sharewell.hierarchy.specs import from_spec

    for name, rule in dataset.columns.items():
        if isinstance(rule.hierarchy, dict) and "csv" in rule.hierarchy:
            try:
                from_spec(rule.hierarchy, base)
            except SharewellError as error:
                there = (base / str(rule.hierarchy["csv"])).is_file() and not isinstance(error, PolicyError)
                yield (*path, "columns", name, "hierarchy"), *_said(error), there
