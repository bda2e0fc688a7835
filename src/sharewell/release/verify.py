"""Verify: judge a release from its files, as a stranger would. Imports nothing from any mechanism.

Four questions, all of them answered before the verdict, whatever fails:

1. Are the files the ones that were certified? (hashes, and no file more or less)
2. Does the certificate agree with itself and with the policy it embeds?
3. Does every criterion of the policy hold in the published cells, grouped anew?
4. Who signed it?
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from sharewell import registry
from sharewell.errors import DataError, PolicyError, SharewellError, VerificationFailed
from sharewell.findings import Finding, Tier
from sharewell.hierarchy.naming import OWN
from sharewell.io.sources import Source, sha256
from sharewell.policy.algorithms import evidence as evidence_of
from sharewell.policy.reading import known_fields
from sharewell.release.certificate import Layout, public_finding, read_certificate
from sharewell.release.evidence import NOT_AT_HAND, AtHand
from sharewell.release.integrity import exact_number, file_problems, policy_problems, signature_problems

INTERNAL = ("redacted.json", "persons")
"""By what an internal folder is recognised."""
NEEDS_EVIDENCE = "it takes the steward's evidence to see what is not shown: the certificate's word"
NEEDS_ORIGINAL = "it takes the original to measure what was lost: the certificate's word"


@dataclass(frozen=True)
class Verification:
    """What was found, criterion by criterion, and everything that is wrong."""

    findings: Mapping[str, tuple[Finding, ...]]
    problems: tuple[str, ...]
    signer: str
    """In words: who signed, or why that is not established."""
    cautions: tuple[str, ...] = field(default=())
    """What this verification could not detect."""

    @property
    def ok(self) -> bool:
        return not self.problems

    @property
    def attested(self) -> int:
        """How many claims rest on the certificate's word alone."""
        return sum(f.tier is Tier.ATTESTED for found in self.findings.values() for f in found)

    def raise_if_failed(self) -> Verification:
        if self.problems:
            raise VerificationFailed(f"{len(self.problems)} thing(s) do not hold:", self.problems)
        return self


def verify(
    directory: Path, *, with_: Path | None = None, key: Path | None = None, sources: Sequence[Source] = ()
) -> Verification:
    """Judge a release directory, or a public folder with (`with_`) or without internal evidence.

    Sources that the policy names are looked for by hash, in the internal folder, under `with_` and among `sources`.
    """
    layout = Layout.of(directory, with_)
    if layout.internal is not None and not any((layout.internal / part).exists() for part in INTERNAL):
        own = directory / "internal"  # `with_` brings sources alone
        layout = Layout(layout.public, own if own.is_dir() else None)
    at_hand = AtHand(list(dict.fromkeys(folder for folder in (layout.internal, with_) if folder is not None)), sources)
    problems: list[str] = []
    try:
        certificate = read_certificate(layout.public)
    except DataError as error:
        signer, wrong = signature_problems(layout.public, key, None)
        return Verification({}, (*file_problems(layout.public, {}), str(error), *wrong), signer)
    problems += file_problems(layout.public, certificate)
    problems += policy_problems(layout, certificate)
    findings: dict[str, tuple[Finding, ...]] = {}
    claims = certificate.get("datasets")
    for name, claim in (claims if isinstance(claims, dict) else {}).items():
        try:
            judged = judge(layout, name, claim, _required(certificate, name), at_hand)
            problems += _claim_problems(name, claim, judged)
            findings[name] = (*judged, *_promises(claim))
            problems += [f"{name}: {finding}" for finding in _promises(claim) if finding.failed]
        except SharewellError as error:
            problems += [f"{name}: {line}" for line in str(error).splitlines()]
        except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, OSError):
            problems.append(f"{name}: the certificate's entry is damaged or was edited")
    signer, wrong = signature_problems(layout.public, key, certificate.get("signed_by"))
    problems += wrong
    return Verification(findings, tuple(problems), signer, _cautions(findings, key is not None))


def judge(
    layout: Layout, name: str, claim: Mapping[str, Any], required: list[Any], at_hand: AtHand | None = None
) -> tuple[Finding, ...]:
    """Every criterion of one dataset, from the published file. The tier says what had to be opened for it."""
    path = layout.public / claim["file"]
    if path.parent != layout.public or path.is_symlink():
        raise DataError(f"{name} — its file is not one of the public folder")
    evidence, tier, note = _persons(layout, name, claim)
    at_hand = at_hand or AtHand()
    trees, no_tree = at_hand.trees(claim["columns"])
    data = registry.wing(claim["kind"]).reopen(Source.of(path), claim["columns"], evidence, trees)
    if data.rows != claim["rows"]:
        raise DataError(f"{claim['file']} — {data.rows} rows where the certificate says {claim['rows']}")
    found = []
    for i, item in enumerate(required):
        built, named, lacking = criterion(claim["kind"], item, at_hand)
        own = _own_trees(built, claim["columns"])
        named, lacking = named or bool(own), lacking or bool(own & set(no_tree))
        if getattr(built, "needs_evidence", False):  # true cells, say, of which the file shows a part
            named, note = True, note and NEEDS_EVIDENCE
        by_person = item["parameters"].get("unit", "person") != "record"
        reached = tier if by_person else Tier.RECIPIENT
        if lacking or (named and reached is Tier.ATTESTED):
            found.append(_attested(built, claim.get("findings", [])[i : i + 1], NOT_AT_HAND if lacking else note))
        elif named:
            found.append(built.check(data).at(Tier.STEWARD))
        else:
            found.append(built.check(data).at(reached, note if by_person else ""))
    return tuple(found)


