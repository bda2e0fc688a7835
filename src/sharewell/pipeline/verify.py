"""Verify: judge a release from its files, as a stranger would. Imports nothing from any mechanism.

Four questions, all of them answered before the verdict, whatever fails:

1. Are the files the ones that were certified? (hashes, and no file more or less)
2. Does the certificate agree with itself and with the policy it embeds?
3. Does every criterion of the policy hold in the published cells, grouped anew?
4. Who signed it, and who approved it?
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from sharewell import registry
from sharewell.errors import DataError, MissingExtra, SharewellError, VerificationFailed
from sharewell.extras import NeedsPackages, refuse_missing
from sharewell.findings import Finding, Tier, html_of_findings
from sharewell.hierarchy.certified_names import OWN
from sharewell.io.sources import Source
from sharewell.io.writing import read_bytes, read_json
from sharewell.io.yaml_positions import parse
from sharewell.keys import Key
from sharewell.pipeline import sized_steps
from sharewell.pipeline.certificate import (
    DAMAGED,
    POLICY,
    REDACTED,
    Layout,
    file_hashes,
    public_finding,
    read_certificate,
    refuse_older,
)
from sharewell.pipeline.claim_check import exact_number
from sharewell.pipeline.claim_lines import ClaimLines, counting_records
from sharewell.pipeline.claims import attested, criterion
from sharewell.pipeline.evidence import NO_SALT, EvidenceStore
from sharewell.pipeline.integrity import (
    approval_problems,
    commitment_problems,
    file_problems,
    policy_problems,
    signature_problems,
)
from sharewell.pipeline.manifest import MANIFEST, manifest_problems
from sharewell.pipeline.page_check import but_for_style, readme_problems
from sharewell.pipeline.reopen import RECORDS_COUNTED, lacks_names, reopen
from sharewell.pipeline.salted_hashes import Salt, salt_in
from sharewell.pipeline.text_columns_check import judge_texts, text_problems
from sharewell.pipeline.together import SEVERAL, Joint
from sharewell.pipeline.verdict_facts import Cautions
from sharewell.pipeline.verify_together import verify_together
from sharewell.plain_data import Json
from sharewell.progress import PartsOf, Progress, SizedStep
from sharewell.protocols import AnyCriterion
from sharewell.wing import Claim, ColumnFacts, Records

RECORDS = ("record", "note")
"""Units of criteria that do not ask whose a record is."""
INTERNAL = ("redacted.json", "persons")
"""By what an internal folder is recognised."""
NEEDS_EVIDENCE = "checking what is not published requires the steward's evidence: only the certificate says so"
DRAWS_UNSEEN = "what the dictionary states about the draws was recomputed; that values were drawn so, no file shows"
UNSIGNED = (
    "Unsigned: someone could have altered the files and recomputed the hashes."
    " Ask for the signer's public key and pass --key."
)
SIGNER_UNKNOWN = (
    "Signed, but anyone can sign: someone could have altered the files and signed them with a key of their own."
    " Ask for the signer's public key and pass --key."
)
NEEDS_ORIGINAL = "measuring the loss requires the original: only the certificate says so"


Verdict = Literal["verified", "partly verified", "not re-checked", "failed"]


@dataclass(frozen=True)
class Verification:
    """What was found, criterion by criterion, and everything that is wrong."""

    findings: Mapping[str, tuple[Finding, ...]]
    problems: tuple[str, ...]
    signer: str
    """In words: who signed, or why that is not established."""
    cautions: tuple[str, ...] = field(default=())
    """What this verification could not detect."""
    approval: str = "not approved"
    """In words: who approved the release, or why that is not established."""
    not_covered: tuple[str, ...] = field(default=())
    """What neither the certificate nor the manifest of internal/ speaks for."""
    claims: ClaimLines = field(default=ClaimLines())
    """What the certificate claims, in words: so that a weakened claim can be seen."""
    facts: Cautions = field(default=Cautions())
    """What stands beside the verdict: who re-checked it, what is published as it is, what was not measured."""

    @property
    def ok(self) -> bool:
        return not self.problems

    @property
    def attested(self) -> int:
        """How many claims rest on the certificate's word alone."""
        return sum(f.tier is Tier.ATTESTED for result in self.findings.values() for f in result)

    @property
    def rechecked(self) -> int:
        """How many claims were re-checked from files, wholly or in part."""
        return sum(
            any(one.tier is not Tier.ATTESTED for one in (finding, *finding.parts))
            for result in self.findings.values()
            for finding in result
        )

    @property
    def verdict(self) -> Verdict:
        """In one word or two. That nothing is wrong does not mean that anything was re-checked."""
        if not self.ok:
            return "failed"
        if not self.rechecked:
            return "not re-checked"
        return "partly verified" if self.attested else "verified"

    def _repr_html_(self) -> str:
        from sharewell import notebook

        tables = [html_of_findings(result, name) for name, result in self.findings.items()]
        problems = [f"FAILS: {problem}" for problem in self.problems]
        counted = {tier: sum(f.tier is tier for result in self.findings.values() for f in result) for tier in Tier}
        tiers = ", ".join(f"{count} {tier}" for tier, count in counted.items() if count)
        summary = f"{len(self.problems)} problem(s); claims by who can re-check them: {tiers or 'none'}"
        more = [f"signer: {self.signer}", f"approval: {self.approval}", *self.cautions]
        return notebook.whole(notebook.paragraph(summary, *problems), *tables, notebook.paragraph(*more))

    def raise_if_failed(self) -> Verification:
        if self.problems:
            raise VerificationFailed(f"{len(self.problems)} thing(s) do not hold:", self.problems)
        return self


