"""`protect`: limits for all cells, for an owner's row, or for one cell, turned into criteria."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from sharewell.errors import PolicyError
from sharewell.policy.positions import Path as Place
from sharewell.policy.reading import Reading
from sharewell.reports.criteria.entropy import Entropy
from sharewell.reports.criteria.protection import Protection
from sharewell.reports.criteria.width import Width
from sharewell.reports.model import Cell, Frame
from sharewell.reports.snoopers import Snoopers
from sharewell.roles import did_you_mean

LIMITS = ("width", "below", "above", "entropy", "grain")
DEFAULT = "default"
Given = dict[str, Any]


def criteria(reading: Reading, given: Any, frame: Frame, at: Place, snoopers: Snoopers) -> tuple[Any, ...]:
    """Width, protection and entropy, as far as limits were given. A cell's override its row's, those the default."""
    if not isinstance(given, dict) or not given:
        raise PolicyError("protect is missing — say what must stay open, such as protect: {default: {width: 5}}")
    default = _limits(reading, given.get(DEFAULT, {}), (*at, DEFAULT))
    by_cell: dict[Cell, Given] = {cell: dict(default) for cell in frame.cells}
    for row, own in given.items():
        if row == DEFAULT:
            continue
        if row not in frame.rows:
            reading.mistake((*at, row), f"no row '{row}'", did_you_mean(row, frame.rows) or ", ".join(frame.rows))
        elif not isinstance(own, dict):
            reading.mistake((*at, row), "must be a mapping of columns or limits")
        else:
            _row(reading, row, own, by_cell, frame, (*at, row))
    who: Given = {field.name: getattr(snoopers, field.name) for field in fields(snoopers)}
    found: list[Any] = []
    widths = _of(by_cell, "width")
    if widths:
        found.append(Width(cells=widths, **who))
    protected: dict[str, dict[str, Given]] = {}
    for (row, column), limits in by_cell.items():
        if "below" in limits or "above" in limits:
            protected.setdefault(row, {})[column] = {end: limits.get(end) for end in ("below", "above")}
    if protected:
        found.append(Protection(cells=protected, **who))
    for grain in sorted({limits.get("grain", 0.1) for limits in by_cell.values() if "entropy" in limits}):
        bits = _of({cell: own for cell, own in by_cell.items() if own.get("grain", 0.1) == grain}, "entropy")
        found.append(Entropy(grain=grain, cells=bits, **who))
    if not found and not reading.mistakes:
        reading.mistake(at, "no limit at all", f"known: {', '.join(LIMITS)}")
    return tuple(found)


def _row(
    reading: Reading, row: str, own: Mapping[str, Any], by_cell: dict[Cell, Given], frame: Frame, at: Place
) -> None:
    """Limits of the whole row first, then those of its cells."""
    rest = {key: value for key, value in own.items() if key not in frame.columns and key != DEFAULT}
    unknown = [key for key, value in rest.items() if isinstance(value, dict)]
    for key in unknown:
        reading.mistake((*at, key), f"no column '{key}'", did_you_mean(key, frame.columns) or ", ".join(frame.columns))
        rest.pop(key)
    whole = _limits(reading, rest, at) | _limits(reading, own.get(DEFAULT, {}), (*at, DEFAULT))
    for column in frame.columns:
        if (row, column) in by_cell:
            by_cell[row, column] |= whole
            if column in own:
                by_cell[row, column] |= _limits(reading, own[column], (*at, column))


def _limits(reading: Reading, given: Any, at: Place) -> Given:
    if not isinstance(given, dict):
        reading.mistake(at, "must be a mapping of limits", f"known: {', '.join(LIMITS)}")
        return {}
    found = {}
    for key, value in given.items():
        if key not in LIMITS:
            reading.mistake((*at, key), f"unknown limit '{key}'", did_you_mean(key, LIMITS) or ", ".join(LIMITS))
        elif not isinstance(value, (int, float)) or isinstance(value, bool) or value < 0:
            reading.mistake((*at, key), f"{key} must be a number, 0 or more")
        elif key == "grain" and value == 0:
            reading.mistake((*at, key), "grain must be more than 0")
        else:
            found[key] = value
    return found


def _of(by_cell: Mapping[Cell, Given], key: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for (row, column), limits in by_cell.items():
        if key in limits:
            found.setdefault(row, {})[column] = limits[key]
    return found
