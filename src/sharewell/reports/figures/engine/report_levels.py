"""What a report file says of levels: which there are, what is published about each, and figures within them.

With `table: {levels: [physician, plan]}`, columns of the values name each row's unit. With a mapping, such as
`levels: {physician: {P: [a, b]}}`, units are listed with those directly below, the lowest level first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from sharewell.errors import PolicyError
from sharewell.io.yaml_positions import Path as Place
from sharewell.policy.mistakes import MistakeCollector
from sharewell.reports.figures.data import Domain, Figure, Frame, Levels, Part, Report
from sharewell.reports.figures.engine.nesting import ROLL_UPS, Nesting, nesting_of_rows
from sharewell.roles import did_you_mean

Fields = Mapping[str, Any]
KEYS: tuple[Literal["rows", "columns", "within"], ...] = ("rows", "columns", "within")
_FORM = "table.levels must list columns of the values, or units by level, such as {physician: {P1: [patient1]}}"


def has_levels(table: Fields) -> bool:
    return table.get("levels") is not None


def report_of(table: Fields, values: Mapping[str, Mapping[str, object]], domain: Domain) -> Report:
    """The confidential table, with the units of all levels where there are several."""
    if not has_levels(table):
        return Report.of(values, domain=domain)
    levels = table["levels"]
    if isinstance(levels, dict):
        return Report.of(values, domain=domain, nesting=listed(table, tuple(values)))
    if not isinstance(levels, list) or not levels or not all(isinstance(name, str) for name in levels):
        raise PolicyError(_FORM)
    if len({*levels, _lowest(table)}) <= len(levels):
        raise PolicyError("table.levels — names a level twice — name each once, the lowest first")
    lacking = [name for name in levels if not any(name in row for row in values.values())]
    if lacking:
        raise PolicyError(f"table.levels — the values have no column {', '.join(lacking)} — name their columns")
    cells, nesting = nesting_of_rows(values, _lowest(table), levels, _roll_up(table), _public(table))
    return Report.of(cells, domain=domain, nesting=nesting)


def listed(table: Fields, rows: tuple[str, ...]) -> Nesting | None:
    """Levels whose units are listed; None if there is only one level."""
    if not has_levels(table):
        return None
    levels = table["levels"]
    if not isinstance(levels, dict) or not levels:
        raise PolicyError(_FORM)
    for units in levels.values():
        if not isinstance(units, dict) or not all(isinstance(members, list) and members for members in units.values()):
            raise PolicyError(_FORM)
    above = {
        str(level): {str(unit): [str(name) for name in members] for unit, members in units.items()}
        for level, units in levels.items()
    }
    return Nesting.of(_lowest(table), rows, above, _roll_up(table), _public(table))


def units_listed(table: Fields) -> list[str]:
    """The names of all units above the lowest level, as far as they are listed."""
    if not has_levels(table):
        return []
    levels = table["levels"]
    if not isinstance(levels, dict) or not all(isinstance(units, dict) for units in levels.values()):
        raise PolicyError(_FORM)
    return [str(unit) for units in levels.values() for unit in units]


def described(frame: Frame) -> dict[str, object]:
    """The keys of a table that say what its levels are; PolicyError unless they may be published."""
    nesting = frame.nesting
    if nesting is None:
        return {}
    if not nesting.names_public:
        what = f"the names of all {len(frame.rows)} units would be published, and who belongs to whom"
        raise PolicyError(f"table.names — {what} — give people pseudonyms, and say names: public")
    above = [(level, units) for level, units in nesting.levels.items() if level != nesting.lowest]
    return {
        "lowest": nesting.lowest,
        "levels": {level: {unit: [*nesting.members[unit]] for unit in units} for level, units in above},
        "roll_up": nesting.roll_up,
        "names": "public",
    }


def level_names(table: Fields) -> tuple[str, ...]:
    """The names of all levels, the lowest first."""
    levels = table.get("levels")
    return (_lowest(table), *map(str, levels if isinstance(levels, (list, dict)) else ()))


def parts_written(reading: MistakeCollector, publish: object, table: Fields, path: Place) -> Iterator[tuple[str, Any]]:
    """Each level of `publish` with its settings; mistakes are collected in `reading`, and such levels left out."""
    known = level_names(table)
    if not isinstance(publish, dict) or not publish:
        reading.mistake(path, "must say for each level what is published", f"such as {known[-1]}: {{columns: …}}")
        return
    for level, about in publish.items():
        if level not in known:
            reading.mistake((*path, level), f"no level '{level}'", did_you_mean(str(level), known) or ", ".join(known))
        elif not isinstance(about, dict) or not about or not set(about) <= set(KEYS):
            reading.mistake((*path, level), "must hold rows, columns or within", "such as columns: {center: mean}")
        elif level == known[0] and "within" in about:
            reading.mistake((*path, level, "within"), "nothing is below the lowest level", "take it out")
        else:
            yield level, about


def parts(levels: Mapping[tuple[str, str], Levels]) -> list[Part]:
    """Parts of a publication, in a fixed order."""
    return [Part(level, key, shown) for (level, about), shown in levels.items() for key in KEYS if key == about]


def scopes(reading: MistakeCollector, within: object, frame: Frame, path: Place) -> Iterator[tuple[str, str, Any]]:
    """(unit or level, column, its measures) of `published.within`."""
    known = () if frame.nesting is None else (*frame.nesting.levels, *frame.nesting.members)
    if not isinstance(within, dict):
        reading.mistake(path, "must be a mapping of levels or units", "such as {plan: {HbA1c: {mean: 83.0}}}")
        return
    for scope, lines in within.items():
        if scope not in known or not isinstance(lines, dict):
            reading.mistake((*path, scope), f"no level or unit '{scope}' with figures", did_you_mean(str(scope), known))
            continue
        for column, measures in lines.items():
            if column not in frame.columns or not frame.line("columns", column, scope):
                hint = did_you_mean(str(column), frame.columns) or ", ".join(frame.columns)
                reading.mistake((*path, scope, column), f"no column '{column}' there", hint)
            elif not isinstance(measures, dict):
                reading.mistake((*path, scope, column), "must be a mapping such as {mean: 58.0}")
            else:
                yield scope, column, measures


OF_COLUMN = "column of "
"""How records write of which level or unit a column is."""


def of_whom(figure: Figure) -> str:
    """What a record says a figure is about."""
    return f"{OF_COLUMN}{figure.within}" if figure.within else figure.axis.removesuffix("s")


def _lowest(table: Fields) -> str:
    """`rows` names the column of the lowest level, and so the level itself."""
    rows = table.get("rows")
    return str(table["lowest"]) if table.get("lowest") else rows if isinstance(rows, str) else "row"


def _roll_up(table: Fields) -> Literal["mean", "sum"]:
    wanted = table.get("roll_up") or "mean"
    if wanted not in ROLL_UPS:
        raise PolicyError("table.roll_up must be mean or sum")
    return "sum" if wanted == "sum" else "mean"


def _public(table: Fields) -> bool:
    if table.get("names") not in (None, "public"):
        raise PolicyError("table.names must be public, or left out")
    return table.get("names") == "public"
