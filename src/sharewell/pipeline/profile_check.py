"""The profile that a certificate names, asked anew: what it adds is required, and what is weaker is listed.

A recipient reads the name of a profile as a promise. Profiles ship with the software, so that whoever drops one of its
criteria from a certificate, or the line that says where less is asked for, is contradicted by the profile itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sharewell.errors import PolicyError
from sharewell.pipeline.claims import criterion
from sharewell.pipeline.evidence import EvidenceStore
from sharewell.plain_data import Json
from sharewell.policy.deviations import weakness
from sharewell.policy.model import ConfiguredAlgorithm, ConfiguredCriterion
from sharewell.policy.profiles import profile


def profile_problems(certificate: Mapping[str, Json]) -> Iterator[str]:
    """In what the embedded policy differs from the profile that it names."""
    embedded = certificate["policy"]["redacted"]
    named, datasets = embedded["profile"], embedded["datasets"]
    if named is None:
        if any(item["from_profile"] for asked in datasets.values() for item in asked["require"]):
            yield "a criterion is said to come from a profile, and no profile is named"
        return
    try:
        known = profile(str(named["name"]))
    except PolicyError:
        yield "this version does not know the profile that it names, so its criteria cannot be compared"
        return
    for name, asked in datasets.items():
        of_owners = certificate["datasets"].get(name, {}).get("unit") == "owners"
        # Profiles speak of persons, and of what a policy reads, not of a table that is made from notes.
        wanted = () if of_owners or asked["people"] == [] else known.by_kind.get(asked["kind"], ())
        listed = [line for line in embedded["deviations"] if line.startswith(f"datasets.{name}:")]
        yield from (f"{name}: profile {known.name} {what}" for what in _differences(wanted, asked, listed))


def _differences(
    wanted: Sequence[ConfiguredCriterion], asked: Mapping[str, Json], listed: Sequence[str]
) -> Iterator[str]:
    """Criteria that are missing, or weaker without a deviation, or that are not the profile's."""
    for one in wanted:
        same = [_named(asked["kind"], item) for item in asked["require"] if item["name"] == one.name]
        if not same:
            yield f"adds {one.name}, which is not required"
        elif all(weakness(other, one) for other in same) and not any(one.name in line for line in listed):
            yield f"asks for more than the {one.name} that is required, but no deviation says so"
    names = {one.name for one in wanted}
    if strange := sorted({item["name"] for item in asked["require"] if item["from_profile"]} - names):
        yield f"does not add {', '.join(strange)}"


def _named(kind: str, item: Mapping[str, Json]) -> ConfiguredCriterion:
    """A criterion as a policy has it; sources do not make it weaker."""
    built, _, _ = criterion(kind, item, EvidenceStore())
    return ConfiguredAlgorithm(item["name"], item["parameters"], built, from_profile=bool(item["from_profile"]))
