"""Load a proposed report: YAML to a `Proposal`, or one PolicyError that lists every mistake with its line.

Two forms. With `table: {values: …}` the true cells are given, and `publish` says what would be shown of them. With
`published` the figures themselves are given, and `known` the cells of those owners who are simulated as snoopers.

A policy has the keys of the first form in a dataset (`ReportKeys`). The cells are what `read` names, never the policy
itself: its hash is public, and short texts can be guessed. Structure is checked when the policy is loaded; names of
rows and columns when its data is at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sharewell.errors import DataError, PolicyError, SharewellError
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Document
from sharewell.io.yaml_positions import Path as Place
from sharewell.policy.mistakes import MistakeCollector
from sharewell.policy.model import ConfiguredAttack, Disagreement
from sharewell.reports.figures.attacks.snooper import Snooper
from sharewell.reports.figures.data import (
    AXES,
    Convention,
    Domain,
    Frame,
    Levels,
    Publication,
    Report,
    bounds_of,
    nested_frame,
)
from sharewell.reports.figures.engine.alternatives import LEVELS, levels_of
from sharewell.reports.figures.engine.checks.cell_limits import ByCell
from sharewell.reports.figures.engine.file_values import given_figures, read_values
from sharewell.reports.figures.engine.limits import check_names, criteria
from sharewell.reports.figures.engine.needs import Snoopers
from sharewell.reports.figures.engine.numbers import exact, is_exact
from sharewell.reports.figures.engine.plan import Proposal
from sharewell.reports.figures.engine.report_levels import KEYS as KEYS_OF_LEVEL
from sharewell.reports.figures.engine.report_levels import (
    has_levels,
    listed,
    parts,
    parts_written,
    report_of,
    units_listed,
)
from sharewell.roles import did_you_mean

Unread = Any
"""What a file says under a key, as YAML reads it; it is checked where it is used."""
Fields = Mapping[str, Unread]
"""What a file says, by key."""


@dataclass(frozen=True)
class ReportSpec:
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
class TableSpec:
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
    levels: Unread = None
    """Levels above the rows, the lowest first: columns of the values, or units by level."""
    lowest: str | None = None
    """What the level of the rows is called."""
    roll_up: str | None = None
    """A unit's value is the mean or the sum of those directly below."""
    names: str | None = None
    """`public`, if the names of all units may be published."""


@dataclass(frozen=True)
class SnoopersSpec:
    """Who is simulated."""

    outsider: bool = True
    owners: Unread = "known"
    coalitions: int = 1


@dataclass(frozen=True)
class LevelsSpec:
    """What is published about rows or about columns."""

    center: Unread = None
    dispersion: Unread = None
    order: Unread = None
    median: Unread = None
    sigma: str | None = None


@dataclass(frozen=True)
class SearchSpec:
    """How a safe report is sought."""

    weights: Unread = None
    keep: Unread = None
    levels: str = "classic"
    undecided: str = "unsafe"


def load(path: Path | str) -> Proposal:
    """The proposal of a file."""
    path = Path(path)
    reading, raw = MistakeCollector.of_file(path)
    if not reading.mistakes:
        result = proposal(reading, reading.document.plain if reading.document.plain is not None else {}, ())
        if result is not None and not reading.mistakes:
            return replace(result, text=raw.decode("utf-8-sig"))
    raise PolicyError(reading.mistakes, path.name)


def proposal(reading: MistakeCollector, document: object, path: Place) -> Proposal | None:
    """What stands at a place of a document; None if there are mistakes, which the reading then lists."""
    before = len(reading.mistakes)
    fields = reading.fields(ReportSpec, document, path)
    table = reading.fields(TableSpec, fields["table"], (*path, "table")) if "table" in fields else {}
    search, nested = search_of(reading, fields, path)
    snoopers = snoopers_of(reading, fields.get("snoopers"), (*path, "snoopers"))
    if ("publish" in fields) == ("published" in fields):
        hint = "publish with the values of the table, or published with the figures themselves"
        reading.mistake(path, "there must be either publish or published", hint)
    if len(reading.mistakes) > before:
        return None
    report: Report | None = None
    try:
        if "publish" in fields:
            if "values" not in table:
                raise PolicyError(
                    "table.values is missing — name the file of the cells, or give published figures instead"
                )
            report = report_of(table, read_values(reading, table, (*path, "table")), _domain(table["domain"]))
            shown = _shown(reading, report, table, fields["publish"], nested, (*path, "publish"))
        else:
            shown = _given(reading, table, fields, path)
        required = criteria(reading, fields.get("protect"), (*path, "protect"), snoopers)
        if len(reading.mistakes) == before:
            check_names(reading, fields["protect"], shown.frame, (*path, "protect"))
            for i, owner in enumerate(snoopers.owners if isinstance(snoopers.owners, tuple) else ()):
                if owner not in (*shown.frame.rows, *(shown.frame.nesting.levels if shown.frame.nesting else ())):
                    hint = did_you_mean(owner, shown.frame.rows) or f"rows: {', '.join(shown.frame.rows)}"
                    reading.mistake((*path, "snoopers", "owners", i), f"no row '{owner}'", hint)
    except PolicyError as error:
        reading.borrow(error, path)
    if len(reading.mistakes) > before:
        return None
    return Proposal(fields.get("report", "report"), shown, required, snoopers, report, search)


