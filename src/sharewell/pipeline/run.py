"""Run a release: protect → write → verify as a stranger would → attack → measure → certify → rename into place."""

from __future__ import annotations

import atexit
import datetime
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sharewell.io.atomic import all_or_nothing
from sharewell.io.signatures import fingerprint
from sharewell.io.unused_memory import give_back
from sharewell.io.writing import append_line, make_directories, refuse_existing, remove_tree, write_json, write_text
from sharewell.pipeline import certificate as cert
from sharewell.pipeline.certification import Signing, certify
from sharewell.pipeline.dataset_stage import SCRATCH, Stage
from sharewell.pipeline.evidence import sources_of
from sharewell.pipeline.manifest import write_manifest
from sharewell.pipeline.mechanism_choice import settled
from sharewell.pipeline.person_ties import ties_of
from sharewell.pipeline.preflight import Preflight
from sharewell.pipeline.salted_hashes import SALTED, Salt
from sharewell.pipeline.sized_steps import release_bytes
from sharewell.pipeline.verdict_facts import Cautions
from sharewell.pipeline.verify import Verification, verify
from sharewell.plain_data import JsonObject
from sharewell.policy.model import Policy
from sharewell.policy.near_copies import near_copies
from sharewell.policy.secrets import exposed
from sharewell.progress import Progress, SizedStep

STILL_OUT_THERE = (
    "an earlier release of this name was replaced, but whoever was given it still has it. If it has left the house,"
    " give the new release another name and list the earlier one under release: {after: […]}: both are judged together"
)


@dataclass(frozen=True)
class Released:
    """A finished release."""

    directory: Path
    verification: Verification
    findings: JsonObject
    reproducible: bool
    signed_by: str | None = None
    cautions: tuple[str, ...] = ()
    """About the key files: who else can read them. About a release that this one replaced."""
    facts: Cautions = field(default=Cautions())
    """What stands beside the verdict: who can re-check it, what is published as it is, what was not measured."""

    @property
    def dossier(self) -> Path:
        return self.directory / "internal" / cert.DOSSIER

    def _repr_html_(self) -> str:
        from sharewell import notebook

        places = (f"release: {self.directory}", f"dossier: {self.dossier}")
        return notebook.whole(
            notebook.paragraph(*places), notebook.of(self.verification), notebook.paragraph(*self.cautions)
        )


def release(
    policy: Policy, progress: Progress = lambda step: None, processes: int = 1, *, replace: bool = False
) -> Released:
    """Make the release that the policy describes, or raise and leave nothing.

    replace: an earlier release of the same name stays until the new one is verified, and is replaced then.
    processes: for wings that work on one person after the other. A script that asks for more than one runs under
    `if __name__ == "__main__":`, as always with processes.
    """
    ready = Preflight.of(policy, replace=replace)
    ties = ties_of(policy)
    target, key, given, signer = ready.target, ready.key, ready.key_given, ready.signer
    salt = Salt.of(key, policy.sha256)
    with _audited(target, policy, salt, ready.replaced) as partial:
        make_directories(partial / "public")
        make_directories(partial / "internal", private=True)
        results = Stage(policy, key, partial, progress, processes).all_datasets()
        give_back()
        followed = settled(policy, {name: result.dataset for name, result in results.items()})
        by = Signing(key, given, salt, signer, ready.approved_by)
        certified = certify(followed, partial, results, ready.earlier, by, progress)
        remove_tree(partial / SCRATCH)
        progress("writing the dossier")
        alike = near_copies(policy) if len(policy.datasets) > 1 else ()
        together = certified.together | ({"near_copies": list(alike)} if alike else {})
        findings = {"when": _now(), "datasets": certified.findings, "together": together}
        _write_internal(partial, findings, signer)
        progress(SizedStep.of("verifying the whole release", "hashing a release", release_bytes(partial)))
        verification = verify(
            partial, sources=sources_of(followed), earlier=policy.release.after, judgement=certified.judgement
        ).raise_if_failed()
    reproducible = given and all(result.reproducible for result in results.values())
    signed_by, cautions = None if signer is None else fingerprint(signer), exposed(policy.secrets, policy.path.parent)
    cautions += () if ties is None else ties.cautions()
    cautions += (*alike, *(() if ready.replaced is None else (STILL_OUT_THERE,)))
    facts = Cautions.of(cert.read_certificate(target / "public"), findings)
    return Released(target, verification, findings, reproducible, signed_by, cautions, facts)


@contextmanager
def _audited(target: Path, policy: Policy, salt: Salt, replaced: str | None = None) -> Iterator[Path]:
    """Where the release is made, with `begun` and `finished` (or `failed`, with the kind of error) in audit.jsonl.

    A release is finished when it has its name: whatever happens after that is no failure of it. More people may
    read that file than the policy, so it names the policy as the certificate does.
    """
    if replaced is None:
        refuse_existing(target)
    audit = target.parent / "audit.jsonl"
    facts = {"release": policy.release.name, f"policy_{SALTED}": salt.salted(policy.sha256)}
    facts |= {} if replaced is None else {"replaces_certificate": replaced}
    append_line(audit, "begun", **facts)
    in_place = False

    def finish() -> None:
        nonlocal in_place
        in_place = True
        append_line(audit, "finished", **facts)

    def fail(error: str = KeyboardInterrupt.__name__) -> None:
        if not in_place:
            append_line(audit, "failed", **facts, error=error)

    atexit.register(fail)  # for an end that this block does not see
    try:
        with all_or_nothing(target, then=finish, replace=replaced is not None) as partial:
            yield partial
    except BaseException as error:
        fail(type(error).__name__)
        raise
    finally:
        atexit.unregister(fail)


def _write_internal(partial: Path, findings: JsonObject, signer: bytes | None) -> None:
    """Findings and dossier, and last of all the manifest of everything in internal/."""
    from sharewell.dossier.page import render

    internal = partial / "internal"
    write_json(internal / cert.FINDINGS, findings)
    write_text(internal / cert.DOSSIER, render(cert.read_certificate(partial / "public"), findings))
    write_manifest(cert.Layout(partial / "public", internal), signer)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