@dataclass(frozen=True)
class Judgement:
    """What the criteria found in written files, and the hashes of these files."""

    datasets: Mapping[str, tuple[Finding, ...]]
    texts: Mapping[str, tuple[Finding, ...]]
    together: Sequence[Joint]
    files: Mapping[str, str]

    def is_of(self, public: Path) -> bool:
        """Are the files still those that were judged, and did nothing rest on a word alone?"""
        findings = (*self.datasets.values(), *self.texts.values(), [one.finding for one in self.together])
        return file_hashes(public) == self.files and not any(
            finding.tier is Tier.ATTESTED for result in findings for finding in result
        )


def verify(
    directory: Path,
    *,
    with_: Path | None = None,
    key: Path | None = None,
    approver: Path | None = None,
    secret: bytes | None = None,
    sources: Sequence[Source] = (),
    earlier: Sequence[Path] = (),
    judgement: Judgement | None = None,
    progress: Progress = lambda step: None,
) -> Verification:
    """Judge a release directory, or a public folder with (`with_`) or without internal evidence.

    key, approver: the public keys that must have signed and approved the release.
    secret: the secret key of the release; it must be the one that the certificate commits to.
    Sources that the policy names are looked for in the internal folder, under `with_` and among `sources`. Their hashes
    are salted: to recognise them takes `internal/salt.json` (in the internal folder or in `with_`), or the secret.
    Earlier releases that it names are looked for under `with_` and in the folders `earlier`.
    judgement: what criteria found in these very files a moment ago; they are not judged again if no byte changed.
    """
    layout = Layout.of(directory, with_)
    if judgement is not None and not judgement.is_of(layout.public):
        judgement = None
    refuse_older(layout.public)
    if layout.internal is not None and not any((layout.internal / part).exists() for part in INTERNAL):
        own = directory / "internal"  # `with_` brings sources alone
        layout = Layout(layout.public, own if own.is_dir() else None)
    folders = dict.fromkeys(folder for folder in (layout.internal, with_, layout.public) if folder is not None)
    problems: list[str] = []
    release_key = None if secret is None else Key.from_secret(secret)
    try:
        certificate = read_certificate(layout.public)
    except DataError as error:
        signer, wrong = signature_problems(layout.public, key, None)
        return Verification({}, (*file_problems(layout.public, {}), str(error), *wrong), signer)
    salt = _salt(certificate, release_key, [folder for folder in folders if folder != layout.public])
    evidence = EvidenceStore(list(folders), sources, salt=salt)
    signed_by = certificate.get("signed_by")
    progress(SizedStep.of("hashing the files", "hashing a release", sized_steps.release_bytes(directory)))
    problems += file_problems(layout.public, certificate)
    problems += readme_problems(layout.public, certificate)
    problems += policy_problems(layout, certificate, salt)
    problems += commitment_problems(certificate, release_key)
    refuse_missing(_algorithms(certificate))
    findings, wrong = _each_dataset(layout, certificate, evidence, judgement, progress)
    problems += wrong
    known = None if judgement is None else judgement.together
    progress("verifying all of them together")
    joint, wrong = verify_together(layout, certificate, evidence, [*folders, *earlier], known)
    findings |= {SEVERAL: joint} if joint else {}
    problems += wrong
    signer, wrong = signature_problems(layout.public, key, signed_by)
    approval, not_approved = approval_problems(layout.public, approver, signed_by)
    in_internal, not_covered = _internal(layout, with_, key, signed_by)
    problems += [*wrong, *not_approved, *in_internal]
    cautions = _cautions(certificate, findings, key)
    claims = ClaimLines.of(certificate, findings)
    facts = Cautions.of(certificate).rechecked([one.tier for result in findings.values() for one in result])
    return Verification(findings, tuple(problems), signer, cautions, approval, tuple(not_covered), claims, facts)


