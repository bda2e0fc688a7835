"""From a name and its parameters to a built criterion, mechanism, attack or measure.

An item of a list is a bare name, or a mapping of one name to its parameters. The parameters are the fields of the
algorithm's dataclass. One rule for evidence: a field named `population`, or annotated as a `Source`, takes a source
mapping such as `{csv: register.csv}`. One rule for columns: a criterion with a field `column` judges sensitive columns.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import is_dataclass
from typing import Any, get_args

from sharewell import registry
from sharewell.errors import DataError, PolicyError
from sharewell.io.sources import Source
from sharewell.policy.model import Named
from sharewell.policy.positions import Path as Place
from sharewell.policy.reading import Reading, hints_of, known_fields, required
from sharewell.policy.sources import source
from sharewell.roles import did_you_mean

AUTO = "auto"


def evidence(algorithm: Any) -> list[str]:
    """The names of the fields that take a source."""
    hints = hints_of(algorithm)
    annotated = {name for name, hint in hints.items() if Source in (hint, *get_args(hint))}
    return [name for name in known_fields(algorithm) if name == "population" or name in annotated]


def listed(reading: Reading, kind: str, room: str, items: list[Any], path: Place) -> tuple[Named, ...]:
    """Every algorithm of a list that could be built."""
    built = [named(reading, kind, room, item, (*path, i)) for i, item in enumerate(items)]
    good = [one for one in built if one is not None]
    for i, one in enumerate(good):
        if any(one.name == other.name and one.parameters == other.parameters for other in good[:i]):
            reading.mistake(one.at, f"'{one.name}' stands twice with the same parameters", "keep one")
    return tuple(good)


def named(reading: Reading, kind: str, room: str, item: Any, path: Place) -> Named | None:
    """One algorithm, or nothing if there is a mistake in it."""
    split = _split(reading, item, path)
    if split is None:
        return None
    name, given, at = split
    try:
        algorithm = registry.lookup(kind, room, name)
    except PolicyError as error:
        reading.borrow(error, at)
        return None
    if not is_dataclass(algorithm):
        reading.mistake(at, f"'{name}' is not a dataclass, so a policy cannot set its parameters")
        return None
    return _build(reading, name, algorithm, given, at)


def _split(reading: Reading, item: Any, path: Place) -> tuple[str, dict[str, Any], Place] | None:
    """(name, parameters, where the name stands)."""
    if isinstance(item, str):
        return item, {}, path
    if not isinstance(item, dict) or not item:
        reading.mistake(path, "must be a name, or a name with its parameters", "such as k-anonymity: {k: 5}")
        return None
    name, given = next(iter(item.items()))
    at = (*path, name)
    if len(item) > 1:
        hint = "indent the parameters below the name" if given is None else "begin each name with its own hyphen"
        reading.mistake(at, f"{len(item)} keys where one name was expected", hint)
        return None
    if given is not None and not isinstance(given, dict):
        reading.mistake(at, "parameters must be a mapping", f"such as {name}: {{name: value}}")
        return None
    return name, given or {}, at


def _build(reading: Reading, name: str, algorithm: Any, given: dict[str, Any], at: Place) -> Named | None:
    before = len(reading.mistakes)
    apart = evidence(algorithm)
    parameters = reading.fields(algorithm, given, at, noun="parameter", apart=apart)
    for key in apart:
        if key in parameters:
            parameters[key] = source(reading, parameters[key], (*at, key))
    if len(reading.mistakes) > before:
        return None
    try:
        return Named(name, parameters, algorithm(**parameters), at=at)
    except PolicyError as error:
        reading.borrow(error, at)
    except (ValueError, TypeError, DataError) as error:
        what = str(error)
        first = what.split(maxsplit=1)[0] if what.strip() else ""
        reading.mistake((*at, first) if first in parameters else at, what or "a bad value")
    return None


def check_columns(
    reading: Reading, criteria: Collection[Named], known: Collection[str], sensitive: Collection[str], open_ended: bool
) -> None:
    """Criteria about sensitive columns need them. With `rest:` the columns are known only with the data."""
    for one in criteria:
        if "column" not in known_fields(type(one.built)) or open_ended:
            continue
        wanted = one.built.column
        if wanted is None and not sensitive:
            reading.mistake(one.at, f"'{one.name}' needs a column with the role sensitive", "give one, or leave it out")
        elif wanted is not None and wanted not in known:
            reading.mistake((*one.at, "column"), f"no column '{wanted}' in `columns`", did_you_mean(str(wanted), known))
        elif wanted is not None and wanted not in sensitive:
            reading.mistake((*one.at, "column"), f"column '{wanted}' does not have the role sensitive")


def mechanism(
    reading: Reading, kind: str, given: Any, criteria: Collection[Named], path: Place
) -> tuple[Named | None, str]:
    """The mechanism and, where it was left to us, what was decided."""
    if given == AUTO or (isinstance(given, dict) and list(given) == [AUTO]):
        return _automatic(reading, kind, criteria, path)
    chosen = named(reading, kind, "mechanisms", given, path)
    if chosen is not None:
        for one in criteria:
            if not registry.compatible(type(chosen.built), type(one.built)):
                what = f"'{chosen.name}' cannot make '{one.name}' hold"
                reading.mistake(path if one.from_profile else one.at, what, "choose another mechanism, or using: auto")
    return chosen, ""


def _automatic(reading: Reading, kind: str, criteria: Collection[Named], path: Place) -> tuple[Named | None, str]:
    """The first mechanism, with its defaults, that can make every criterion hold; mondrian before others."""
    for entry in sorted(registry.entries(kind, "mechanisms"), key=lambda entry: (entry.name != "mondrian", entry.name)):
        candidate = entry.load()
        fits = is_dataclass(candidate) and all(registry.compatible(candidate, type(one.built)) for one in criteria)
        if fits and not _needed(candidate):
            return Named(entry.name, {}, candidate(), at=path), f"using: auto is {entry.name}"
    wanted = ", ".join(one.name for one in criteria) or "the criteria"
    reading.mistake(path, f"no mechanism can make all of these hold: {wanted}", "leave one out")
    return None, ""


def _needed(algorithm: Any) -> list[str]:
    return [name for name, one in known_fields(algorithm).items() if required(one)]