def search_of(reading: MistakeCollector, fields: Fields, path: Place) -> tuple[dict[str, Unread], bool]:
    """How a safe report is sought, and whether levels 2 are coarser forms of levels 3."""
    search = reading.fields(SearchSpec, fields.get("search", {}), (*path, "search"))
    if search.get("levels", "classic") not in ("classic", "nested"):
        reading.mistake((*path, "search", "levels"), "must be classic or nested")
    return search, search.get("levels") == "nested"


def snoopers_of(reading: MistakeCollector, snoopers: object, path: Place) -> Snoopers:
    if snoopers is None:
        return Snoopers()
    fields = reading.fields(SnoopersSpec, snoopers, path)
    owners = fields.get("owners", "known")
    if isinstance(owners, list):
        fields["owners"] = tuple(str(owner) for owner in owners)
    elif owners not in ("all", "known"):
        reading.mistake((*path, "owners"), "must be all, known, or a list of rows")
        return Snoopers()
    try:
        return Snoopers(**fields)
    except PolicyError as error:
        reading.borrow(error, path)
        return Snoopers()


def convention(table: Fields, sigma: str | None, nested: bool) -> Convention:
    """How figures are written; sigma must be said where there is one."""
    named = {}
    for key in ("bin", "sigma_bin", "cut"):
        if key in table:
            if not is_exact(table[key]):
                raise PolicyError(f"table.{key} must be a number of a size that a table can have")
            named[key] = exact(table[key])
            if key != "cut" and named[key] <= 0:
                raise PolicyError(f"table.{key} must be more than 0")
    if sigma not in (None, "sample", "population"):
        raise PolicyError("sigma must be sample (divided by n − 1) or population (by n)")
    decimals = table.get("decimals", 1)
    if not 0 <= decimals <= 12:
        raise PolicyError("table.decimals must be from 0 to 12")
    return Convention(decimals, "sample" if sigma != "population" else "population", nested, **named)


def _shown(
    reading: MistakeCollector, report: Report, table: Fields, publish: object, nested: bool, path: Place
) -> Publication:
    sigmas = {table.get("sigma")} - {None}
    if has_levels(table):
        said = [*_by_level(reading, publish, table, path)]
    else:
        if not isinstance(publish, dict) or not set(publish) <= {"rows", "columns"}:
            raise PolicyError("publish must hold rows and columns, such as rows: {center: mean}")
        said = [(("", axis), publish.get(axis), (*path, axis)) for axis in AXES]
    levels: dict[tuple[str, str], Levels] = {}
    for key, shown, place in said:
        named = reading.fields(LevelsSpec, shown or {}, place)
        sigmas |= {named.pop("sigma")} if "sigma" in named else set()
        levels[key] = Levels(**{one: level(reading, one, named[one], (*place, one), nested) for one in named})
    if len(sigmas) > 1:
        raise PolicyError("sigma is said in two ways — say it once")
    if not sigmas and any(one.dispersion == 3 or (nested and one.dispersion == 2) for one in levels.values()):
        raise PolicyError("sigma is published — say sigma: sample (divided by n − 1) or population (by n)")
    how = convention(table, next(iter(sigmas), None), nested)
    if has_levels(table):
        return Publication.of_levels(report, parts(levels), how)
    return Publication.of(report, levels["", "rows"], levels["", "columns"], how)


def _by_level(
    reading: MistakeCollector, publish: object, table: Fields, path: Place
) -> Iterator[tuple[tuple[str, str], object, Place]]:
    """What is said of each level and axis, and where."""
    for name, about in parts_written(reading, publish, table, path):
        yield from (((name, key), about[key], (*path, name, key)) for key in KEYS_OF_LEVEL if key in about)


