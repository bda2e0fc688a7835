"""Verify what a release claims of datasets of the same people taken together, from the published files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import cast

from sharewell.errors import DataError, MissingExtra, SharewellError
from sharewell.findings import Finding, Tier
from sharewell.io.plain_files import sha256
from sharewell.io.sources import Source
from sharewell.pipeline.certificate import CERTIFICATE, DAMAGED, Layout, read_certificate
from sharewell.pipeline.claim_check import exact_number
from sharewell.pipeline.claims import criterion
from sharewell.pipeline.evidence import EvidenceStore
from sharewell.pipeline.integrity import alterations
from sharewell.pipeline.manifest import internal_folder
from sharewell.pipeline.reopen import FOR_EVERYBODY, reopen
from sharewell.pipeline.together import (
    SEVERAL,
    Joint,
    concerned,
    criterion_of,
    judge_asked,
    judge_together,
    speaks_of,
)
from sharewell.plain_data import Json
from sharewell.policy.people import connected
from sharewell.policy.person_tie import TOGETHER
from sharewell.policy.sources import evidence
from sharewell.protocols import JointCriterion, PublishedDataset
from sharewell.roles import Role
from sharewell.spelling import fold
from sharewell.wing import PEOPLE, Claim

PUBLIC = "public"
WITHOUT_EARLIER = "an earlier release was not available: only the certificate says so"
WITHOUT_EVIDENCE = "judging datasets together requires the steward's evidence: only the certificate says so"


@dataclass(frozen=True)
class Earlier:
    """An earlier release about the same people, as its public folder shows it."""

    name: str
    certificate_sha256: str
    layout: Layout
    certificate: Mapping[str, Json]

    @classmethod
    def open(cls, folder: Path) -> Earlier:
        """DataError unless it is as it was released, as far as its hashes and signatures tell."""
        layout = Layout.of(folder)
        certificate = read_certificate(layout.public)
        name = certificate.get("release", {}).get("name")
        if not isinstance(name, str):
            raise DataError(f"{folder.name} — its certificate does not name the release — it is damaged or was edited")
        if altered := alterations(layout, certificate):
            more = f", and {len(altered) - 1} more" if len(altered) > 1 else ""
            what = f"the earlier release does not verify ({altered[0]}{more})"
            how = "name the folder as it was released; `sharewell verify` lists all that is wrong with it"
            raise DataError(f"{folder} — {what} — {how}")
        return cls(name, sha256(layout.public / CERTIFICATE), layout, certificate)

    def claim(self, dataset: str) -> Claim:
        """What its certificate says of one dataset."""
        return Claim.from_json(self.certificate["datasets"][dataset])

    def titles(self) -> dict[str, str]:
        """How its datasets are called here → by their own names."""
        return {f"{name} of {self.name}": name for name in self.certificate["datasets"]}

    def publicly(self) -> dict[str, str]:
        return {"name": self.name, "certificate_sha256": self.certificate_sha256}


def judge_written(
    layout: Layout, certificate: Mapping[str, Json], evidence: EvidenceStore, earlier: Sequence[Earlier]
) -> list[Joint]:
    """Every joint criterion, from the written files of this release and of earlier ones."""
    claims = certificate["datasets"]
    embedded = certificate["policy"]["redacted"]["datasets"]
    before = {title: (one, name) for one in earlier for title, name in one.titles().items()}
    ours = {name: Claim.from_json(claim) for name, claim in claims.items()}
    wanted = set(ours) | set(before) if before else _sharing(embedded)
    if wanted:  # else no joint criterion is even loaded
        wanted &= concerned("criteria", ours | {title: one.claim(name) for title, (one, name) in before.items()})
    asked = asked_criteria(certificate, evidence)
    named = {name for one in asked for name in one.criterion.named_datasets}
    opened: dict[str, PublishedDataset] = {}
    tiers: dict[str, Tier] = {}
    shown: dict[str, Tier] = {}
    for name in sorted((wanted | named) & set(claims), key=list(claims).index):
        opened[name], tiers[name], shown[name] = _published(layout, name, ours[name], embedded[name], evidence)
        opened[name] = replace(opened[name], internal=internal_folder(layout, name, finished=False))
    here = {name: one for name, one in opened.items() if name in wanted}
    known = []
    for title in sorted(wanted & set(before)):
        one, name = before[title]
        rules = one.certificate["policy"]["redacted"]["datasets"][name]
        dataset, tiers[title], _ = _published(one.layout, name, one.claim(name), rules, evidence)
        internal = internal_folder(one.layout, name, finished=True)
        known.append(replace(dataset, release=one.name, people=frozenset(), counted=None, internal=internal))
    every = {**dict.fromkeys(here), **dict.fromkeys(one.title for one in known)}
    attested = any(tiers[name] is Tier.ATTESTED for name in every)
    tier = Tier.ATTESTED if attested else Tier.STEWARD
    nameless = {one.title for one in (*here.values(), *known) if not _tells_people(one)}
    if certificate["policy"]["redacted"]["release"].get("same_identifiers") is True:
        here = {name: replace(one, same_identifiers=True) for name, one in here.items()}
        known = [replace(one, same_identifiers=True) for one in known]
    judged = judge_together(here, known)
    unknown = [criterion_of(one).needs_people and bool(nameless & {*one.datasets}) for one in judged]
    results = [
        Joint(one.datasets, _at(one.finding, Tier.ATTESTED if lacks else tier))
        for one, lacks in zip(judged, unknown, strict=True)
    ]
    lacking = {name for name in named if shown.get(name) is Tier.ATTESTED}
    for item in asked:
        joint = judge_asked(item.criterion, opened, lacking, undecided=item.lacks_source)
        tiers_of = [shown[name] for name in joint.datasets]
        tiers_of += [Tier.ATTESTED if item.lacks_source else Tier.STEWARD] if item.names_source else []
        results.append(Joint(joint.datasets, _asked_at(joint.finding, tiers_of)))
    return results


@dataclass(frozen=True)
class Asked:
    """A joint criterion that the embedded policy asks for."""

    criterion: JointCriterion
    names_source: bool
    """Does it name a file, such as a list of people?"""
    lacks_source: bool
    """Is that file not at hand?"""


def asked_criteria(certificate: Mapping[str, Json], evidence: EvidenceStore) -> list[Asked]:
    """The joint criteria that the embedded policy asks for."""
    person = certificate["policy"]["redacted"].get("person") or {"require": []}
    built = [criterion(TOGETHER, item, evidence) for item in person["require"]]
    return [Asked(cast("JointCriterion", one), named, lacking) for one, named, lacking in built]


def _asked_at(finding: Finding, tiers: Sequence[Tier]) -> Finding:
    """Who can re-check it: anybody, if all datasets show whose their records are."""
    if Tier.ATTESTED in tiers:
        return finding.at(Tier.ATTESTED, WITHOUT_EVIDENCE)
    return finding.at(Tier.RECIPIENT if all(one is Tier.RECIPIENT for one in tiers) else Tier.STEWARD)


def _sharing(embedded: Mapping[str, Mapping[str, Json]]) -> set[str]:
    """Datasets of one release that share people with another one of it; nothing else is read to judge them together."""
    labels = {name: frozenset(map(int, asked["people"])) for name, asked in embedded.items()}
    return {name for names in connected(labels) if len(names) > 1 for name in names}


def _tells_people(dataset: PublishedDataset) -> bool:
    """Is the evidence of whose each row is at hand?"""
    return dataset.internal is not None and (dataset.internal / PEOPLE).is_file()


def _at(finding: Finding, tier: Tier) -> Finding:
    """Without the evidence the verdict is worth only what the published cells show; a failure counts all the same."""
    if tier is Tier.ATTESTED and finding.ok is not False:
        return finding.at(tier, finding.note if finding.ok is None and finding.note else WITHOUT_EVIDENCE)
    return finding.at(Tier.STEWARD if tier is Tier.STEWARD else Tier.RECIPIENT)


def _published(
    layout: Layout, name: str, claim: Claim, asked: Mapping[str, Json], evidence: EvidenceStore
) -> tuple[PublishedDataset, Tier, Tier]:
    """The dataset, who can judge what it requires by itself, and who can tell whose its records are."""
    data, shown, _ = reopen(layout, name, claim, evidence)
    criteria = [criterion(claim.kind, item, evidence) for item in asked["require"]]
    tier = Tier.ATTESTED if any(lacking for _, _, lacking in criteria) else shown
    people = frozenset(int(label) for label in asked["people"])
    counted = asked.get("counted")
    file = Source.named(layout.public / claim.file)
    dataset = PublishedDataset(
        name,
        data,
        file,
        claim.kind,
        tuple(built for built, _, _ in criteria),
        people,
        columns=claim.columns,
        renamed=dict(asked.get("renamed", {})),
        falsified=claim.falsified,
        counted=None if counted is None else int(counted),
    )
    return dataset, tier, shown


def verify_together(
    layout: Layout,
    certificate: Mapping[str, Json],
    evidence: EvidenceStore,
    folders: Sequence[Path],
    known: Sequence[Joint] | None = None,
) -> tuple[tuple[Finding, ...], list[str]]:
    """The joint findings, and what is wrong with the joint claims of the certificate.

    known: what was found in the same bytes already.
    """
    try:
        claimed = list(certificate["together"]["judged"])
        listed = [set(pair) for pair in certificate["together"]["not_judged"]]
        earlier, lacking = _earlier(certificate["after"], folders)
        if lacking:
            joint = [_attested(one, WITHOUT_EARLIER) for one in claimed]
        else:
            judged = judge_written(layout, certificate, evidence, earlier) if known is None else known
            joint = [_or_attested(one, claimed) for one in judged]
        problems = _differences(certificate["datasets"], claimed, joint) + _strangers(
            certificate, [*(one["datasets"] for one in claimed), *listed]
        )
        problems += _unlisted(certificate, earlier, joint, listed, lacking)
    except MissingExtra:
        raise
    except SharewellError as error:
        return (), [f"{SEVERAL}: {line}" for line in str(error).splitlines()]
    except DAMAGED:
        return (), [f"{SEVERAL}: the certificate's entry is damaged or was edited"]
    return tuple(one.finding for one in joint), problems


def _earlier(named: Sequence[Mapping[str, str]], folders: Sequence[Path]) -> tuple[list[Earlier], bool]:
    """The earlier releases that the certificate names, found by the hash of their certificates; are some missing?"""
    wanted = {one["certificate_sha256"] for one in named}
    results: dict[str, Earlier] = {}
    for folder in folders if wanted else ():
        for path in sorted(folder.rglob(CERTIFICATE)):
            if path.is_file() and not path.is_symlink() and (digest := sha256(path)) in wanted - set(results):
                whole = path.parent.name == PUBLIC and (path.parent.parent / "internal").is_dir()
                results[digest] = Earlier.open(path.parent.parent if whole else path.parent)
    return list(results.values()), len(results) < len(wanted)


def _or_attested(one: Joint, claimed: Sequence[Mapping[str, Json]]) -> Joint:
    """Where only the steward's evidence could tell, the certificate's word."""
    if one.finding.tier is not Tier.ATTESTED:
        return one
    same = [claim for claim in claimed if (claim["name"], tuple(claim["datasets"])) == (one.finding.name, one.datasets)]
    if not same:
        return one
    result, claimed_part = one.finding, _attested(same[0], WITHOUT_EVIDENCE).finding
    # An undecided one may name the bound of another dataset than a decided one.
    same_bound = result.bound is not None and Fraction(result.bound) == claimed_part.bound
    bound = claimed_part.bound if same_bound or (result.ok is None and result.bound) else result.bound
    return replace(one, finding=replace(claimed_part, sense=result.sense, bound=bound, unit=result.unit))


def _attested(claim: Mapping[str, Json], why: str) -> Joint:
    if claim["sense"] not in ("≥", "≤"):
        raise ValueError("no such sense")
    ok = claim.get("ok") is True or None
    unit = str(claim.get("unit", ""))
    finding = Finding(str(claim["name"]), None, None, exact_number(claim["bound"]), claim["sense"], ok, unit=unit)
    return Joint(tuple(map(str, claim["datasets"])), finding.at(Tier.ATTESTED, why))


def _differences(
    datasets: Mapping[str, Json], claimed: Sequence[Mapping[str, Json]], joint: Sequence[Joint]
) -> list[str]:
    """What fails, and what the certificate says differently from the files."""
    problems = [f"{' and '.join(one.datasets)}: {one.finding}" for one in joint if one.finding.failed]
    facts = [(one["name"], tuple(one["datasets"]), one["ok"]) for one in claimed]
    same = facts == [(one.finding.name, one.datasets, True) for one in joint]
    if not same or not all(_as_claimed(datasets, one, claim) for one, claim in zip(joint, claimed, strict=True)):
        problems.append(f"{SEVERAL}: the certificate claims something else than the files show")
    return problems


def _as_claimed(datasets: Mapping[str, Json], one: Joint, claimed: Mapping[str, Json]) -> bool:
    """Does the certificate say what was found, in full where it was re-checked?"""
    if one.finding.tier is not Tier.ATTESTED and claimed.get("tier") == one.finding.tier:
        return {**one.publicly(), "ok": True} == {**claimed, "ok": True}
    result = one.finding
    terms = (claimed["sense"], exact_number(claimed["bound"]), claimed.get("unit", ""))
    return terms == (result.sense, Fraction(result.bound or 0), result.unit) and claimed["tier"] in _tiers(
        datasets, one
    )


def _tiers(datasets: Mapping[str, Json], one: Joint) -> tuple[Tier, ...]:
    """What a release can say of who can re-check a joint claim: anybody, only if every dataset shows its persons."""
    if not criterion_of(one).asked:
        return Tier.STEWARD, Tier.ATTESTED
    shown = all(datasets[name]["persons"] in FOR_EVERYBODY for name in one.datasets)
    return (Tier.RECIPIENT,) if shown and not evidence(criterion_of(one)) else (Tier.STEWARD,)


def _unlisted(
    certificate: Mapping[str, Json],
    earlier: Sequence[Earlier],
    joint: Sequence[Joint],
    listed: Sequence[set[str]],
    lacking: bool,
) -> list[str]:
    """Every pair that is or may be about the same people is judged or listed, and no other is listed.

    That is: datasets that read the same file, that call their persons alike, or of this and an earlier release.
    lacking: was an earlier release not at hand? Then nobody knows its datasets.
    """
    embedded = certificate["policy"]["redacted"]["datasets"]
    people = {name: _signs_of_people(asked, certificate["datasets"][name]) for name, asked in embedded.items()}
    kinds = {name: claim["kind"] for name, claim in certificate["datasets"].items()}
    before = {title: one.claim(name).kind for one in earlier for title, name in one.titles().items()}
    names = list(people)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[:i] if people[a] & people[b]]
    pairs += [(name, title) for name in names for title in before]
    kinds |= before
    silent = [
        sorted(pair)
        for pair in pairs
        if set(pair) not in listed and not any(speaks_of(one, *pair, kinds) for one in joint)
    ]
    what = "about the same people, and the certificate neither judges them together nor lists them"
    problems = [f"{' and '.join(pair)}: {what}" for pair in silent]
    listable = [set(pair) for pair in pairs if not any(speaks_of(one, *pair, kinds) for one in joint)]
    if not lacking and any(pair not in listable for pair in listed):
        problems.append(f"{SEVERAL}: the certificate lists a pair that is not about the same people, or was judged")
    return problems


def _strangers(certificate: Mapping[str, Json], named: Sequence[Iterable[str]]) -> list[str]:
    """Joint claims speak of datasets of this release and of the earlier ones that the certificate names."""
    ends = tuple(f" of {one['name']}" for one in certificate["after"])
    known = certificate["datasets"]
    strange = [title for titles in named for title in titles if title not in known and not title.endswith(ends)]
    few = any(len({*titles}) < 2 for titles in named)
    what = "the certificate speaks of datasets that belong neither to it nor to an earlier release that it names"
    return [f"{SEVERAL}: {what}"] if strange or few else []


def _signs_of_people(asked: Mapping[str, Json], claim: Mapping[str, Json]) -> set[tuple[str, int | str]]:
    """The files that a dataset reads and the names of its persons' columns by their labels, and published names."""
    shown = {name for name, facts in claim["columns"].items() if facts.get("role") == Role.SUBJECT}
    return (
        {("file", int(label)) for label in asked["people"]}
        | {("subject", int(label)) for label in asked["subjects"]}
        | ({("tied", 0)} if asked.get("tied") else set())
        | {("column", fold(name)) for name in shown}
    )


def open_earlier(folders: Sequence[Path]) -> list[Earlier]:
    """The earlier releases that a policy names; each must be whole, and none may have the name of another."""
    results = [Earlier.open(folder) for folder in folders]
    if len({one.name for one in results}) < len(results):
        raise DataError("release.after — two of the earlier releases have the same name — name each folder once")
    known = {one.certificate_sha256 for one in results}
    for one in results:
        unnamed = [
            str(before.get("name")) for before in one.certificate["after"] if before["certificate_sha256"] not in known
        ]
        if unnamed:
            what = f"{one.name} was judged together with {', '.join(unnamed)}"
            raise DataError(f"release.after — {what} — name the folders of these releases, too")
    return results
