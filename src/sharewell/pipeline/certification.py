"""Certify a release: the written files are judged, and what the judge found is what the certificate says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.errors import VerificationFailed
from sharewell.findings import Finding
from sharewell.io.signatures import fingerprint, read_approval, sign
from sharewell.io.writing import copy_file, read_bytes, write_json, write_text
from sharewell.keys import KDF, Key
from sharewell.pipeline import certificate as cert
from sharewell.pipeline import sized_steps
from sharewell.pipeline.evidence import EvidenceStore, orders_of, sources_of
from sharewell.pipeline.joint_stage import judge_and_attack
from sharewell.pipeline.salted_hashes import Salt
from sharewell.pipeline.text_columns import with_text_findings
from sharewell.pipeline.text_columns_check import judge_texts
from sharewell.pipeline.verify import Judgement, judge
from sharewell.pipeline.verify_together import Earlier
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.model import Policy
from sharewell.policy.redact import redacted
from sharewell.progress import PartsOf, Progress
from sharewell.wing import Claim

if TYPE_CHECKING:
    from sharewell.pipeline.dataset_stage import DatasetResult

REFUSED = "the written files do not satisfy the policy; nothing was released:"


@dataclass(frozen=True)
class Signing:
    """The keys behind a certificate, and who approved the policy."""

    key: Key
    key_given: bool
    salt: Salt
    signer: bytes | None
    approved_by: str | None

    @property
    def signed_by(self) -> str | None:
        return None if self.signer is None else fingerprint(self.signer)

    def commitment(self, policy_sha256: str) -> JsonObject:
        """A fresh key needs no slow function against guesses: it is random."""
        value = self.key.commitment(self.salt.salted(policy_sha256))
        return {"commitment": value, "kdf": dict(KDF) if self.key_given else None}


@dataclass(frozen=True)
class Certified:
    """What the judge found: for internal/, and for the verifier, who need not judge the same bytes again."""

    findings: dict[str, JsonObject]
    together: JsonObject
    judgement: Judgement


def certify(
    policy: Policy,
    partial: Path,
    results: Mapping[str, DatasetResult],
    earlier: Sequence[Earlier],
    by: Signing,
    progress: Progress = lambda step: None,
) -> Certified:
    """Judge the written files, certify what holds, and sign. Hashes of confidential files are salted first."""
    from sharewell.dossier.recipient_page import recipient_page

    public, internal = partial / "public", partial / "internal"
    layout, salt = cert.Layout(public, internal), by.salt
    salt.write(internal)
    claims = {name: _salted(result.claim, salt.applied) for name, result in results.items()}
    write_json(public / cert.DICTIONARY, {name: claim.described() for name, claim in claims.items()})
    embedded = salt.applied(redacted(policy, {name: result.people for name, result in results.items()}))
    write_json(internal / cert.REDACTED, embedded)
    store = EvidenceStore(sources=sources_of(policy), hierarchies=orders_of(policy), salt=salt)
    judged: dict[str, tuple[Finding, ...]] = {}
    texts: dict[str, tuple[Finding, ...]] = {}
    begin = PartsOf("verifying the written files", len(claims) + 1, progress)
    for name, claim in claims.items():
        begin(name, sized_steps.verifying_work(claim.kind), sized_steps.claimed_cells(claim))
        asked = embedded["datasets"][name]
        judged[name] = _holding(name, judge(layout, name, claim, asked, store))
        texts[name] = _holding(name, judge_texts(layout, name, claim, asked, store))
        claims[name] = _with_findings(claim, judged[name], texts[name])
    plain = {name: claim.to_json() for name, claim in claims.items()}
    draft = {"datasets": plain, "policy": {"redacted": embedded}}
    released = {name: result.released for name, result in results.items()}
    begin("all together")
    together = judge_and_attack(policy, layout, draft, released, store, earlier)
    parts = cert.Parts(
        policy_sha256=salt.salted(policy.sha256),
        embedded=embedded,
        nonce=salt.nonce,
        key_commitment=by.commitment(policy.sha256),
        after=[one.publicly() for one in earlier],
        datasets=plain,
        together=together.claim,
        files={},
        approved_by=by.approved_by,
        signed_by=by.signed_by,
    )
    write_text(public / cert.README, recipient_page(parts.certificate()))
    parts = replace(parts, files=cert.file_hashes(public))
    _write_certificate(policy, partial, parts.certificate(), by)
    findings = {
        name: result.findings | {"criteria": [finding.to_json() for finding in (*judged[name], *texts[name])]}
        for name, result in results.items()
    }
    return Certified(findings, together.findings, Judgement(judged, texts, together.judged, parts.files))


def _write_certificate(policy: Policy, partial: Path, whole: JsonObject, by: Signing) -> None:
    public, internal = partial / "public", partial / "internal"
    write_json(public / cert.CERTIFICATE, whole)
    write_json(internal / cert.CLAIMS, cert.claims_of(whole))
    if by.signer is not None:
        write_json(public / cert.SIGNATURE, sign(read_bytes(public / cert.CERTIFICATE), by.signer))
    cert.write_sums(public)
    copy_file(policy.path, internal / cert.POLICY)
    if by.approved_by is not None:
        write_json(internal / cert.APPROVAL, read_approval(policy.path))


def _with_findings(claim: Claim, judged: Sequence[Finding], texts: Sequence[Finding]) -> Claim:
    unit = claim.unit or next((f.unit for f in judged if f.unit in ("persons", "records")), "records")
    claim = replace(claim, unit=unit, findings=[cert.public_finding(finding) for finding in judged])
    return with_text_findings(claim, texts)


def _holding(name: str, judged: tuple[Finding, ...]) -> tuple[Finding, ...]:
    if failed := [f"{name}: {finding}" for finding in judged if finding.failed]:
        raise VerificationFailed(REFUSED, failed)
    return judged


def _salted(claim: Claim, salt: Callable[[Json], Json]) -> Claim:
    """The claim with the hashes of confidential files salted."""
    return replace(Claim.from_json(salt(claim.to_json())), findings=claim.findings)
