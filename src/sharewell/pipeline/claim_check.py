"""One dataset's claim in a certificate, held against the policy that the certificate embeds. No file is opened."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from sharewell import mechanism_traits, registry
from sharewell.findings import Tier
from sharewell.hierarchy.certified_names import OWN
from sharewell.plain_data import Json
from sharewell.roles import Role
from sharewell.styles import NEVER_BY_ITSELF
from sharewell.wing import Claim

_SHOWN = (Role.QUASI, Role.SENSITIVE, Role.KEEP, Role.SHIFT, Role.SUBJECT, Role.TEXT)
_NUMBER = re.compile(r"-?[0-9]{1,60}(?:[./][0-9]{1,60})?")
_HASH = re.compile(r"[0-9a-f]{64}")
_UNITS = ("persons", "records")
_TYPES = ("number", "date", "text")


def claim_problems(asked: Mapping[str, Json], claim: Mapping[str, Json]) -> Iterator[str]:
    """Where a claim is not what the embedded policy asks for."""
    if claim["kind"] != asked["kind"] or claim["persons"] != asked["persons"]:
        yield "the certificate and its embedded policy differ about the kind of data or about persons"
    if claim["kind"] not in registry.kinds():
        yield "no such kind of data"
        return
    if not asked["require"]:
        yield "no criterion is required, so nothing is claimed"
    if [item["name"] for item in asked["require"]] != [finding["name"] for finding in claim["findings"]]:
        yield "the claims are not those that the embedded policy requires"
    yield from _promise_problems(asked, claim)
    yield from _mechanism_problems(asked, claim)
    yield from _person_problems(asked, claim)
    yield from _column_problems(asked, claim)


def _promise_problems(asked: Mapping[str, Json], claim: Mapping[str, Json]) -> Iterator[str]:
    """Bounds on utility."""
    promised = [(one["name"], one["sense"], exact_number(one["bound"])) for one in asked.get("utility", [])]
    if promised != [(one["name"], one["sense"], exact_number(one["bound"])) for one in claim.get("utility", [])]:
        yield "the bounds on utility claimed are not those of the embedded policy"
    if any(one["tier"] != Tier.ATTESTED for one in claim.get("utility", [])):
        yield "a bound on utility is claimed to be more than attested"


def _mechanism_problems(asked: Mapping[str, Json], claim: Mapping[str, Json]) -> Iterator[str]:
    """The mechanism, the parameters that the policy gave it among those in force, and whether it falsifies."""
    claimed, using = claim["mechanism"], asked["using"]
    if claimed["name"] != using["name"]:
        yield "the mechanism claimed is not the one that the embedded policy names"
    if any(using["parameters"].get(name) != value for name, value in claimed["parameters"].items()):
        yield "the parameters of the mechanism claimed are not those of the embedded policy"
    falsifies = mechanism_traits.falsifies(claim["kind"], claimed["name"])
    if falsifies is not None and claimed.get("falsifies", False) is not falsifies:
        yield f"mechanism {claimed['name']} — the certificate is wrong about whether it falsifies values"
    if not claimed.get("falsifies") and any("falsified" in facts for facts in claim["columns"].values()):
        yield "a column is described as falsified, and the certificate claims that no value is"


def _person_problems(asked: Mapping[str, Json], claim: Mapping[str, Json]) -> Iterator[str]:
    """Whom the claim protects: persons wherever the policy tells them apart, unless a criterion says otherwise."""
    wing, persons = registry.wing(claim["kind"]), claim["persons"]
    shown = any(facts.get("role") == Role.SUBJECT for facts in claim["columns"].values())
    parted = (claim["kind"], claim["mechanism"]["name"]) in mechanism_traits.SEVERAL_PSEUDONYMS
    counted_inside = shown and persons == "internal" and asked["subject"] == "dataset"
    if shown != (asked["subject"] != "none") or (shown and not counted_inside) != (persons == "published"):
        yield "whether the file identifies persons: dictionary, claim and embedded policy contradict each other"
    if parted and asked["subject"] == "dataset" and persons != "internal":
        yield "a person may have several pseudonyms, but the certificate claims that these identify persons"
    if asked["subjects"] and persons == "none":
        yield "the embedded policy names a subject, but the certificate claims that no persons are identified"
    if persons != "none" and not asked["subjects"] and wing.persons_by_subject:
        yield "the certificate claims that persons are identified, but the embedded policy names no subject"
    unit = wing.certified_unit(Claim.from_json(claim), asked)
    unit = unit or next((one["unit"] for one in claim["findings"] if one.get("unit") in _UNITS), "records")
    if claim["unit"] != unit:
        yield f"the certificate claims to protect something else than the {unit} that its criteria count"


def _column_problems(asked: Mapping[str, Json], claim: Mapping[str, Json]) -> Iterator[str]:
    """Role, style and hierarchy of every column; low and high ends are both held against the column they show."""
    roles: dict[str, set[Role]] = {}
    made = registry.wing(claim["kind"]).made_columns
    own_trees = (claim["kind"], claim["mechanism"]["name"]) in mechanism_traits.OWN_HIERARCHIES
    for name, facts in claim["columns"].items():
        whole, role = facts.get("of", name), Role(facts["role"])
        columns = whole if isinstance(whole, list) else [whole]  # codes may come from several columns
        if not columns and facts.get("kind") not in made:
            yield f"column {name}: belongs to no column of the embedded policy"
        for column in columns:
            roles.setdefault(column, set()).add(role)
        rule = asked["columns"].get(columns[0], {}) if columns else {}
        yield from (f"column {name}: {what}" for what in _rule_problems(rule, role, facts, own_trees))
    roles_asked = {name: Role(facts["role"]) for name, facts in asked["columns"].items()}
    rest = asked.get("rest")
    for name in sorted({*roles, *roles_asked}):
        expected = roles_asked.get(name, Role(rest) if rest else None)
        if roles.get(name) != {expected} or expected not in _SHOWN:
            yield f"column {name}: the role claimed is not the one that the embedded policy gives it"


def _rule_problems(rule: Mapping[str, Json], role: Role, facts: Mapping[str, Json], own_trees: bool) -> Iterator[str]:
    """What the dictionary says of one column, against the embedded policy's rule for it."""
    style, shown, tree = rule.get("style"), facts.get("style"), facts.get("hierarchy")
    differs = shown in NEVER_BY_ITSELF if style is None else shown != style
    if differs or (isinstance(facts.get("of"), str) and style != "low-high"):
        yield "the style claimed is not the one that the embedded policy requires"
    # Falsified values are labels of no tree.
    tree_of_the_policy = not own_trees and (tree is not None or "falsified" not in facts)
    if tree_of_the_policy and role in (Role.QUASI, Role.SENSITIVE) and tree != rule.get("hierarchy"):
        yield "the hierarchy claimed is not the one that the embedded policy names"
    if tree == OWN and not _HASH.fullmatch(facts["tree"]["salted_sha256"]):
        yield "the hash of its hierarchy is damaged"
    if "type" in rule and facts.get("kind") in _TYPES and facts["kind"] != rule["type"]:
        yield "the kind claimed is not the type that the embedded policy gives it"
    if "time" in rule and facts.get("time") != rule["time"]:
        yield "what is kept of the time of day is not what the embedded policy says"


def exact_number(number: Json) -> Fraction:
    """A number as findings tell it: plain, or with its exact form beside it.

    Short texts without an exponent only: the fraction of 1e99999999999 would have as many digits.

    >>> exact_number({"value": 0.0909, "exact": "1/11"}), exact_number("0.05"), exact_number(3)
    (Fraction(1, 11), Fraction(1, 20), Fraction(3, 1))
    """
    plain = number["exact"] if isinstance(number, dict) else number
    if isinstance(plain, str) and not _NUMBER.fullmatch(plain):
        raise ValueError("not a number that a release writes")
    return Fraction(plain)