def level(reading: MistakeCollector, key: str, value: object, path: Place, nested: bool) -> int:
    """A level by its name or number. What level 2 of dispersion is called depends on which levels are used."""
    known = levels_of(key, nested)
    if type(value) is int and value in (1, 2, 3):
        return value
    if not isinstance(value, str) or value not in known:
        hint = f"known: {', '.join(known)}, or 3, 2, 1"
        if isinstance(value, str) and value in LEVELS[key]:
            hint += f"; {value} is of {'classic' if nested else 'nested'} levels (`search: levels`)"
        reading.mistake(path, f"no such level of {key}", hint)
        return 1
    return known[value]


def _given(reading: MistakeCollector, table: Fields, fields: Fields, path: Place) -> Publication:
    """Figures as they were published, and the cells of some owners."""
    shown = fields["published"]
    known = fields.get("known") or {}
    for part, name in ((shown, "published"), (known, "known")):
        if not isinstance(part, dict) or not all(isinstance(one, dict) for one in part.values() if name == "known"):
            raise PolicyError(f"{name} must be a mapping of rows")
    lines = {axis: shown.get(axis) or {} for axis in AXES}
    for axis, by_name in lines.items():
        if not isinstance(by_name, dict):
            raise PolicyError(f"published.{axis} must be a mapping such as {{HMO1: {{mean: 58.0}}}}")
    if has_levels(table) and not isinstance(table.get("rows"), list):
        raise PolicyError("table.rows must list the rows of the lowest level")
    units = units_listed(table)
    everyone = {**table, "rows": [*table["rows"], *units]} if units else table
    names = {axis: _names(reading, axis, everyone, lines[axis], known, path) for axis in AXES}
    if reading.mistakes:
        raise PolicyError(())
    rows = names["rows"][: len(names["rows"]) - len(units)]
    frame = frame_of({**table, "rows": rows, "columns": names["columns"]})
    sigma = shown.get("sigma") or table.get("sigma")
    how = convention(table, sigma, False)
    figures = given_figures(reading, shown, how, "decimals" in table, sigma is not None, (*path, "published"), frame)
    try:
        truth = {(row, column): exact(value) for row, cells in known.items() for column, value in cells.items()}
    except ValueError:
        raise PolicyError("known must hold numbers") from None
    if not set(truth) <= set(frame.cells):
        raise PolicyError("known — holds a cell that is absent — take it out of one of them")
    if any(not frame.domain(cell)[0] <= value <= frame.domain(cell)[1] for cell, value in truth.items()):
        raise DataError("known — a cell lies outside the domain — correct it, or widen the domain")
    followed = frame.with_units(truth)
    if any(followed[cell] != value for cell, value in truth.items()):
        raise DataError("known — a unit's value is not that of the rows below it — leave out what follows from them")
    return Publication(frame, figures, followed, convention=how)


def _names(
    reading: MistakeCollector,
    axis: str,
    table: Fields,
    lines: Mapping[str, object],
    known: Mapping[str, Mapping[str, object]],
    path: Place,
) -> tuple[str, ...]:
    """Rows or columns: those listed, else those with figures, else those known.

    A name that is misspelt would count as one more line, and intervals would seem wider: it is a mistake.
    """
    listed_names = table[axis] if isinstance(table.get(axis), list) else []
    if any(name is None or isinstance(name, (bool, dict, list)) for name in listed_names):
        reading.mistake(
            (*path, "table", axis), "holds something that is not a name", "write names only; in quotes, if need be"
        )
    listed = [str(name) for name in listed_names]
    inner = [((*path, "known", row, c), c) for row, cells in known.items() for c in cells]
    places = [((*path, "known", row), row) for row in known] if axis == "rows" else inner
    names = listed or list(lines) or list(dict.fromkeys(name for _, name in places))
    for place, name in [*(((*path, "published", axis, name), name) for name in lines), *places]:
        if name not in names:
            where = f"table.{axis}" if listed else f"published.{axis}"
            hint = did_you_mean(str(name), names) or f"{where} names {', '.join(names)}"
            reading.mistake(
                place, f"no {axis.removesuffix('s')} '{name}' in {where}", f"{hint}; list all in table.{axis}"
            )
    return tuple(names)


def frame_of(table: Fields) -> Frame:
    """The frame of a table that lists its rows and columns, as published reports do."""
    rows, columns = (tuple(map(str, table[axis])) for axis in AXES)
    absent = table.get("absent") or {}
    if not isinstance(absent, dict) or not all(isinstance(missing, list) for missing in absent.values()):
        raise PolicyError("table.absent must be lists of columns by row, such as {HMO2: [Eye exam]}")
    cells = frozenset((str(row), str(column)) for row, missing in absent.items() for column in missing)
    if not all(row in rows and column in columns for row, column in cells):
        raise PolicyError("table.absent — names a row or column that is not there")
    return nested_frame(rows, columns, bounds_of(_domain(table["domain"]), columns), cells, listed(table, rows))


