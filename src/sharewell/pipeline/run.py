"""Run a release: protect → write → verify as a stranger would → attack → measure → certify → rename into place."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sharewell import registry
from sharewell.errors import DataError, Infeasible, PolicyError, VerificationFailed
from sharewell.findings import Finding, json_details
from sharewell.io.atomic import all_or_nothing, journal_in
from sharewell.io.signatures import fingerprint, is_approval_of, read_approval, sign
from sharewell.io.sources import sha256
from sharewell.io.writing import (
    append_line,
    copy_file,
    make_directories,
    read_bytes,
    refuse_existing,
    remove_tree,
    write_json,
    write_salted,
    write_table,
    write_text,
)
from sharewell.key_scope import dataset_key
from sharewell.keys import KDF, Key
from sharewell.pipeline import certificate as cert
from sharewell.pipeline.completion import completed
from sharewell.pipeline.evidence import AtHand, orders_of, sources_of
from sharewell.pipeline.extracted_tables import as_asked, table_of, written_back
from sharewell.pipeline.joint_stage import judge_and_attack
from sharewell.pipeline.manifest import write_manifest
from sharewell.pipeline.mechanism_choice import Chosen, choose, settled
from sharewell.pipeline.salted_hashes import SALTED, Salt
from sharewell.pipeline.text_columns import claim_texts, protect_texts, write_evidence
from sharewell.pipeline.text_columns_check import judge_texts
from sharewell.pipeline.together import Earlier
from sharewell.pipeline.verify import Verification, judge, verify
from sharewell.pipeline.verify_together import open_earlier
from sharewell.policy.identifying_columns import refuse_identifying
from sharewell.policy.model import Dataset, Named, Policy
from sharewell.policy.packages import refuse_missing_packages
from sharewell.policy.redact import redacted, told_parameters
from sharewell.policy.secrets import exposed, resolve
from sharewell.progress import Counted

Progress = Callable[[str], None]
_MAKES_A_PAIR = "sharewell keygen NAME"
_TELL_EVERY = 5.0
"""Seconds between two words on progress."""
FALSIFIED = "values are falsified on purpose: a measure that reads published cells as true tells too little"


@dataclass(frozen=True)
class Released:
    """A finished release."""

    directory: Path
    verification: Verification
    findings: dict[str, Any]
    reproducible: bool
    signed_by: str | None = None
    cautions: tuple[str, ...] = ()
    """About the key files: who else can read them."""

    @property
    def dossier(self) -> Path:
        return self.directory / "internal" / cert.DOSSIER


def release(policy: Policy, progress: Progress = lambda step: None, processes: int = 1) -> Released:
    """Make the release that the policy describes, or raise and leave nothing.

    Wings that work on one person after the other use so many processes; a script that asks for more than one runs
    under `if __name__ == "__main__":`, as always with processes.
    """
    refuse_missing_packages(policy)
    target = policy.path.parent / policy.write.directory / policy.release.name
    refuse_identifying(policy)
    key, given = _key(policy)
    signer = None if policy.secrets.sign is None else resolve(policy.secrets.sign, policy.path.parent, _MAKES_A_PAIR)
    approved_by, salt = _approval(policy, signer), Salt.of(key, policy.sha256)
    with _audited(target, policy, salt) as partial:
        make_directories(partial / "public")
        make_directories(partial / "internal", private=True)
        earlier = open_earlier(policy.release.after)
        told = _all(policy, key, partial, progress, processes)
        progress("verifying the written files")
        followed = settled(policy, {name: part.chosen for name, part in told.items()})
        together = _certify(followed, partial, told, earlier, Signing(key, given, salt, signer, approved_by))
        remove_tree(partial / "scratch")
        progress("writing the dossier")
        findings = {"when": _now(), "datasets": {name: part.findings for name, part in told.items()}}
        findings["together"] = together
        _write_internal(partial, findings, signer)
        progress("verifying the whole release")
        found = verify(partial, sources=sources_of(followed), earlier=policy.release.after).raise_if_failed()
    reproducible = given and all(part.reproducible for part in told.values())
    signed_by = None if signer is None else fingerprint(signer)
    return Released(target, found, findings, reproducible, signed_by, exposed(policy.secrets, policy.path.parent))


@contextmanager
def _audited(target: Path, policy: Policy, salt: Salt) -> Iterator[Path]:
    """Where the release is made, with `begun` and `finished` (or `failed`, with the kind of error) in audit.jsonl.

    A release is finished when it has its name: whatever happens after that is no failure of it. More people may
    read that file than the policy, so it names the policy as the certificate does.
    """
    refuse_existing(target)
    audit = target.parent / "audit.jsonl"
    facts = {"release": policy.release.name, f"policy_{SALTED}": salt.salted(policy.sha256)}
    append_line(audit, "begun", **facts)
    in_place = False

    def finish() -> None:
        nonlocal in_place
        in_place = True
        append_line(audit, "finished", **facts)

    try:
        with all_or_nothing(target, then=finish) as partial:
            yield partial
    except BaseException as error:
        if not in_place:
            append_line(audit, "failed", **facts, error=type(error).__name__)
        raise


@dataclass
class _Told:
    """What one dataset contributes to the certificate (claim) and to internal/ (findings)."""

    claim: dict[str, Any]
    findings: dict[str, Any]
    chosen: Chosen

    @property
    def reproducible(self) -> bool:
        return bool(self.chosen.protected.reproducible)


def _all(policy: Policy, key: Key, partial: Path, progress: Progress, processes: int) -> dict[str, _Told]:
    """Every dataset; a table that is made from notes comes before the notes, which show what it publishes."""
    told: dict[str, _Told] = {}
    for name, dataset in policy.datasets.items():
        using = dataset.using
        if dataset.extract is not None:
            progress(f"making a table from {name}")
            table = table_of(policy, dataset)
            told[table.name] = made = _one(policy, table, key, partial, progress, processes)
            dataset = written_back(dataset, table, made.chosen, partial, made.claim["file"], key)
        told[name] = one = _one(policy, dataset, key, partial, progress, processes)
        if dataset.extract is not None:
            one.chosen = as_asked(one.chosen, using)
    return told


def _one(policy: Policy, dataset: Dataset, key: Key, partial: Path, progress: Progress, processes: int) -> _Told:
    wing = registry.wing(dataset.kind)
    progress(f"reading {dataset.name}")
    scratch = partial / "scratch"
    kept = journal_in(partial, policy.sha256) if getattr(wing, "keeps_a_journal", False) else scratch
    original = wing.open(dataset, policy.path.parent, kept)
    dataset = completed(dataset, original)
    key = dataset_key(key, policy.release.name, dataset, original.content)
    progress(f"protecting {dataset.name}")
    if hasattr(wing, "at_work"):
        original = wing.at_work(original, processes, _counted(f"protecting {dataset.name}", original.rows, progress))
    chosen = _chosen(wing, original, dataset, key, progress)
    dataset, protected = chosen.dataset, chosen.protected
    protected, texts = protect_texts(wing, protected, dataset, key, processes)
    progress(f"writing {dataset.name}")
    published = wing.publish(original, protected, dataset, key, scratch)
    file = f"{dataset.name}.{policy.write.format}"
    write_table(partial / "public" / file, published.table, policy.write.format)
    claim = {
        "kind": dataset.kind,
        "file": file,
        "rows": published.table.num_rows,
        "columns": published.dictionary,
        "mechanism": {"name": dataset.using.name, "parameters": told_parameters(dataset.using)},
        "persons": "none",
    }
    if alike := wing.lookalikes(original):
        of = {facts.get("of", name) for name, facts in published.dictionary.items()}
        claim["lookalikes"] = {name: count for name, count in alike.items() if name in of}
    if getattr(dataset.using.built, "falsifies", False):
        claim["mechanism"] |= {"falsifies": True}
    if chosen.scores:
        claim["utility"] = [cert.promise(finding) for finding in chosen.scores.values()]
    if published.evidence is not None:
        make_directories(partial / "internal" / "persons")
        evidence = partial / "internal" / "persons" / f"{dataset.name}.parquet"
        write_salted(evidence, published.evidence, key.digest("evidence", dataset.name))
        claim |= {"persons": "internal", "persons_sha256": sha256(evidence)}
    elif dataset.publish == "within-class":
        claim["persons"] = "published"
    if (unit := getattr(published, "unit", None)) is not None:
        claim["unit"] = unit
    _write_beside(partial, dataset.name, published, claim)
    write_evidence(partial, dataset.name, getattr(published, "whose", None), claim, texts, key)
    if getattr(published, "offsets", None) is not None:
        make_directories(partial / "internal" / "offsets")
        write_table(partial / "internal" / "offsets" / f"{dataset.name}.parquet", published.offsets, "parquet")
    if published.mapping is not None:
        make_directories(partial / "internal" / "maps")
        write_table(partial / "internal" / "maps" / f"{dataset.name}.parquet", published.mapping, "parquet")
    del published  # it is on disk: what comes now needs the memory
    progress(f"attacking and measuring {dataset.name}")
    found = _measure(wing, original, chosen) | ({"lookalikes": alike} if alike else {})
    return _Told(claim, found | ({"texts": texts.findings} if texts.findings else {}), chosen)


def _write_beside(partial: Path, name: str, published: Any, claim: dict[str, Any]) -> None:
    """What a wing writes beside the file of a dataset: pages for readers, and for the steward alone."""
    pages, inside = getattr(published, "pages", {}), getattr(published, "inside", {})
    for ending, content in pages.items():
        write_text(partial / "public" / f"{name}{ending}", content)
        claim.setdefault("pages", []).append(f"{name}{ending}")
    if inside:
        make_directories(partial / "internal" / name, private=True)
    for file, content in inside.items():
        write_text(partial / "internal" / name / file, content, private=True)


def _counted(what: str, rows: int, progress: Progress) -> Callable[[int], None]:
    """Tells how far work on so many records is, now and then."""
    done, told, begun = 0, 0.0, time.monotonic()

    def tell(more: int) -> None:
        nonlocal done, told
        done, now = done + more, time.monotonic()
        if now - told >= _TELL_EVERY or done >= rows:
            told = now
            progress(Counted.of(what, min(done, rows), rows, now - begun))

    return tell


def _chosen(wing: Any, original: Any, dataset: Dataset, key: Key, progress: Progress) -> Chosen:
    """Protect; where that fails, look for what would help before saying so."""
    try:
        return choose(wing, original, dataset, key, progress)
    except Infeasible as error:
        from sharewell.pipeline.relax import explained

        raise explained(wing, original, dataset, error, progress) from None


def _measure(wing: Any, original: Any, chosen: Chosen) -> dict[str, Any]:
    """Risks before, attacks before and after, utility: all for internal/."""
    dataset, protected = chosen.dataset, chosen.protected
    after = protected.data
    attacks, scored = _attacked_and_scored(wing, original, chosen)
    size = wing.size(original)
    before_columns, after_columns = wing.describe(original), wing.describe(after)
    columns = {}
    for name, facts in before_columns.items():
        columns[name] = {
            **facts,
            "distinct_before": facts.get("distinct"),
            "distinct_after": after_columns.get(name, {}).get("distinct"),
            "missing_before": facts.get("missing"),
        }
    details = json_details(protected.details)
    shown = {"examples": wing.examples(dataset)} if hasattr(wing, "examples") else {}
    return {
        "kind": dataset.kind,
        "before": {**size, "risks": [risk.to_json() for risk in wing.risks(original)]},
        "after": {**wing.size(after), **{k: v for k, v in details.items() if k.startswith("suppressed")}},
        "risks_after": [risk.to_json() for risk in wing.risks(after)],
        "columns": columns,
        "attacks": attacks,
        "utility": [finding.to_json() for finding in scored],
        "mechanism": {
            "name": dataset.using.name,
            "parameters": told_parameters(dataset.using),
            "details": details,
            "chosen": list(dataset.chosen),
            "tried": json_details(chosen.trials),
        },
        **shown,
    }


def _attacked_and_scored(wing: Any, original: Any, chosen: Chosen) -> tuple[list[dict[str, Any]], list[Finding]]:
    """Attacks before and after, and measures; a wing may choose a part where the whole would take too long."""
    dataset, protected, part = chosen.dataset, chosen.protected, ""
    if hasattr(wing, "part"):
        original, protected, part = wing.part(original, protected)
    after, truth = protected.data, protected.truth(original)
    attacks = []
    by_default = _default_attacks(wing, dataset, after)
    for item in (*dataset.attacks, *by_default):
        attack = _informed(item, dataset)
        # What an attack can only do to a release (to chunks, say) has no "before"; default attacks stay cheap.
        released_only = item in by_default or getattr(item.built, "released_only", False)
        before = None if released_only else _unprotected(wing, item, original, after)
        told = {key: value for key, value in item.parameters.items() if isinstance(value, str | int | float)}
        mounted = _noted(_mounted(attack, after, truth), part)
        found = {"before": before and _noted(before, part).to_json(), "after": mounted.to_json()}
        attacks.append({"name": item.name, **({"parameters": told} if told else {}), **found})
    known = chosen.scores
    scored = [
        known[i] if i in known else _noted(one.built.score(original, after), part)
        for i, one in enumerate(dataset.utility)
    ]
    falsified = FALSIFIED if getattr(dataset.using.built, "falsifies", False) else ""
    return attacks, [_noted(one, falsified) for one in scored]


def _default_attacks(wing: Any, dataset: Dataset, released: Any) -> list[Named]:
    """Attacks that every release of this kind has to stand, whether the policy asks for them or not."""
    asked = {item.name for item in dataset.attacks}
    return [
        Named(attack.name, {}, attack) for attack in wing.default_attacks(dataset, released) if attack.name not in asked
    ]


def _informed(attack: Named, dataset: Dataset) -> Named:
    """An attacker who knows how releases are made is told the mechanism and the criteria of this one."""
    if not hasattr(attack.built, "knowing"):
        return attack
    return replace(attack, built=attack.built.knowing(dataset.using.built, dataset.criteria))


def _noted(finding: Finding, words: str) -> Finding:
    return replace(finding, note=f"{finding.note}; {words}".lstrip("; ")) if words else finding


def _unprotected(wing: Any, attack: Named, original: Any, after: Any) -> Finding:
    """An attack on the original, or on what a wing would publish of it in the same form without protection."""
    plain, truth = wing.plainly(original, after, attack.built) if hasattr(wing, "plainly") else (original, None)
    if truth is not None:
        return _mounted(attack, plain, truth)
    found: Finding = attack.built.mount(plain)
    return found


def _mounted(attack: Named, after: Any, truth: Any) -> Finding:
    """An attack on the release. One that ran on the original, but not on what is published, has no result to tell."""
    try:
        found: Finding = attack.built.mount(after, truth)
        return found
    except PolicyError as error:
        return Finding(attack.name, None, note=error.mistakes[0].what)


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

    def commitment(self, policy_sha256: str) -> dict[str, Any]:
        """A fresh key needs no slow function against guesses: it is random."""
        value = self.key.commitment(self.salt.salted(policy_sha256))
        return {"commitment": value, "kdf": dict(KDF) if self.key_given else None}


def _certify(
    policy: Policy, partial: Path, told: dict[str, _Told], earlier: Sequence[Earlier], by: Signing
) -> dict[str, Any]:
    """Judge from the written files, certify, and sign; what was found of datasets together, for internal/.

    Hashes of confidential files are salted before all else.
    """
    public, salt = partial / "public", by.salt
    salt.write(partial / "internal")
    for part in told.values():
        part.claim = salt.applied(part.claim)
    write_json(public / cert.DICTIONARY, {name: part.claim["columns"] for name, part in told.items()})
    embedded = salt.applied(redacted(policy))
    write_json(partial / "internal" / cert.REDACTED, embedded)
    sources = sources_of(policy)
    for name, part in told.items():
        at_hand = AtHand(sources=sources, hierarchies=orders_of(policy), salt=salt)
        judged = _judge(partial, name, part.claim, embedded["datasets"][name]["require"], at_hand)
        texts = _judge_texts(partial, name, part.claim, embedded["datasets"][name], at_hand)
        part.findings["criteria"] = [finding.to_json() for finding in (*judged, *texts)]
        told_unit = next((f.unit for f in judged if f.unit in ("persons", "records")), "records")
        part.claim.setdefault("unit", told_unit)
        part.claim["findings"] = [cert.public_finding(finding) for finding in judged]
    claims = {name: part.claim for name, part in told.items()}
    together = judge_and_attack(
        policy,
        cert.Layout(public, partial / "internal"),
        {"datasets": claims, "policy": {"redacted": embedded}},
        {name: part.chosen.protected.data for name, part in told.items()},
        AtHand(sources=sources, hierarchies=orders_of(policy), salt=salt),
        earlier,
    )
    parts = {
        "redacted": embedded,
        "salt": salt,
        "key_commitment": by.commitment(policy.sha256),
        "datasets": claims,
        "together": together.claim,
        "after": [one.publicly() for one in earlier],
        "files": cert.file_hashes(public),
    }
    whole = cert.assemble(policy, parts, approved_by=by.approved_by, signed_by=by.signed_by)
    write_json(public / cert.CERTIFICATE, whole)
    if by.signer is not None:
        write_json(public / cert.SIGNATURE, sign(read_bytes(public / cert.CERTIFICATE), by.signer))
    cert.write_sums(public)
    copy_file(policy.path, partial / "internal" / cert.POLICY)
    if by.approved_by is not None:
        write_json(partial / "internal" / cert.APPROVAL, read_approval(policy.path))
    return together.findings


def _judge(
    partial: Path, name: str, claim: dict[str, Any], required: list[Any], at_hand: AtHand
) -> tuple[Finding, ...]:
    """Sources that the policy names are opened where they lie; nothing of them is copied into the release."""
    layout = cert.Layout(partial / "public", partial / "internal")
    judged = judge(layout, name, claim, required, at_hand)
    failed = cert.failures(judged, name)
    if failed:
        raise VerificationFailed("the written files do not satisfy the policy; nothing was released:", failed)
    return judged


def _judge_texts(
    partial: Path, name: str, claim: dict[str, Any], asked: dict[str, Any], at_hand: AtHand
) -> tuple[Finding, ...]:
    """Columns of text in a table; what holds of them is claimed too."""
    judged = judge_texts(cert.Layout(partial / "public", partial / "internal"), name, claim, asked, at_hand)
    failed = cert.failures(judged, name)
    if failed:
        raise VerificationFailed("the written files do not satisfy the policy; nothing was released:", failed)
    claim_texts(claim, judged)
    return judged


def _write_internal(partial: Path, findings: dict[str, Any], signer: bytes | None) -> None:
    """Findings and dossier, and last of all the manifest of everything in internal/."""
    from sharewell.dossier import render

    internal = partial / "internal"
    write_json(internal / cert.FINDINGS, findings)
    write_text(internal / cert.DOSSIER, render(cert.read_certificate(partial / "public"), findings))
    write_manifest(cert.Layout(partial / "public", internal), signer)


def _key(policy: Policy) -> tuple[Key, bool]:
    """The key of the release, and whether it was given (a fresh one cannot be had again)."""
    if policy.secrets.key is None:
        return Key.fresh(), False
    return Key.from_secret(resolve(policy.secrets.key, policy.path.parent)), True


def _approval(policy: Policy, signer: bytes | None) -> str | None:
    """Who approved the policy. An approval of another text, or by the signer alone, is refused."""
    approval = read_approval(policy.path)
    if approval is None:
        return None
    if not is_approval_of(approval, policy.sha256):
        raise PolicyError(
            "the approval beside it is not for this text of the policy — approve it anew", policy.path.name
        )
    if signer is not None and approval.get("key") == fingerprint(signer):
        raise DataError("approval — made with the key that signs the release — a second person must approve")
    return approval.get("key")


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
