"""Load a proposed report: YAML to a `Proposal`, or one PolicyError that lists every mistake with its line.

Two forms. With `table: {values: …}` the true cells are given, and `publish` says what would be shown of them. With
`published` the figures themselves are given, and `known` the cells of those owners who are simulated as snoopers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sharewell.errors import DataError, PolicyError
from sharewell.io.yaml_positions import Path as Place
from sharewell.policy.mistakes import Reading
from sharewell.reports.figures.data import (
    Convention,
    Domain,
    Frame,
    Levels,
    Publication,
    Report,
    bounds_of,
    exact,
    is_exact,
)
from sharewell.reports.figures.engine.alternatives import LEVELS, levels_of
from sharewell.reports.figures.engine.cell_files import read_values
from sharewell.reports.figures.engine.limits import check_names, criteria
from sharewell.reports.figures.engine.proposal import Proposal
from sharewell.reports.figures.engine.snoopers import Snoopers
from sharewell.reports.figures.engine.written_figures import given_figures
from sharewell.roles import did_you_mean

Unread = Any
"""What a file says under a key, as YAML reads it; it is checked where it is used."""
Fields = Mapping[str, Unread]
"""What a file says, by key."""


@dataclass(frozen=True)
class Written:
    """The keys of a report file; in a policy they stand in a dataset of kind reports."""

    table: Unread
    report: str = "report"
    publish: Unread = None
    published: Unread = None
    known: Unread = None
    snoopers: Unread = None
    protect: Unread = None
    search: Unread = None


@dataclass(frozen=True)
class WrittenTable:
    """What the table is."""

    domain: Unread
    rows: Unread = None
    columns: Unread = None
    values: Unread = None
    decimals: int | None = None
    sigma: str | None = None
    bin: float | int | None = None
    sigma_bin: float | int | None = None
    cut: float | int | None = None
    absent: Unread = None
    """Cells that do not exist, as columns by row; for published figures, where no table shows it."""


@dataclass(frozen=True)
class WrittenSnoopers:
    """Who is simulated."""

    outsider: bool = True
    owners: Unread = "known"
    coalitions: int = 1


@dataclass(frozen=True)
class WrittenLevels:
    """What is published about rows or about columns."""

    center: Unread = None
    dispersion: Unread = None
    order: Unread = None
    sigma: str | None = None


@dataclass(frozen=True)
class WrittenSearch:
    """How a safe report is sought."""

    weights: Unread = None
    keep: Unread = None
    levels: str = "classic"
    undecided: str = "unsafe"


def load(path: Path | str) -> Proposal:
    """The proposal of a file."""
    path = Path(path)
    reading, raw = Reading.of_file(path)
    if not reading.mistakes:
        found = proposal(reading, reading.document.plain if reading.document.plain is not None else {}, ())
        if found is not None and not reading.mistakes:
            return replace(found, text=raw.decode("utf-8-sig"))
    raise PolicyError(reading.mistakes, path.name)


def proposal(reading: Reading, given: object, at: Place) -> Proposal | None:
    """What stands at a place of a document; None if there are mistakes, which the reading then lists."""
    before = len(reading.mistakes)
    fields = reading.fields(Written, given, at)
    table = reading.fields(WrittenTable, fields["table"], (*at, "table")) if "table" in fields else {}
    search = reading.fields(WrittenSearch, fields.get("search", {}), (*at, "search"))
    snoopers = snoopers_of(reading, fields.get("snoopers"), (*at, "snoopers"))
    if search.get("levels", "classic") not in ("classic", "nested"):
        reading.mistake((*at, "search", "levels"), "must be classic or nested")
    if ("publish" in fields) == ("published" in fields):
        hint = "publish with the values of the table, or published with the figures themselves"
        reading.mistake(at, "there must be either publish or published", hint)
    if len(reading.mistakes) > before:
        return None
    report: Report | None = None
    try:
        if "publish" in fields:
            report = _report(reading, table, (*at, "table"))
            shown = _shown(reading, report, table, fields["publish"], search, (*at, "publish"))
        else:
            shown = _given(reading, table, fields, at)
        must = criteria(reading, fields.get("protect"), (*at, "protect"), snoopers)
        if len(reading.mistakes) == before:
            check_names(reading, fields["protect"], shown.frame, (*at, "protect"))
            _check_owners(reading, snoopers, shown.frame, (*at, "snoopers", "owners"))
    except PolicyError as error:
        reading.borrow(error, at)
    if len(reading.mistakes) > before:
        return None
    return Proposal(fields.get("report", "report"), shown, must, snoopers, report, search)


def snoopers_of(reading: Reading, given: object, at: Place) -> Snoopers:
    if given is None:
        return Snoopers()
    found = reading.fields(WrittenSnoopers, given, at)
    owners = found.get("owners", "known")
    if isinstance(owners, list):
        found["owners"] = tuple(str(owner) for owner in owners)
    elif owners not in ("all", "known"):
        reading.mistake((*at, "owners"), "must be all, known, or a list of rows")
        return Snoopers()
    try:
        return Snoopers(**found)
    except PolicyError as error:
        reading.borrow(error, at)
        return Snoopers()


def _check_owners(reading: Reading, snoopers: Snoopers, frame: Frame, at: Place) -> None:
    for i, owner in enumerate(snoopers.owners if isinstance(snoopers.owners, tuple) else ()):
        if owner not in frame.rows:
            hint = did_you_mean(owner, frame.rows) or f"rows: {', '.join(frame.rows)}"
            reading.mistake((*at, i), f"no row '{owner}'", hint)


def convention(table: Fields, sigma: str | None, nested: bool) -> Convention:
    """How figures are written; sigma must be said where there is one."""
    given = {key: table[key] for key in ("bin", "sigma_bin", "cut") if key in table}
    for key, value in given.items():
        if not is_exact(value):
            raise PolicyError(f"table.{key} must be a number of a size that a table can have")
    named = {key: exact(value) for key, value in given.items()}
    for key in ("bin", "sigma_bin"):
        if key in named and named[key] <= 0:
            raise PolicyError(f"table.{key} must be more than 0")
    if sigma not in (None, "sample", "population"):
        raise PolicyError("sigma must be sample (divided by n − 1) or population (by n)")
    decimals = table.get("decimals", 1)
    if not 0 <= decimals <= 12:
        raise PolicyError("table.decimals must be from 0 to 12")
    return Convention(decimals, "sample" if sigma != "population" else "population", nested, **named)


def _report(reading: Reading, table: Fields, at: Place) -> Report:
    if "values" not in table:
        raise PolicyError("table.values is missing — name the file of the cells, or give published figures instead")
    values = read_values(reading, table, at)
    return Report.of(values, domain=_domain(table["domain"]))


def _shown(reading: Reading, report: Report, table: Fields, given: object, search: Fields, at: Place) -> Publication:
    if not isinstance(given, dict) or not set(given) <= {"rows", "columns"}:
        raise PolicyError("publish must hold rows and columns, such as rows: {center: mean}")
    sigmas = {table.get("sigma")} - {None}
    levels, nested = {}, search.get("levels") == "nested"
    for axis in ("rows", "columns"):
        found = reading.fields(WrittenLevels, given.get(axis) or {}, (*at, axis))
        sigmas |= {found.pop("sigma")} if "sigma" in found else set()
        places = {key: (*at, axis, key) for key in found}
        levels[axis] = Levels(**{key: level(reading, key, found[key], places[key], nested) for key in found})
    if len(sigmas) > 1:
        raise PolicyError("sigma is said in two ways — say it once")
    if not sigmas and any(one.dispersion == 3 or (nested and one.dispersion == 2) for one in levels.values()):
        raise PolicyError("sigma is published — say sigma: sample (divided by n − 1) or population (by n)")
    how = convention(table, next(iter(sigmas), None), nested)
    return Publication.of(report, levels["rows"], levels["columns"], how)


def level(reading: Reading, key: str, value: object, at: Place, nested: bool) -> int:
    """A level by its name or number. What level 2 of dispersion is called depends on which levels are used."""
    known = levels_of(key, nested)
    if type(value) is int and value in (1, 2, 3):
        return value
    if not isinstance(value, str) or value not in known:
        hint = f"known: {', '.join(known)}, or 3, 2, 1"
        if isinstance(value, str) and value in LEVELS[key]:
            hint += f"; {value} is of {'classic' if nested else 'nested'} levels (`search: levels`)"
        reading.mistake(at, f"no such level of {key}", hint)
        return 1
    return known[value]


def _given(reading: Reading, table: Fields, fields: Fields, at: Place) -> Publication:
    """Figures as they were published, and the cells of some owners."""
    shown = fields["published"]
    known = fields.get("known") or {}
    for given, name in ((shown, "published"), (known, "known")):
        if not isinstance(given, dict) or not all(isinstance(one, dict) for one in given.values() if name == "known"):
            raise PolicyError(f"{name} must be a mapping of rows")
    lines = {axis: shown.get(axis) or {} for axis in ("rows", "columns")}
    for axis, by_name in lines.items():
        if not isinstance(by_name, dict):
            raise PolicyError(f"published.{axis} must be a mapping such as {{HMO1: {{mean: 58.0}}}}")
    names = {axis: _names(reading, axis, table, lines[axis], known, at) for axis in ("rows", "columns")}
    if reading.mistakes:
        raise PolicyError(())
    frame = frame_of({**table, **names})
    sigma = shown.get("sigma") or table.get("sigma")
    how = convention(table, sigma, False)
    figures = given_figures(reading, shown, how, "decimals" in table, sigma is not None, (*at, "published"), frame)
    try:
        truth = {(row, column): exact(value) for row, cells in known.items() for column, value in cells.items()}
    except ValueError:
        raise PolicyError("known must hold numbers") from None
    if not set(truth) <= set(frame.cells):
        raise PolicyError("known — holds a cell that is absent — take it out of one of them")
    if any(not frame.domain(cell)[0] <= value <= frame.domain(cell)[1] for cell, value in truth.items()):
        raise DataError("known — a cell lies outside the domain — correct it, or widen the domain")
    return Publication(frame, figures, truth, convention=how)


def _names(
    reading: Reading,
    axis: str,
    table: Fields,
    lines: Mapping[str, object],
    known: Mapping[str, Mapping[str, object]],
    at: Place,
) -> tuple[str, ...]:
    """Rows or columns: those listed, else those with figures, else those known.

    A name that is misspelt would count as one more line, and intervals would seem wider: it is a mistake.
    """
    given = table[axis] if isinstance(table.get(axis), list) else []
    if any(name is None or isinstance(name, (bool, dict, list)) for name in given):
        reading.mistake((*at, "table", axis), "holds what is no name", "write names only; in quotes, if need be")
    listed = [str(name) for name in given]
    inner = [((*at, "known", row, c), c) for row, cells in known.items() for c in cells]
    places = [((*at, "known", row), row) for row in known] if axis == "rows" else inner
    names = listed or list(lines) or list(dict.fromkeys(name for _, name in places))
    for place, name in [*(((*at, "published", axis, name), name) for name in lines), *places]:
        if name not in names:
            where = f"table.{axis}" if listed else f"published.{axis}"
            hint = did_you_mean(str(name), names) or f"{where} names {', '.join(names)}"
            reading.mistake(
                place, f"no {axis.removesuffix('s')} '{name}' in {where}", f"{hint}; list all in table.{axis}"
            )
    return tuple(names)


def frame_of(table: Fields) -> Frame:
    """The frame of a table that lists its rows and columns, as published reports do."""
    names = {axis: tuple(map(str, table[axis])) for axis in ("rows", "columns")}
    absent = _absent(table.get("absent") or {}, names)
    return Frame(names["rows"], names["columns"], bounds_of(_domain(table["domain"]), names["columns"]), absent)


def _absent(given: object, names: Mapping[str, tuple[str, ...]]) -> frozenset[tuple[str, str]]:
    """Cells that do not exist."""
    if not isinstance(given, dict) or not all(isinstance(columns, list) for columns in given.values()):
        raise PolicyError("table.absent must be lists of columns by row, such as {HMO2: [Eye exam]}")
    cells = frozenset((str(row), str(column)) for row, columns in given.items() for column in columns)
    if not all(row in names["rows"] and column in names["columns"] for row, column in cells):
        raise PolicyError("table.absent — names a row or column that is not there")
    return cells


def _domain(given: Domain) -> Domain:
    """A pair, or a pair for each column."""
    pairs: list[object] = list(given.values()) if isinstance(given, dict) else [given]
    if not all(map(_is_pair, pairs)):
        raise PolicyError("table.domain must be the lowest and the highest value, such as [0, 100]")
    return given


def _is_pair(given: object) -> bool:
    if not isinstance(given, list) or len(given) != 2:
        return False
    return all(type(end) in (int, float) and is_exact(end) for end in given)
