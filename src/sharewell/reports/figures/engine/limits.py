"""`protect`: limits for all cells, for an owner's row, or for one cell, turned into criteria.

>>> from pathlib import Path
>>> from sharewell.io.yaml_positions import parse
>>> text = "{default: {width: 5}, B: {width: 8, x: {below: 3, above: 3}}}"
>>> document = parse(text)
>>> for one in criteria(MistakeCollector(document, Path()), document.plain, (), Snoopers()):
...     print(one.name, one.usual, one.cells)
width 5 {'B': {'default': 8}}
protection None {'B': {'x': {'below': 3, 'above': 3}}}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from sharewell.errors import PolicyError
from sharewell.io.yaml_positions import Path as Place
from sharewell.policy.mistakes import MistakeCollector
from sharewell.reports.figures.criteria.entropy import Entropy
from sharewell.reports.figures.criteria.protection import Protection
from sharewell.reports.figures.criteria.width import Width
from sharewell.reports.figures.data import Frame
from sharewell.reports.figures.engine.checks.cell_limits import REST, ByCell
from sharewell.reports.figures.engine.needs import Snoopers
from sharewell.roles import did_you_mean

LEVELS = "levels"
"""The key of limits for all units of a level; they hold beside the others."""
LIMITS = ("width", "below", "above", "entropy", "grain")
GRAIN = 0.1
Limits = dict[str, float]

Limit = TypeVar("Limit")


@dataclass(frozen=True)
class _Row:
    """Limits of the rest of a row, and of its cells that have their own."""

    rest: Limits
    cells: Mapping[str, Limits]


def criteria(reading: MistakeCollector, protect: object, path: Place, snoopers: Snoopers) -> tuple[ByCell, ...]:
    """Width, protection and entropy, as far as limits were given. A cell's override its row's, those the default."""
    if not isinstance(protect, dict) or not protect:
        raise PolicyError("protect is missing — say what must stay open, such as protect: {default: {width: 5}}")
    before = len(reading.mistakes)
    criteria_found = _criteria(reading, {row: one for row, one in protect.items() if row != LEVELS}, path, snoopers)
    if LEVELS in protect:
        by_level = protect[LEVELS]
        if not isinstance(by_level, dict) or REST in by_level:
            reading.mistake((*path, LEVELS), "must be a mapping of levels", "such as levels: {physician: {width: 5}}")
        else:
            criteria_found += _criteria(reading, by_level, (*path, LEVELS), snoopers)
    if not criteria_found and len(reading.mistakes) == before:
        reading.mistake(path, "no limit at all", f"known: {', '.join(LIMITS)}")
    return tuple(criteria_found)


def _criteria(
    reading: MistakeCollector, protect: Mapping[str, object], path: Place, snoopers: Snoopers
) -> list[ByCell]:
    usual = _limits(reading, protect.get(REST, {}), (*path, REST))
    rows = {row: _row(reading, by_cell, usual, (*path, row)) for row, by_cell in protect.items() if row != REST}
    simulated = snoopers.who
    criteria_found: list[ByCell] = []
    widest, by_cell = _by_cell(usual, rows, lambda limits: limits.get("width"))
    if widest is not None or by_cell:
        criteria_found.append(Width(least=widest, cells=by_cell, **simulated))
    sides, around = _by_cell(usual, rows, _sides)
    if sides is not None or around:
        below, above = (None, None) if sides is None else (sides["below"], sides["above"])
        criteria_found.append(Protection(below=below, above=above, cells=around, **simulated))
    every = [usual, *(one for row in rows.values() for one in (row.rest, *row.cells.values()))]
    for grain in sorted({limits.get("grain", GRAIN) for limits in every if "entropy" in limits}):
        bits, by_cell = _by_cell(usual, rows, partial(_bits, grain))
        criteria_found.append(Entropy(bits=bits, grain=grain, cells=by_cell, **simulated))
    return criteria_found


def check_names(
    reading: MistakeCollector, protect: Mapping[str, Mapping[str, object]], frame: Frame, path: Place
) -> None:
    """Are all rows and columns of `protect` those of the table?"""
    levels = () if frame.nesting is None else tuple(frame.nesting.levels)
    rows = {(*path, row): (row, of_row, frame.rows, "row") for row, of_row in protect.items() if row != LEVELS}
    for level, of_level in protect.get(LEVELS, {}).items():
        rows[*path, LEVELS, level] = (level, of_level, levels, "level")  # type: ignore[assignment]
    for place, (row, of_row, known, what) in rows.items():
        if row == REST:
            continue
        if row not in known:
            reading.mistake(place, f"no {what} '{row}'", did_you_mean(row, known) or ", ".join(known))
        for column in [key for key, value in of_row.items() if isinstance(value, dict) and key != REST]:
            if column not in frame.columns:
                hint = did_you_mean(column, frame.columns) or ", ".join(frame.columns)
                reading.mistake((*place, column), f"no column '{column}'", hint)


def _row(reading: MistakeCollector, of_row: object, usual: Limits, path: Place) -> _Row:
    """Limits of the whole row first, then those of its cells."""
    if not isinstance(of_row, dict):
        reading.mistake(path, "must be a mapping of columns or limits")
        return _Row(usual, {})
    row_limits = {key: value for key, value in of_row.items() if not isinstance(value, dict)}
    rest = usual | _limits(reading, row_limits, path) | _limits(reading, of_row.get(REST, {}), (*path, REST))
    inner = {key: value for key, value in of_row.items() if key not in row_limits and key != REST}
    return _Row(rest, {column: rest | _limits(reading, value, (*path, column)) for column, value in inner.items()})


def _limits(reading: MistakeCollector, limits: object, path: Place) -> Limits:
    if not isinstance(limits, dict):
        reading.mistake(path, "must be a mapping of limits", f"known: {', '.join(LIMITS)}")
        return {}
    valid: Limits = {}
    for key, value in limits.items():
        if key not in LIMITS:
            reading.mistake((*path, key), f"unknown limit '{key}'", did_you_mean(key, LIMITS) or ", ".join(LIMITS))
        elif not isinstance(value, (int, float)) or isinstance(value, bool) or value < 0:
            reading.mistake((*path, key), f"{key} must be a number, 0 or more")
        elif key == "grain" and value == 0:
            reading.mistake((*path, key), "grain must be more than 0")
        else:
            valid[key] = value
    return valid


def _sides(limits: Limits) -> dict[str, float | None] | None:
    if not {"below", "above"} & set(limits):
        return None
    return {"below": limits.get("below"), "above": limits.get("above")}


def _bits(grain: float, limits: Limits) -> float | None:
    return limits.get("entropy") if limits.get("grain", GRAIN) == grain else None


def _by_cell(
    usual: Limits, rows: Mapping[str, _Row], limit: Callable[[Limits], Limit]
) -> tuple[Limit, dict[str, dict[str, Limit]]]:
    """One limit for all, and only where they differ those of rows (`default`) and of cells."""
    cells: dict[str, dict[str, Limit]] = {}
    for name, row in rows.items():
        different = {REST: limit(row.rest)} if limit(row.rest) != limit(usual) else {}
        different |= {column: limit(one) for column, one in row.cells.items() if limit(one) != limit(row.rest)}
        if different:
            cells[name] = different
    return limit(usual), cells
