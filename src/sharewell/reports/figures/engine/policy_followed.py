"""Was the policy followed? The domain told and the limits in the evidence, against the policy that lies beside it.

Limits of single owners stand in no certificate. A steward finds them twice in the internal folder: in the evidence, by
which a release is judged, and in the policy, whose hash is certified. Evidence that asks for less proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from sharewell.errors import PolicyError
from sharewell.io.yaml_positions import Document
from sharewell.policy.mistakes import Reading
from sharewell.reports.figures.criteria.protection import Protection
from sharewell.reports.figures.data import Publication, bounds_of, exact, is_exact
from sharewell.reports.figures.engine.checks.cell_limits import ByCell
from sharewell.reports.figures.engine.limits import criteria
from sharewell.reports.figures.engine.snoopers import Snoopers

_WHO = {"inside", *(one.name for one in fields(Snoopers))}


def departures(data: Publication, name: str, document: Document) -> Iterator[str]:
    """What the evidence and the description of a report say otherwise than its policy, or its own file."""
    asked = _inside(_inside(document.plain, "datasets"), name) or document.plain
    domain = _inside(_inside(asked, "table"), "domain")
    if domain is not None and bounds_of(domain, data.frame.columns) != data.frame.bounds:
        yield "the domain told is not that of the policy in the internal folder"
    known = _inside(asked, "known")
    if data.proof is not None and isinstance(known, Mapping):
        rows = {(row, column): exact(value) for row, cells in known.items() for column, value in cells.items()}
        if rows != data.truth:
            yield "the rows in the evidence are not those that the file in the internal folder calls known"
    if data.proof is not None:
        wanted = list(_wanted(asked))
        kinds = {one.name: type(one) for one in wanted}
        limits = [one for one in data.proof.limits if one["name"] in kinds]
        kept = [_plainly(kinds[one["name"]](**one["parameters"])) for one in limits]
        if any(_plainly(one) not in kept for one in wanted):
            yield "the limits in the evidence are not those of the policy in the internal folder"


def _wanted(asked: object) -> Iterator[ByCell]:
    """Criteria with limits that no certificate shows."""
    if (given := _inside(asked, "protect")) is not None:
        reading = Reading(Document(), Path())
        yield from criteria(reading, given, (), Snoopers())
        if reading.mistakes:
            raise PolicyError(reading.mistakes)
    for item in _inside(asked, "require") or ():
        if isinstance(sides := _inside(item, Protection.name), Mapping):
            yield Protection(**sides)


def _inside(plain: object, key: str) -> Any:
    return plain.get(key) if isinstance(plain, Mapping) else None


def _plainly(value: object) -> object:
    """A criterion without who snoops, so that the same limits are the same, however they were written."""
    if isinstance(value, Mapping):
        return {str(key): _plainly(one) for key, one in value.items()}
    if isinstance(value, ByCell):
        told = {name: _plainly(one) for name, one in asdict(value).items() if name not in _WHO}
        return {"name": value.name, **told}
    return exact(value) if is_exact(value) else value