def _each_dataset(
    layout: Layout,
    certificate: Mapping[str, Json],
    evidence: EvidenceStore,
    known: Judgement | None,
    progress: Progress,
) -> tuple[dict[str, tuple[Finding, ...]], list[str]]:
    """Every dataset by itself: what holds, and what is wrong."""
    findings: dict[str, tuple[Finding, ...]] = {}
    problems: list[str] = []
    claims = certificate.get("datasets")
    claims = claims if isinstance(claims, dict) else {}
    begin = PartsOf("verifying", len(claims), progress)
    for name, entry in claims.items():
        try:
            claim = Claim.from_json(entry)
            begin(name, sized_steps.verifying_work(claim.kind), sized_steps.claimed_cells(claim))
            asked = certificate["policy"]["redacted"]["datasets"][name]
            judged = known.datasets[name] if known else judge(layout, name, claim, asked, evidence)
            problems += _claim_problems(name, claim, judged)
            texts = known.texts[name] if known else judge_texts(layout, name, claim, asked, evidence)
            problems += [f"{name}: {problem}" for problem in text_problems(claim, texts)]
            findings[name] = (*judged, *texts, *_promises(claim))
            problems += [f"{name}: {finding}" for finding in _promises(claim) if finding.failed]
        except MissingExtra:
            raise
        except SharewellError as error:
            problems += [f"{name}: {line}" for line in str(error).splitlines()]
        except DAMAGED:
            problems.append(f"{name}: the certificate's entry is damaged or was edited")
    return findings, problems


def _salt(certificate: Mapping[str, Json], key: Key | None, folders: Sequence[Path]) -> Salt | None:
    """The salt of the published hashes: from the secret key, or from a folder."""
    salt_claim = certificate.get("salt")
    nonce = salt_claim.get("nonce") if isinstance(salt_claim, Mapping) else None
    if key is not None and isinstance(nonce, str):
        return Salt(nonce, key.salt(nonce))
    return next((salt for folder in folders if (salt := salt_in(folder, nonce)) is not None), None)