def criterion(kind: str, item: Mapping[str, Any], at_hand: AtHand) -> tuple[Any, bool, bool]:
    """A criterion as the certificate embeds it; does it name sources, and are some of them not at hand?"""
    algorithm = registry.lookup(kind, "criteria", item["name"])
    try:
        _refuse_unknown_words(algorithm, item["parameters"])
        parameters, lacking = at_hand.resolve(algorithm, item["parameters"])
        named = any(parameters.get(name) is not None for name in evidence_of(algorithm))
        built = _unread(algorithm, parameters) if lacking else algorithm(**parameters)
        return built, named, bool(lacking)
    except (TypeError, ValueError):
        raise PolicyError(f"{item['name']} — its parameters are damaged or were edited") from None


def _unread(algorithm: Any, parameters: Mapping[str, Any]) -> Any:
    """A criterion whose source is not at hand. Some read it at once; of these only name and bound can be told."""
    try:
        return algorithm(**parameters)
    except DataError:
        built = object.__new__(algorithm)
        for name, field in known_fields(algorithm).items():
            object.__setattr__(built, name, parameters.get(name, field.default))
        return built


def _own_trees(built: Any, columns: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """The columns whose hierarchy a criterion reads (`reads_trees` names their role), and which is a steward's own."""
    role, only = getattr(built, "reads_trees", None), getattr(built, "column", None)
    mine = {name for name, facts in columns.items() if role is not None and facts.get("role") == str(role)}
    return {name for name in mine if columns[name].get("hierarchy") == OWN and only in (None, name)}


def _refuse_unknown_words(algorithm: Any, parameters: Mapping[str, Any]) -> None:
    """A parameter that takes one of a few words takes no other."""
    hints = get_type_hints(algorithm)
    for name, value in parameters.items():
        if get_origin(hints.get(name)) is Literal and value not in get_args(hints[name]):
            raise ValueError(name)


def _attested(built: Any, claims: list[Mapping[str, Any]], note: str) -> Finding:
    """What the certificate claims, for the bound that its policy asks for. Nothing was re-checked."""
    claimed = claims[0] if claims else {}
    unit, ok = claimed.get("unit", ""), claimed.get("ok")
    told = Finding(built.name, None, None, built.bound, built.sense, ok if isinstance(ok, bool) else None, unit=unit)
    return told.at(Tier.ATTESTED, note)


def _promises(claim: Mapping[str, Any]) -> list[Finding]:
    """Bounds on utility, as the certificate claims them: measuring takes the original, which no release holds."""
    return [
        Finding(one["name"], None, None, exact_number(one["bound"]), one["sense"], one.get("ok") is True or None).at(
            Tier.ATTESTED, NEEDS_ORIGINAL
        )
        for one in claim.get("utility", [])
    ]


def _persons(layout: Layout, name: str, claim: Mapping[str, Any]) -> tuple[Any, Tier, str]:
    """Evidence about persons, who can re-check with it, and what to say if it is not here."""
    where = claim["persons"]
    if where in ("published", "none"):
        return None, Tier.RECIPIENT, ""
    if layout.internal is not None:
        path = layout.internal / "persons" / f"{name}.parquet"
        if path.is_file() and sha256(path) == claim["persons_sha256"]:
            return Source(path, "parquet").read(), Tier.STEWARD, ""
        if path.is_file():
            raise DataError(f"internal/persons/{name}.parquet — not the file that was certified")
    return None, Tier.ATTESTED, "records were counted; that they are so many persons is the certificate's word"


def _required(certificate: Mapping[str, Any], name: str) -> list[Any]:
    """The criteria that the embedded policy asks for."""
    return list(certificate["policy"]["redacted"]["datasets"][name]["require"])


def _claim_problems(name: str, claim: Mapping[str, Any], findings: tuple[Finding, ...]) -> list[str]:
    """What fails, and what the certificate says differently from the files."""
    problems = [f"{name}: {finding}" for finding in findings if finding.failed]
    for finding, claimed in zip(findings, claim["findings"], strict=False):
        told = public_finding(finding)
        if claimed.get("ok") is not True:
            problems.append(f"{name}: the certificate itself says that {finding.name} does not hold")
        shared = {"name", "bound", "sense"} | ({"value"} if finding.tier is Tier.RECIPIENT else set())
        shared |= {"unit"} if finding.tier is not Tier.ATTESTED else set()
        tier = Tier.RECIPIENT if finding.tier is Tier.RECIPIENT else Tier.STEWARD
        if any(told.get(part) != claimed.get(part) for part in shared) or claimed.get("tier") != tier:
            problems.append(f"{name}: {finding.name} — the certificate claims something else than the files show")
    return problems


def _cautions(findings: Mapping[str, tuple[Finding, ...]], with_key: bool) -> tuple[str, ...]:
    told = []
    if not with_key:
        told.append("without a signature and --key, a rewrite that re-made every hash cannot be detected")
    attested = [f for found in findings.values() for f in found if f.tier is Tier.ATTESTED]
    if any(f.note == NEEDS_ORIGINAL for f in attested):
        told.append(f"bounds on utility: {NEEDS_ORIGINAL}")
    if any(f.note != NEEDS_ORIGINAL for f in attested):
        told.append(
            "attested claims rest on the certificate's word; the internal folder, or a folder with the named sources,"
            " lets a steward check them (--with)"
        )
    return tuple(told)
