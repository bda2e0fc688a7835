"""What a verification was about, in words: which criteria it judged, of whom, and what it could only take on trust.

A certificate that was weakened and made consistent again cannot be told from an honest one unless it is signed. What it
still claims can be read: every criterion with its parameters and whom it counts, and everything that no published file
bears out. A change of the certificate therefore fails, or changes one of these lines.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence

from sharewell.findings import Finding, Tier
from sharewell.parameters import values_of
from sharewell.pipeline.certificate import DAMAGED
from sharewell.pipeline.claims import criterion
from sharewell.pipeline.evidence import EvidenceStore
from sharewell.pipeline.salted_hashes import SALTED
from sharewell.pipeline.together import SEVERAL
from sharewell.plain_data import Json
from sharewell.protocols import AnyCriterion

_PERSONS = {
    "published": "identified in the file",
    "linked": "identified by the pseudonym that links datasets",
    "internal": "identified only in internal/",
    "none": "nothing identifies the person of a record",
}
_HELD = (
    *("role", "kind", "style", "of", "hierarchy", "total", "above", "zeros", "form", "labels", "unit", "time"),
    "tree",
)
"""What the dictionary says of a column and verify holds against the file or the policy; hashes of trees are apart."""


@dataclasses.dataclass(frozen=True)
class ClaimLines:
    """What a certificate says, in words."""

    required: tuple[str, ...] = ()
    """Every criterion: its parameters in force, and whether it counts persons or records."""
    trusted: tuple[str, ...] = ()
    """What the certificate says beside that, and nothing that was opened bears out."""
    commitments: tuple[str, ...] = ()
    """Hashes of what is not published: whoever has the files can hold them against these."""

    @classmethod
    def of(cls, certificate: Mapping[str, Json], findings: Mapping[str, Sequence[Finding]]) -> ClaimLines:
        """As far as the certificate can be read; that it is damaged, other parts of a verification say."""
        lines = (_required(certificate), _trusted(certificate, findings), _commitments(certificate))
        return cls(*(tuple(_readable(part)) for part in lines))


def _readable(lines: Iterator[str]) -> Iterator[str]:
    try:
        yield from lines
    except DAMAGED:
        yield "the certificate is damaged: it does not say what else"


def counting_records(certificate: Mapping[str, Json]) -> Iterator[str]:
    """Criteria that count records although the policy knows whose each one is: a weaker promise than it looks."""
    for name, asked in certificate["policy"]["redacted"]["datasets"].items():
        for item in asked["require"]:
            if asked["persons"] != "none" and criterion(asked["kind"], item, EvidenceStore())[0].unit == "record":
                known = _PERSONS[asked["persons"]]
                yield f"{name}: {item['name']} counts records, not persons, although persons are {known}"


def _required(certificate: Mapping[str, Json]) -> Iterator[str]:
    for name, asked in certificate["policy"]["redacted"]["datasets"].items():
        unit = certificate["datasets"].get(name, {}).get("unit")
        yield from (f"{name}: {_criterion(asked, item, unit)}" for item in asked["require"])
        for column, facts in asked["columns"].items():
            items = facts.get("require", ())
            yield from (f"{name}, column {column}: {item['name']}{_words(item['parameters'])}" for item in items)
    person = certificate["policy"]["redacted"].get("person") or {"require": []}
    asked = {one["name"]: one["parameters"] for one in person["require"]}
    for one in certificate["together"]["judged"]:
        yield f"{one['name']}{_words(asked.get(one['name'], {}))} of {', '.join(one['datasets'])} together"


def _criterion(asked: Mapping[str, Json], item: Mapping[str, Json], unit: Json) -> str:
    built = criterion(asked["kind"], item, EvidenceStore())[0]
    in_force = {name: value for name, value in values_of(built).items() if name not in built.kept_inside}
    parameters = {**in_force, **item["parameters"]}  # also those that the certificate leaves to their defaults
    added = ", from the profile" if item["from_profile"] else ""
    return f"{item['name']}{_words(parameters)} counts {_counted(asked, built, unit)}{added}"


def _counted(asked: Mapping[str, Json], built: AnyCriterion, unit: Json) -> str:
    """Whom a criterion counts; unit: what the certificate claims to protect, which may be owners."""
    if built.unit != "person" or unit not in ("persons", "visits", "records"):
        return f"{built.unit}s" if built.unit != "person" else str(unit)
    unit = asked.get("unit", "person") if asked["persons"] != "none" else "record"
    return f"{unit}s, {_PERSONS[asked['persons']]}"


def _trusted(certificate: Mapping[str, Json], findings: Mapping[str, Sequence[Finding]]) -> Iterator[str]:
    release, policy, profile = certificate["release"], certificate["policy"], certificate["profile"]
    yield f"release {release['name']}, for {release['recipient'] or 'nobody named'}, context {release['context']}"
    key = "given" if certificate["key_commitment"]["kdf"] else "drawn for this release"
    approved = policy["approved_by"] or "nobody"
    yield f"policy approved by {approved}; secret key {key}; made with{_words(certificate['versions'])}"
    if profile is not None:
        yield f"profile {profile['name']}"
    yield from (f"deviation from the profile: {line}" for line in certificate["deviations"])
    yield from (f"decision: {line}" for line in certificate["decisions"])
    yield from (f"judged together with the earlier release {one['name']}" for one in certificate["after"])
    yield from _people(policy["redacted"]["datasets"])
    yield from _ties(policy["redacted"].get("person"), policy["redacted"]["datasets"])
    for pair in certificate["together"]["not_judged"]:
        yield f"not judged together: {' and '.join(pair)}"
    for name, asked in policy["redacted"]["datasets"].items():
        claim = certificate["datasets"][name]
        yield f"{name}: {'; '.join(_dataset(asked, claim))}"
        yield from (f"{name}: {line}" for line in _attested(claim["findings"], findings.get(name, ())))
        for column, facts in claim.get("texts", {}).get("columns", {}).items():
            yield f"{name}: column {column}{_words(facts)}"
    yield from _attested(certificate["together"]["judged"], findings.get(SEVERAL, ()))


def _people(datasets: Mapping[str, Json]) -> Iterator[str]:
    """Which datasets are said to be about the same people: nothing published shows that others are not."""
    names: list[str]
    alike = {
        "people": "come from the same file, or name the same people",
        "subjects": "identify persons by the same values",
    }
    for part, words in alike.items():
        for label in sorted({label for asked in datasets.values() for label in asked[part]}):
            names = [name for name, asked in datasets.items() if label in asked[part]]
            yield from [f"{', '.join(names)} {words} (group {label})"] if len(names) > 1 else []
    for label in sorted({asked["counted"] for asked in datasets.values() if "counted" in asked}):
        names = [name for name, asked in datasets.items() if asked.get("counted") == label]
        yield f"{', '.join(names)}: {'the same people are counted' if len(names) > 1 else 'counts people of its own'}"


def _ties(person: Mapping[str, Json] | None, datasets: Mapping[str, Json]) -> Iterator[str]:
    """Which datasets are tied by person, and which mechanism protected them together."""
    if person is None:
        return
    tied = [name for name, asked in datasets.items() if asked.get("tied")]
    yield f"{', '.join(tied)} are linked by person; {person['table']} is the table of people"
    if "using" in person:
        yield f"protected together by {person['using']['name']}{_words(person['using']['parameters'])}"


def _dataset(asked: Mapping[str, Json], claim: Mapping[str, Json]) -> Iterator[str]:
    yield f"protects {claim['unit']}"
    yield f"sources: {len(asked['people'])}; columns that identify persons: {len(asked['subjects'])}"
    rest = f", those that the policy does not name: {asked['rest']}" if "rest" in asked else ""
    yield f"columns not published: {asked['columns_not_published']}{rest}"
    given = ", ".join(claim["mechanism"]["parameters"])
    yield f"{asked['using']['name']}{_words(asked['using']['parameters'])}{f', which gives {given}' if given else ''}"
    for column, facts in asked["columns"].items():
        rule = {part: value for part, value in facts.items() if part not in ("role", "hierarchy", "style", "require")}
        pairs = claim["columns"].get(column, {})
        rule |= {part: value for part, value in pairs.items() if part not in _HELD}
        if "safe_harbor" in pairs:  # such a column has a hierarchy that no policy names
            rule["hierarchy"] = pairs.get("hierarchy")
        yield from [f"column {column}{_words(rule)}"] if rule else []
    for column, facts in claim["columns"].items():
        pairs = {} if column in asked["columns"] else {k: v for k, v in facts.items() if k not in _HELD}
        yield from [f"column {column}{_words(pairs)}"] if pairs else []
    yield from [f"renamed{_words(asked['renamed'])}"] if asked.get("renamed") else []
    yield from [f"values that look alike{_words(claim['lookalikes'])}"] if claim.get("lookalikes") else []
    if joined := claim.get("joined_person"):
        twice = f"{joined['perhaps_twice']} may be counted twice"
        yield f"persons are identified by {joined['columns']} columns, not by a number; {twice}"
    yield from (f"{one['name']}{_words(one['parameters'])} measured" for one in asked.get("utility", ()))


def _attested(claims: Sequence[Mapping[str, Json]], findings: Sequence[Finding]) -> Iterator[str]:
    """What the certificate says that somebody else found."""
    for finding, claim in zip(findings, claims, strict=False):
        words = {part: claim[part] for part in ("unit", "note", "parts") if part in claim}
        if finding.tier is Tier.ATTESTED and words:
            yield f"{claim['name']} as certified{_words(words)}"


def _commitments(certificate: Mapping[str, Json]) -> Iterator[str]:
    yield f"policy: {certificate['policy'][SALTED]}"
    yield f"salt of hashes: {certificate['salt']['nonce']}"
    yield f"secret key: {certificate['key_commitment']['commitment']}"
    yield from (f"earlier release {one['name']}: {one['certificate_sha256']}" for one in certificate["after"])
    for name, claim in certificate["datasets"].items():
        if "persons_sha256" in claim:
            yield f"{name}, evidence about persons: {claim['persons_sha256']}"
        if "persons_sha256" in claim.get("texts", {}):
            yield f"{name}, persons of texts: {claim['texts']['persons_sha256']}"
        trees = {column: facts["tree"] for column, facts in claim["columns"].items() if "tree" in facts}
        yield from (f"{name}, hierarchy of {column}:{_words(tree)}" for column, tree in trees.items())


def _words(given: Mapping[str, Json]) -> str:
    """Parameters as people read them; nothing is said of those that say nothing.

    >>> _words({"k": 5, "unit": "person", "label": None, "columns": {"cost": 0.5}})
    ' (k = 5, unit = person, columns = {"cost": 0.5})'
    """
    settings = [f"{name} = {_value(value)}" for name, value in given.items() if value not in (None, "", [], {}, ())]
    return f" ({', '.join(settings)})" if settings else ""


def _value(value: object) -> str:
    return str(value) if isinstance(value, str | int | float) else json.dumps(value, ensure_ascii=False, default=str)