def _internal(layout: Layout, with_: Path | None, key: Path | None, signed_by: Json) -> tuple[list[str], list[str]]:
    """What is wrong with internal/, and what nothing speaks for."""
    if layout.internal is None:
        return [], ["internal/: not at hand"]
    brought = with_ is not None and layout.internal in (with_, with_ / "internal")
    if brought and not any((layout.internal / name).exists() for name in (MANIFEST, REDACTED)):
        return [], ["internal/: only a part of it was given, without its manifest"]
    problems, not_covered = manifest_problems(layout, key, signed_by)
    audit = layout.public.parent.parent / "audit.jsonl"
    beside = layout.internal == layout.public.parent / "internal" and audit.is_file()
    return problems, not_covered + (["audit.jsonl beside the release"] if beside else [])


def judge(
    layout: Layout, name: str, claim: Claim, asked: Mapping[str, Json], evidence: EvidenceStore | None = None
) -> tuple[Finding, ...]:
    """Every criterion of one dataset, from the published file. The tier says what had to be opened for it.

    asked: what the policy that the certificate embeds says of the dataset.
    """
    evidence = evidence or EvidenceStore()
    _, no_tree = evidence.trees(claim.columns)
    data, tier, note = reopen(layout, name, claim, evidence)
    if data.rows != claim.rows:
        raise DataError(f"{claim.file} — {data.rows} rows where the certificate says {claim.rows}")
    _refuse_odd_pages(layout, name, claim, data)
    _refuse_departures(layout, name, claim, data)
    if wrong := registry.wing(claim.kind).contradictions(data, claim, asked):
        raise DataError("\n".join(wrong))
    result, nameless = [], lacks_names(layout, name, claim)
    for i, item in enumerate(asked["require"]):
        built, named, lacking = criterion(claim.kind, item, evidence)
        own = _own_trees(built, claim.columns)
        named, lacking = named or bool(own), lacking or bool(own & set(no_tree))
        if built.needs_evidence:  # true cells, say, of which the file shows a part
            named, note = True, note and NEEDS_EVIDENCE
        by_person = built.unit not in RECORDS
        reached = tier if by_person else Tier.RECIPIENT
        if built.draws_unseen and not lacking:
            result.append(built.check(data).at(Tier.ATTESTED, DRAWS_UNSEEN))
        elif lacking or (named and (nameless or reached is Tier.ATTESTED)):
            why = evidence.lacking_note if lacking else note or NEEDS_EVIDENCE
            claimed = attested(built, list(claim.findings or ())[i : i + 1], why)
            shown = () if lacking else built.publicly(data)
            result.append(replace(claimed, parts=tuple(part.at(Tier.RECIPIENT) for part in shown)))
        elif named:
            result.append(built.check(data).at(Tier.STEWARD))
        else:
            result.append(built.check(data).at(reached, note if by_person else ""))
    return tuple(result)


def _refuse_odd_pages(layout: Layout, name: str, claim: Claim, data: Records) -> None:
    """Where a wing says the same on pages beside the file of a dataset, it must be the same, and no page more."""
    readable = registry.wing(claim.kind).capabilities().pages
    pages = {} if readable is None else readable.pages(data, claim.columns)
    if sorted(claim.pages) != sorted(f"{name}{ending}" for ending in pages):
        raise DataError(f"{name} — the certificate names pages that do not belong to such a dataset, or leaves one out")
    for ending, content in pages.items():
        path = layout.public / f"{name}{ending}"
        if isinstance(content, str):  # a page looks as its version had it look
            shown = but_for_style(read_bytes(path).decode("utf-8", "replace"))
            same = shown is not None and shown == but_for_style(content)
        else:
            same = read_json(path) == content
        if not same:
            raise DataError(f"{name}{ending} — does not say what {claim.file} says")


def _refuse_departures(layout: Layout, name: str, claim: Claim, data: Records) -> None:
    """What only the internal folder says must be what the policy in it says, where a wing can tell."""
    comparison, path = registry.wing(claim.kind).capabilities().policy, layout.internal and layout.internal / POLICY
    if path is not None and path.is_file() and comparison is not None:
        policy = parse(read_bytes(path).decode("utf-8-sig", "replace"))
        for what in comparison.departures(data, name, policy):
            raise DataError(f"{name} — {what}")


