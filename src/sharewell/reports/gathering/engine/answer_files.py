"""Randomised answers as files: one patient a row in, one set of answers a row out, sorted, and nobody named."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sharewell.errors import DataError, PolicyError
from sharewell.io.sources import Source
from sharewell.io.writing import read_json, refuse_existing, write_json, write_table
from sharewell.keys import Key
from sharewell.reports.gathering.mechanisms.randomised_response import Estimate, RandomisedResponse
from sharewell.spelling import fold


def randomise_file(
    path: Path, *, subject: str, columns: Sequence[str], values: tuple[str, ...], epsilon: float, key: Key, out: Path
) -> dict[str, object]:
    """Write the answers, and beside them what is needed to estimate. `epsilon` is for all answers of one patient."""
    import pyarrow as pa

    settings_file = _beside(out)
    refuse_existing(out)
    refuse_existing(settings_file)
    try:
        mechanism = RandomisedResponse(epsilon / len(columns), values)
    except ValueError as error:
        raise PolicyError(str(error)) from None
    source = Source.of(path)
    table = _table(source, subject, columns)
    people = table[subject]
    answers = []
    for column in columns:
        truth = {patient: value for patient, value in zip(people, table[column], strict=True) if patient is not None}
        answers.append(mechanism.answers(truth, key, column).values())
    rows = sorted(zip(*answers, strict=True))
    settings = {
        "people": len(rows),
        "epsilon_of_a_patient": epsilon,
        "epsilon_of_an_answer": mechanism.epsilon,
        "probability_to_stay": mechanism.stay,
        "values": list(values),
        "columns": list(columns),
    }
    write_table(out, pa.table({name: [row[i] for row in rows] for i, name in enumerate(columns)}), "csv")
    write_json(settings_file, settings)
    return settings


def estimate_file(path: Path) -> dict[str, Estimate]:
    """The true shares behind a file of answers."""
    settings = read_json(_beside(path))
    try:
        mechanism = RandomisedResponse(float(settings["epsilon_of_an_answer"]), tuple(map(str, settings["values"])))
        columns = [str(name) for name in settings["columns"]]
    except (KeyError, TypeError, ValueError):
        raise DataError(f"{_beside(path).name} — not what randomise wrote — make it anew") from None
    table = Source.of(path).read(columns).to_pydict()
    return {name: mechanism.estimate(table[name]) for name in columns}


def _table(source: Source, subject: str, columns: Sequence[str]) -> dict[str, list[str | None]]:
    names = source.names()
    missing = [name for name in (subject, *columns) if name not in names]
    if missing or len({subject, *columns}) < len(columns) + 1:
        raise DataError(f"{source.label} — no column {', '.join(missing) or '(one is named twice)'} — check the names")
    table: dict[str, list[object]] = source.read([subject, *columns]).to_pydict()
    people = table[subject]
    if None in people or len({fold(str(one)) for one in people}) < len(people):
        raise DataError(f"{source.label} — patients without a name or in several rows — one row a patient is needed")
    return {name: [None if cell is None else str(cell) for cell in cells] for name, cells in table.items()}


def _beside(path: Path) -> Path:
    return path.with_name(path.name + ".json")
