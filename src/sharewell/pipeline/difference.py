"""In what two releases differ, by their certificates and, where both have it, by what internal/ measured.

Nothing is judged and no data file is opened: files are compared by the hashes that the certificates name. Values are
shown where they are numbers or words of ours; what may be a value of the data (labels, listed values, texts that a
policy gives an algorithm) is said to differ, and not shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sharewell.io.plain_files import sha256
from sharewell.pipeline.certificate import (
    CERTIFICATE,
    FINDINGS,
    RELEASE_APPROVAL,
    SIGNATURE,
    Layout,
    mapping_in,
    read_certificate,
)
from sharewell.pipeline.salted_hashes import SALTED
from sharewell.plain_data import Json, JsonObject

Place = tuple[str, ...]
OTHER = "…"
"""Stands for what is there and not shown."""
_ABSENT = object()
_FATE = ("role", "kind", "style", "hierarchy", "type", "time")
_WORDS = frozenset(
    (*_FATE, "name", "form", "unit", "tier", "sense", "file", "recipient", "context", "subject", "persons", "title")
) | {"citation", "python", "sharewell", "numpy", "pyarrow"}
"""Keys whose texts are words of ours, or of the policy, and never of the data."""
_EXACT = frozenset({"value", "exact"})
"""Keys of a fraction."""


@dataclass(frozen=True)
class Change:
    """One thing in which the releases differ. None: it is not there; `…`: it is there, and not shown."""

    section: str
    place: Place
    first: Json
    second: Json

    def to_json(self) -> JsonObject:
        return {"section": self.section, "place": list(self.place), "first": self.first, "second": self.second}


@dataclass(frozen=True)
class Difference:
    """Two releases, and everything in which they differ."""

    first: Path
    second: Path
    changes: tuple[Change, ...]
    measured: bool
    """Were the measurements of internal/ compared too?"""

    @property
    def same(self) -> bool:
        return not self.changes

    def to_json(self) -> JsonObject:
        return {
            "first": str(self.first),
            "second": str(self.second),
            "same": self.same,
            "measured": self.measured,
            "changes": [change.to_json() for change in self.changes],
        }


def difference(first: Path, second: Path) -> Difference:
    """Compare two release directories, or their public folders."""
    layouts = Layout.of(first), Layout.of(second)
    sections = [_sections(layout) for layout in layouts]
    measured = [_measured(layout) for layout in layouts]
    both = all(one is not None for one in measured)
    if both:
        sections = [{**one, "measured": more or {}} for one, more in zip(sections, measured, strict=True)]
    changes = [
        Change(section, place, _shown(section, place, a), _shown(section, place, b))
        for section in sections[0]
        for place, a, b in _differing(sections[0][section], sections[1][section])
    ]
    return Difference(first, second, tuple(changes), both)


def _sections(layout: Layout) -> dict[str, JsonObject]:
    """What is compared, in the order in which it is read."""
    certificate = read_certificate(layout.public)
    policy = _mapping(certificate.get("policy"))
    redacted, claims = _mapping(policy.get("redacted")), _mapping(certificate.get("datasets"))
    profile = _mapping(certificate.get("profile"))
    named = {"profile": profile.get("name"), **_lines(certificate, "deviations"), **_lines(certificate, "decisions")}
    asked = {name: _unsalted(_without(one, "columns")) for name, one in _mapping(redacted.get("datasets")).items()}
    parts = ("kind", "columns", "rows", "findings", "mechanism", "persons_sha256")
    return {
        "release": _mapping(certificate.get("release")) | {"after": _after(certificate)},
        "datasets": {name: _mapping(one).get("kind") for name, one in claims.items()},
        "policy": {**named, **asked},
        "rows": {name: _mapping(one).get("rows") for name, one in claims.items()},
        "columns": {name: _fates(_mapping(one).get("columns")) for name, one in claims.items()},
        "criteria": {name: _mapping(one).get("findings") for name, one in claims.items()}
        | {"together": certificate.get("together")},
        "claims": {name: _without(one, *parts) for name, one in claims.items()},
        "files": _mapping(certificate.get("files")),
        "certificate": {
            "policy hash": policy.get(SALTED),
            "policy approved by": policy.get("approved_by"),
            "release approved by": mapping_in(layout.public / RELEASE_APPROVAL).get("key"),
            "signed by": certificate.get("signed_by"),
            "signature": (layout.public / SIGNATURE).is_file(),
            "key": certificate.get("key_commitment"),
            "versions": certificate.get("versions"),
            "certificate hash": sha256(layout.public / CERTIFICATE),
        },
    }


def _measured(layout: Layout) -> JsonObject | None:
    """Numbers of internal/: values reached, risks, attacks and measures, by dataset."""
    if layout.internal is None or not (layout.internal / FINDINGS).is_file():
        return None
    parts = ("before", "risks_after", "criteria", "attacks", "utility")
    datasets = _mapping(mapping_in(layout.internal / FINDINGS).get("datasets"))
    return {name: {part: _without_details(_mapping(one).get(part)) for part in parts} for name, one in datasets.items()}


def _fates(columns: Json) -> JsonObject:
    """Column → what became of it, in one line, and whatever else the dictionary says of it."""
    results: JsonObject = {}
    for name, facts in _mapping(columns).items():
        pairs = _mapping(facts)
        words = [str(pairs[key]) for key in _FATE if isinstance(pairs.get(key), str)]
        results[f"{name}"] = ", ".join(words)
        rest = _without(pairs, *_FATE)
        results |= {f"{name}: {key}": rest[key] for key in rest}
    return results


def _unsalted(value: Json) -> Json:
    """Without salted hashes, in which any two releases differ."""
    if isinstance(value, dict):
        return {key: _unsalted(one) for key, one in value.items() if key != SALTED}
    return [_unsalted(one) for one in value] if isinstance(value, list) else value


def _without_details(value: Json) -> Json:
    """Findings by their values; histograms and the like are for the dossier."""
    if isinstance(value, dict):
        return {key: _without_details(one) for key, one in value.items() if key not in ("details", "note")}
    return [_without_details(one) for one in value] if isinstance(value, list) else value


def _after(certificate: Mapping[str, Json]) -> JsonObject:
    """Earlier releases, by name."""
    listed = certificate.get("after")
    result = [_mapping(one) for one in listed] if isinstance(listed, list) else []
    return {str(one.get("name")): one.get("certificate_sha256") for one in result}


def _lines(certificate: Mapping[str, Json], part: str) -> JsonObject:
    """Sentences of ours about the policy, as keys: they are there, or they are not."""
    listed = certificate.get(part)
    return {f"{part}: {line}": True for line in listed} if isinstance(listed, list) else {}


def _differing(first: Json, second: Json, place: Place = ()) -> Iterator[tuple[Place, object, object]]:
    """Leaves that differ, and the tops of what only one side has."""
    one, other = _keyed(first), _keyed(second)
    if isinstance(one, dict) and isinstance(other, dict) and _EXACT not in ({*one}, {*other}):
        for key in {**one, **other}:
            yield from _below(one.get(key, _ABSENT), other.get(key, _ABSENT), (*place, key))
    elif first != second:
        yield place, first, second


def _below(first: object, second: object, place: Place) -> Iterator[tuple[Place, object, object]]:
    if first is _ABSENT or second is _ABSENT:
        yield place, first, second
    else:
        yield from _differing(first, second, place)


def _keyed(value: Json) -> Json:
    """A list of things that have names, as a mapping from these names: their order makes no difference."""
    named = isinstance(value, list) and all(isinstance(one, dict) and isinstance(one.get("name"), str) for one in value)
    if not named or not value:
        return value
    results: JsonObject = {}
    for one in value:
        key = f"{one['name']} of {one['column']}" if isinstance(one.get("column"), str) else str(one["name"])
        twice = sum(name == key or name.startswith(f"{key} (") for name in results)
        results[f"{key} ({twice + 1})" if twice else key] = {
            k: v for k, v in one.items() if k not in ("name", "column")
        }
    return results


def _shown(section: str, place: Place, value: object) -> Json:
    """What may be shown of one side: numbers, and words that are known to be ours."""
    if value is _ABSENT:
        return None
    if isinstance(value, bool | int | float):
        return value
    if value is None:
        return "none"
    if isinstance(value, dict) and {*value} == _EXACT:
        return value["value"] if isinstance(value["value"], int | float) else OTHER
    ours = (section, place[-1]) in _NAMED or section == "datasets" or (section == "columns" and ": " not in place[-1])
    if isinstance(value, str) and (ours or (place[-1] in _WORDS and "parameters" not in place)):
        return value
    return OTHER


_NAMED = frozenset(
    {
        ("policy", "profile"),
        *(("certificate", f"{who} by") for who in ("signed", "policy approved", "release approved")),
    }
)


def _mapping(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _without(value: Json, *keys: str) -> JsonObject:
    return {key: one for key, one in _mapping(value).items() if key not in keys}
