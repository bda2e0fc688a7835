"""`compare:` — the variants that `sharewell compare` puts side by side, as the policy names them."""

from __future__ import annotations

from sharewell.io.yaml_positions import Path as Place
from sharewell.plain_data import Json
from sharewell.policy.algorithms import listed, named
from sharewell.policy.bounds import unbound
from sharewell.policy.mistakes import MistakeCollector
from sharewell.policy.model import Compare, ConfiguredAttack, ConfiguredCriterion
from sharewell.policy.specs import CompareSpec


def compare(reading: MistakeCollector, kind: str, given: Json, path: Place) -> Compare:
    """What could be understood of the section; whether a mechanism suits a list of criteria is told by the result."""
    fields = reading.fields(CompareSpec, given, path)
    risk, part = risk_of(reading, kind, fields.get("risk"), (*path, "risk"))
    given = fields.get("measure")
    measure = None if given is None else named(reading, kind, "utility", given, (*path, "measure"))
    unbound(reading, measure, (*path, "measure"))
    return Compare(
        tuple(fields.get("k", [])),
        _lists(reading, kind, fields.get("require", []), (*path, "require")),
        listed(reading, kind, "mechanisms", fields.get("using", []), (*path, "using")),
        risk,
        part,
        measure,
    )


def risk_of(reading: MistakeCollector, kind: str, given: Json, path: Place) -> tuple[ConfiguredAttack | None, str]:
    """An attack, and the detail of its finding that is meant: `prosecutor.average`."""
    if given is None:
        return None, ""
    part = ""
    if isinstance(given, str):
        given, _, part = given.partition(".")
    return named(reading, kind, "attacks", given, path), part


def _lists(
    reading: MistakeCollector, kind: str, given: list[Json], path: Place
) -> tuple[tuple[ConfiguredCriterion, ...], ...]:
    lists = []
    for i, items in enumerate(given):
        if not isinstance(items, list) or not items:
            reading.mistake((*path, i), "must be a list of criteria", "such as - [k-anonymity: {k: 5}, l-diversity]")
            continue
        criteria = listed(reading, kind, "criteria", items, (*path, i))
        for one in criteria:
            if one.rungs:
                reading.mistake(one.at, "strictest has no place in a comparison", "name the values to be compared")
        lists.append(criteria)
    return tuple(lists)
