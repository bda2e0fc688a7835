"""What a profile does to a dataset: it adds criteria, refuses a few things, and lists where less is asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sharewell.io.yaml_positions import Path as Place
from sharewell.io.yaml_positions import dotted
from sharewell.parameters import values_of
from sharewell.policy.mistakes import MistakeCollector
from sharewell.policy.model import ColumnRule, ConfiguredCriterion, Profile
from sharewell.policy.profiles import facts_of
from sharewell.roles import Role

IDENTIFIERS: dict[str, str] = {
    "a name": r"(patient|first|last|full|given|family|maiden)?_?names?|surname|forename",
    "an address": r".*(^|_)(street|address|addr)(_|$).*",
    "a telephone or fax number": r".*(^|_)(phone|telephone|mobile|fax)(_|$).*",
    "an e-mail address": r".*(^|_)(e_?mail)(_|$).*",
    "a social security number": r".*(^|_)(ssn|social_security)(_|$).*",
    "a medical record number": r".*(^|_)(mrn|medical_record)(_|$).*",
    "a plan or account number": r".*(^|_)(account|beneficiary|policy|plan)_?(id|no|nr|number)(_|$).*",
    "a certificate or licence number": r".*(^|_)(licen[cs]e|certificate)(_|$).*",
    "a vehicle or device number": r".*(^|_)(vin|plate|serial|imei)(_|$).*",
    "a web or network address": r".*(^|_)(url|ip|ip_address)(_|$).*",
    "a photograph or biometric mark": r".*(^|_)(photo|photograph|fingerprint|voiceprint)(_|$).*",
}
"""Direct identifiers and how columns that hold them are usually named."""


@dataclass(frozen=True)
class Effect:
    """What a profile did to one dataset."""

    added: tuple[ConfiguredCriterion, ...] = ()
    deviations: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()


def apply(profile: Profile, kind: str, written: Sequence[ConfiguredCriterion], where: Place, *, said: bool) -> Effect:
    """Add what the policy does not ask for by itself; list what it explicitly weakens, enforced as written.

    `said`: say so where the profile adds nothing, because it is not written for this kind of data.
    """
    criteria = profile.by_kind.get(kind, ())
    if not criteria and said:
        return Effect(decisions=(f"{dotted(where)}: profile {profile.name} adds nothing for kind {kind}",))
    added, deviations, decisions = [], [], []
    for wanted in criteria:
        same = [one for one in written if one.name == wanted.name]
        weaknesses = [weakness(one, wanted) for one in same]
        if not same:
            added.append(wanted)
            decisions.append(f"{dotted(where)}: profile {profile.name} adds {wanted.name} ({_shown(wanted, wanted)})")
        elif all(weaknesses):
            best = min(same, key=lambda one: (_bound_is_weaker(one, wanted), same.index(one)))
            what = f"{wanted.name} {weakness(best, wanted)} is weaker than profile {profile.name}"
            deviations.append(f"{dotted(where)}: {what} ({_shown(wanted, wanted)})")
    return Effect(tuple(added), tuple(deviations), tuple(decisions))


def column_rules(
    reading: MistakeCollector, profile: Profile, rules: Mapping[str, ColumnRule], path: Place
) -> list[str]:
    """Refuse what the profile forbids; return what may be a direct identifier and is published as it is."""
    facts, remarks = facts_of(profile.name), []
    for name, rule in rules.items():
        if facts.no_shift and rule.role is Role.SHIFT:
            what = f"profile {profile.name} keeps only the year of a date; shifting it is not enough"
            reading.mistake((*path, name), what, "drop it, or make it quasi with hierarchy date")
        likeness = looks_like(name) if facts.no_identifiers and rule.role in (Role.KEEP, Role.SENSITIVE) else None
        if likeness:
            remarks.append(f"{dotted((*path, name))}: published as it is, and by its name it may hold {likeness}")
    return remarks


def published_anyway(rules: Mapping[str, ColumnRule], path: Place) -> list[str]:
    """Columns that are published as they are because the policy insists on it."""
    why = "published as it is, although it may identify people: the policy says `anyway`"
    return [f"{dotted((*path, name))}: {why}" for name, rule in rules.items() if rule.anyway]


def looks_like(column: str) -> str | None:
    """Which direct identifier a column's name suggests.

    >>> looks_like("homePhone"), looks_like("drug_name"), looks_like("Patient Name")
    ('a telephone or fax number', None, 'a name')
    """
    plain = re.sub(r"[^a-z0-9]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", column).lower()).strip("_")
    return next((what for what, pattern in IDENTIFIERS.items() if re.fullmatch(pattern, plain)), None)


def weakness(one: ConfiguredCriterion, wanted: ConfiguredCriterion) -> str:
    """The parameters by which a criterion asks for less than the profile does; empty if it asks for as much.

    A criterion whose strength is not a matter of one bound compares itself (`weaker_than`).
    """
    if (said := one.built.weaker_than(wanted.built)) is not None:
        return said
    if _bound_is_weaker(one, wanted):
        return _shown(one, wanted)
    values, others = values_of(one.built), values_of(wanted.built)
    differing = [name for name in others if name not in wanted.parameters and values[name] != others[name]]
    return ", ".join(f"{name} = {values[name]}" for name in differing)


def _bound_is_weaker(one: ConfiguredCriterion, wanted: ConfiguredCriterion) -> bool:
    """By bound and sense: a smaller ≥, or a larger ≤."""
    if wanted.built.sense == "≥":
        return one.built.bound < wanted.built.bound
    return one.built.bound > wanted.built.bound


def _shown(one: ConfiguredCriterion, wanted: ConfiguredCriterion) -> str:
    values = values_of(one.built)
    return ", ".join(f"{name} = {values[name]}" for name in wanted.parameters)
