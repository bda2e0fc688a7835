"""Criteria as a certificate embeds them: built again from their parameters, or taken at its word."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Literal, get_args, get_origin, get_type_hints

from sharewell import registry
from sharewell.errors import DataError, PolicyError
from sharewell.findings import Finding, Tier
from sharewell.plain_data import Hint, Json, JsonObject
from sharewell.policy.mistakes import known_fields
from sharewell.policy.sources import evidence as evidence_of
from sharewell.protocols import AnyCriterion

if TYPE_CHECKING:
    from sharewell.pipeline.evidence import EvidenceStore


def criterion(kind: str, item: Mapping[str, Json], evidence: EvidenceStore) -> tuple[AnyCriterion, bool, bool]:
    """A criterion as the certificate embeds it; does it name sources, and are some of them not at hand?"""
    algorithm: type[AnyCriterion] = registry.lookup(kind, "criteria", item["name"])
    try:
        _refuse_unknown_words(algorithm, item["parameters"])
        parameters, lacking = evidence.resolve(algorithm, item["parameters"])
        named = any(parameters.get(name) is not None for name in evidence_of(algorithm))
        return _built(algorithm, parameters, readable=not lacking), named, bool(lacking)
    except (TypeError, ValueError):
        raise PolicyError(f"{item['name']} — its parameters are damaged or were edited") from None


def _built(algorithm: type[AnyCriterion], parameters: JsonObject, *, readable: bool) -> AnyCriterion:
    """The criterion. Of one that reads at once a source that is not at hand, only name and bound can be told."""
    try:
        return algorithm(**parameters)
    except DataError:
        if readable:
            raise
        built = object.__new__(algorithm)
        for name, field in known_fields(algorithm).items():
            object.__setattr__(built, name, parameters.get(name, field.default))
        return built


def _refuse_unknown_words(algorithm: type, parameters: Mapping[str, Json]) -> None:
    """A parameter that takes one of a few words takes no other."""
    hints = _hints(algorithm)
    for name, value in parameters.items():
        if get_origin(hints.get(name)) is Literal and value not in get_args(hints[name]):
            raise ValueError(name)


@cache
def _hints(algorithm: type) -> dict[str, Hint]:
    return get_type_hints(algorithm)


def attested(built: AnyCriterion, claims: list[Mapping[str, Json]], note: str) -> Finding:
    """What the certificate claims, for the bound that its policy asks for. Nothing was re-checked."""
    claimed = claims[0] if claims else {}
    unit, ok = claimed.get("unit", ""), claimed.get("ok")
    finding = Finding(built.name, None, None, built.bound, built.sense, ok if isinstance(ok, bool) else None, unit=unit)
    return finding.at(Tier.ATTESTED, note)
