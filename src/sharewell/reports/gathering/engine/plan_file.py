"""A plan as a file: YAML to a `Plan`, or one PolicyError that lists every mistake with its line.

gathering: diabetes-2026
measures: {HbA1c: [0, 100], Eye exam: [0, 100]}
owners: {HMO1: HMO1.pub, HMO2: HMO2.pub, HMO3: HMO3.pub, HMO4: HMO4.pub}    # made by `sharewell keygen`
threshold: 3
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sharewell.errors import DataError, PolicyError
from sharewell.io.signatures import load_public
from sharewell.io.sources import Source
from sharewell.policy.mistakes import Reading
from sharewell.reports.figures.data import exact
from sharewell.reports.gathering.engine.plan import Bounds, Plan


@dataclass(frozen=True)
class WrittenPlan:
    """The keys of a plan file."""

    gathering: str
    measures: Any
    owners: Any
    threshold: int = 0
    decimals: int = 1
    squares: bool = True
    row_means: bool = False
    show_owners: bool = False
    sigma: str = "sample"
    protect: dict[str, object] | None = None


def load_plan(path: Path | str) -> Plan:
    """The plan of a file; keys are named by the .pub files that `keygen` wrote, relative to it."""
    path = Path(path)
    reading, _ = Reading.of_file(path)
    if not reading.mistakes:
        fields = reading.fields(WrittenPlan, reading.document.plain if reading.document.plain is not None else {}, ())
        measures, owners = _measures(reading, fields.get("measures")), _owners(reading, fields.get("owners"))
        if fields.get("threshold", 1) < 1:
            reading.mistake(("threshold",), "must be at least 1", "leave it out for the smallest majority")
        if not reading.mistakes:
            given = ("threshold", "decimals", "squares", "row_means", "show_owners", "sigma", "protect")
            rest = {key: fields[key] for key in given if key in fields}
            try:
                return Plan(fields["gathering"], owners, measures, **rest)
            except PolicyError as error:
                reading.borrow(error, ())
    raise PolicyError(reading.mistakes, path.name)


def read_row(path: Path | str) -> dict[str, object]:
    """One owner's row: a table with a measure in each column, and one line of values."""
    found = Source.of(path)
    table = found.read().to_pydict()
    lines = len(next(iter(table.values()), []))
    if lines != 1:
        raise DataError(f"{found.label} — {lines} lines of values — an owner's file has one, with a column a measure")
    return {name: values[0] for name, values in table.items()}


def _measures(reading: Reading, given: object) -> dict[str, Bounds]:
    if not isinstance(given, dict):
        reading.mistake(("measures",), "must be a mapping of measures to their ranges", "such as HbA1c: [0, 100]")
        return {}
    found = {}
    for name, pair in given.items():
        if isinstance(pair, list) and len(pair) == 2 and all(type(end) in (int, float) for end in pair):
            found[name] = (exact(pair[0]), exact(pair[1]))
        else:
            reading.mistake(("measures", name), "must be the lowest and the highest value", "such as [0, 100]")
    return found


def _owners(reading: Reading, given: object) -> dict[str, bytes]:
    if not isinstance(given, dict):
        reading.mistake(("owners",), "must be a mapping of owners to their public keys", "such as HMO1: HMO1.pub")
        return {}
    found = {}
    for name, file in given.items():
        try:
            found[name] = bytes(load_public(reading.base / str(file)).public_bytes_raw())
        except DataError as error:
            reading.mistake(("owners", name), str(error))
    return found