def _domain(domain: Domain) -> Domain:
    """A pair, or a pair for each column."""
    for pair in domain.values() if isinstance(domain, dict) else [domain]:
        numbers = isinstance(pair, list) and all(type(end) in (int, float) and is_exact(end) for end in pair)
        if not numbers or len(pair) != 2:
            raise PolicyError("table.domain must be the lowest and the highest value, such as [0, 100]")
    return domain


KEYS = ("table", "publish", "snoopers", "protect", "search")


@dataclass(frozen=True)
class ReportKeys:
    """One report of a policy."""

    name: str
    fields: Fields = field(repr=False)
    criteria: tuple[ByCell, ...]
    """The limits of `protect`."""
    snoopers: Snoopers
    search: Fields
    loaded: Proposal | None = field(default=None, repr=False)
    """The proposal itself, where a report file was loaded already."""

    def proposal(self, read: Source, reading: MistakeCollector | None = None, path: Place = ()) -> Proposal:
        """With its cells; PolicyError lists every name that is not in the table."""
        if self.loaded is not None:
            return self.loaded
        reading = reading or MistakeCollector(Document(), Path())
        table = {**self.fields["table"], "values": read}
        keys = {key: self.fields[key] for key in ("publish", "snoopers", "search") if self.fields.get(key) is not None}
        limits = self.fields.get("protect") or {"default": {"width": 0}}  # they may stand under `require` alone
        result = proposal(reading, {"report": self.name, "table": table, "protect": limits, **keys}, path)
        if result is None or reading.mistakes:
            raise PolicyError(reading.mistakes)
        return result


def report_keys(reading: MistakeCollector, name: str, fields: Fields, path: Place) -> ReportKeys:
    """The keys as far as they can be understood without the data; mistakes are in the reading."""
    table = reading.fields(TableSpec, fields["table"], (*path, "table"))
    for key in ("values", "absent"):
        if key in table:
            what = "cells are not written into a policy, whose hash is public"
            reading.mistake((*path, "table", key), what, "name their file under `read`; an empty cell is absent")
    search, nested = search_of(reading, fields, path)
    publish = fields.get("publish")
    if has_levels(table):
        for _, shown, place in _by_level(reading, publish, table, (*path, "publish")):
            _check_levels(reading, shown, place, nested)
    elif not isinstance(publish, dict) or not publish or not set(publish) <= {"rows", "columns"}:
        what = "a report says what it would publish of rows and of columns"
        reading.mistake((*path, "publish"), what, "such as publish: {columns: {center: mean}}")
    else:
        for axis, levels in publish.items():
            _check_levels(reading, levels, (*path, "publish", axis), nested)
    snoopers = snoopers_of(reading, fields.get("snoopers"), (*path, "snoopers"))
    cells: tuple[ByCell, ...] = ()
    if "protect" in fields:
        try:
            cells = criteria(reading, fields["protect"], (*path, "protect"), snoopers)
        except PolicyError as error:
            reading.borrow(error, (*path, "protect"))
    return ReportKeys(name, {key: fields[key] for key in KEYS if key in fields}, cells, snoopers, search)


def _check_levels(reading: MistakeCollector, levels: object, place: Place, nested: bool) -> None:
    for key, value in reading.fields(LevelsSpec, levels or {}, place).items():
        if key != "sigma":
            level(reading, key, value, (*place, key), nested)


@dataclass
class _PlacedMistakes(MistakeCollector):
    """Mistakes by their place in the policy; the caller knows the lines."""

    placed: list[Disagreement] = field(default_factory=list)

    def mistake(self, path: Place, what: str, hint: str = "", *, where: Place | None = None) -> None:
        super().mistake(path, what, hint, where=where)
        self.placed.append((path, what, hint, False))


def disagreements(
    keys: ReportKeys, read: Source, attacks: Sequence[ConfiguredAttack], path: Place
) -> list[Disagreement]:
    """All in which a report and its cells disagree."""
    reading = _PlacedMistakes(Document(), Path())
    try:
        publication = keys.proposal(read, reading, path).publication
        for attack in attacks:
            try:
                publication.knowledge(*(attack.built.rows if isinstance(attack.built, Snooper) else ()))
            except PolicyError as error:
                reading.borrow(error, attack.at)
    except PolicyError as error:
        if not reading.placed:
            reading.borrow(error, path)
    except SharewellError as error:
        what, _, hint = str(error).splitlines()[0].rpartition(" — ")
        readable = read.path is None or read.path.is_file()
        return [*reading.placed, ((*path, "read"), what or hint, hint if what else "", readable)]
    return reading.placed