def _own_trees(built: AnyCriterion, columns: Mapping[str, ColumnFacts]) -> set[str]:
    """The columns whose hierarchy a criterion reads (`reads_trees` names their role), and which is a steward's own."""
    role, only = built.reads_trees, built.column
    mine = {name for name, facts in columns.items() if role is not None and facts.get("role") == str(role)}
    return {name for name in mine if columns[name].get("hierarchy") == OWN and only in (None, name)}


def _promises(claim: Claim) -> list[Finding]:
    """Bounds on utility, as the certificate claims them: measuring takes the original, which no release holds."""
    return [
        Finding(one["name"], None, None, exact_number(one["bound"]), one["sense"], one.get("ok") is True or None).at(
            Tier.ATTESTED, NEEDS_ORIGINAL
        )
        for one in claim.utility or ()
    ]


def _algorithms(certificate: Mapping[str, Json]) -> Iterator[tuple[str, NeedsPackages]]:
    """The criteria that will be checked, as far as the certificate can be read."""
    with suppress(KeyError, TypeError, AttributeError, SharewellError):
        for name, claim in certificate["datasets"].items():
            for item in certificate["policy"]["redacted"]["datasets"][name]["require"]:
                yield item["name"], registry.lookup(claim["kind"], "criteria", item["name"])


def _claim_problems(name: str, claim: Claim, findings: tuple[Finding, ...]) -> list[str]:
    """What fails, and what the certificate says differently from the files."""
    failed = [part for f in findings if f.failed for part in ([p for p in f.parts if p.failed] or [f])]
    problems = [f"{name}: {finding}" for finding in failed]
    for finding, claimed in zip(findings, claim.findings or (), strict=False):
        if claimed.get("ok") is not True:
            problems.append(f"{name}: the certificate itself says that {finding.name} does not hold")
        if not _as_claimed(finding, claimed, registry.wing(claim.kind).counted_without_persons):
            problems.append(f"{name}: {finding.name} — the certificate claims something else than the files show")
    return problems


def _as_claimed(finding: Finding, claimed: Mapping[str, Json], counted: str) -> bool:
    """Does the certificate say what was found? Of a claim that was not re-checked, whatever does not take evidence.

    counted: what findings of this kind of data count where persons are not known.
    """
    claim = public_finding(finding)
    if finding.tier is not Tier.ATTESTED or finding.note == DRAWS_UNSEEN:
        return {**claim, "ok": True} == {**claimed, "ok": True}
    if counted and finding.note == RECORDS_COUNTED:
        claim["unit"] = finding.unit.replace(counted, "persons")
    shared = all(claimed.get(part, "") == claim.get(part, "") for part in ("name", "bound", "sense", "unit"))
    return shared and claimed.get("tier") == Tier.STEWARD


def _cautions(
    certificate: Mapping[str, Json], findings: Mapping[str, tuple[Finding, ...]], key: Path | None
) -> tuple[str, ...]:
    sentences = []
    if key is None:
        sentences.append(UNSIGNED if certificate.get("signed_by") is None else SIGNER_UNKNOWN)
    with suppress(*DAMAGED):
        sentences += counting_records(certificate)
    attested = [f for result in findings.values() for f in result if f.tier is Tier.ATTESTED]
    if any(f.note == NEEDS_ORIGINAL for f in attested):
        sentences.append(f"bounds on utility: {NEEDS_ORIGINAL}")
    if any(f.note != NEEDS_ORIGINAL for f in attested):
        sentences.append(
            "attested claims rest on the certificate's word; the internal folder, or a folder with the named sources,"
            " lets a steward check them (--with)"
        )
    if any(f.note == NO_SALT for f in attested):
        sentences.append(
            "named sources were not looked for: their hashes are salted, and it takes internal/salt.json"
            " (beside them in the folder of --with) or the secret key (--secret) to recognise them"
        )
    return tuple(sentences)
