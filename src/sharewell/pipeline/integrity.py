"""Is the release whole, and at one with itself? Files, certificate, embedded policy, signature; no criterion yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from sharewell.errors import DataError
from sharewell.io.plain_files import sha256
from sharewell.io.signatures import (
    approves_release,
    fingerprint_of,
    is_approval_of,
    is_consistent,
    is_signed_by,
    load_public,
)
from sharewell.io.writing import read_bytes, read_json
from sharewell.keys import KDF, Key
from sharewell.pipeline.certificate import (
    APPROVAL,
    CERTIFICATE,
    CLAIMS,
    DAMAGED,
    DICTIONARY,
    POLICY,
    README,
    REDACTED,
    RELEASE_APPROVAL,
    SIGNATURE,
    SUMS,
    Layout,
    claims_of,
    file_hashes,
    mapping_in,
    read_sums,
)
from sharewell.pipeline.certificate_check import form_problems
from sharewell.pipeline.claim_check import claim_problems
from sharewell.pipeline.manifest import manifest_problems
from sharewell.pipeline.profile_check import profile_problems
from sharewell.pipeline.salted_hashes import SALT, SALTED, Salt, salt_in
from sharewell.plain_data import Json
from sharewell.wing import Claim

_DAMAGED = f"{CERTIFICATE} — damaged or edited: parts that every certificate has are missing"


def alterations(layout: Layout, certificate: Mapping[str, Json]) -> list[str]:
    """What shows that a finished release is no longer as it was made. Signatures must fit, whoever's they are.

    An unsigned release is judged by its hashes alone, which whoever alters a file can compute again.
    """
    salt_claim, signed_by = certificate.get("salt"), certificate.get("signed_by")
    nonce = salt_claim.get("nonce") if isinstance(salt_claim, Mapping) else None
    salt = None if layout.internal is None else salt_in(layout.internal, nonce)
    return [
        *file_problems(layout.public, certificate),
        *policy_problems(layout, certificate, salt),
        *signature_problems(layout.public, None, signed_by)[1],
        *approval_problems(layout.public, None, signed_by)[1],
        *manifest_problems(layout, None, signed_by)[0],
    ]


def file_problems(public: Path, certificate: Mapping[str, Json]) -> list[str]:
    """Hashes against SHA256SUMS and against the certificate; nothing missing, nothing extra, only plain files."""
    odd = sorted(path.name for path in public.iterdir() if path.is_symlink() or not path.is_file())
    problems = [f"{name} — not a plain file: a release holds only plain files" for name in odd]
    there = file_hashes(public)
    try:
        sums = read_sums(public)
    except DataError:
        return [*problems, f"{SUMS} — missing or unreadable"]
    for name in sorted({*sums, *there} - {CERTIFICATE}):
        if name not in there:
            problems.append(f"{name} — listed in {SUMS}, but not there")
        elif name not in sums:
            problems.append(f"{name} — there, but not listed in {SUMS}")
        elif there[name] != sums[name]:
            problems.append(f"{name} — changed since the release: its hash is not the one in {SUMS}")
    if sums.get(CERTIFICATE) != sha256(public / CERTIFICATE):
        problems.append(f"{CERTIFICATE} — changed since the release: its hash is not the one in {SUMS}")
    return problems + list(_unaccounted(public, certificate, there)) if certificate else problems


def _unaccounted(public: Path, certificate: Mapping[str, Json], there: Mapping[str, str]) -> Iterator[str]:
    """Files that the certificate does not name, or that are neither a dataset's, the dictionary nor the readme."""
    certified, claims = certificate.get("files"), certificate.get("datasets")
    if not isinstance(certified, dict) or not isinstance(claims, dict):
        yield _DAMAGED
        return
    for name in sorted({*certified, *there}):
        if certified.get(name) != there.get(name):
            yield f"{name} — not the file that the certificate names"
    entries = [claim for claim in claims.values() if isinstance(claim, dict)]
    known = {DICTIONARY, README, *(str(claim.get("file")) for claim in entries)}
    listed = [claim.get("pages", []) for claim in entries]
    if not all(isinstance(pages, list) for pages in listed):
        yield _DAMAGED
        return
    known |= {str(page) for pages in listed for page in pages}
    yield from (f"{name} — belongs to no dataset of the release" for name in sorted({*there} - known))
    if DICTIONARY in there:
        try:
            described = read_json(public / DICTIONARY)
        except DataError:
            described = None
        if described != {name: _described(claim) for name, claim in claims.items() if isinstance(claim, dict)}:
            yield f"{DICTIONARY} — does not describe the columns that the certificate names"


def _described(claim: Mapping[str, Json]) -> object:
    """What the dictionary says of a dataset."""
    try:
        return Claim.from_json(claim).described()
    except DataError:
        return claim.get("columns")


def policy_problems(layout: Layout, certificate: Mapping[str, Json], salt: Salt | None) -> list[str]:
    """The embedded policy against the claims, and against the full policy where it is at hand."""
    problems: list[str] = []
    try:
        for problem in _disagreements(certificate):
            problems.append(problem)
        problems += _internal_problems(layout, certificate, salt)
    except DAMAGED:
        problems.append(_DAMAGED)
    return problems


def _disagreements(certificate: Mapping[str, Json]) -> Iterator[str]:
    """Where a certificate is not at one with itself."""
    yield from (f"{CERTIFICATE} — {what}: it is damaged or was edited" for what in form_problems(certificate))
    yield from (f"{CERTIFICATE} — its {part} is not that of the embedded policy" for part in _differing(certificate))
    yield from (f"{CERTIFICATE} — {what}" for what in profile_problems(certificate))
    asked, claims = certificate["policy"]["redacted"]["datasets"], certificate["datasets"]
    if not claims:
        yield f"{CERTIFICATE} — claims nothing: no dataset is named"
    for name in sorted({*asked} ^ {*claims}):
        yield f"{name}: in the embedded policy or among the claims, not in both"
    for name in sorted({*asked} & {*claims}):
        yield from (f"{name}: {what}" for what in claim_problems(asked[name], claims[name]))


def _differing(certificate: Mapping[str, Json]) -> list[str]:
    embedded = certificate["policy"]["redacted"]
    differing = [part for part in ("release", "profile", "deviations") if certificate[part] != embedded[part]]
    return differing + (["decisions"] if certificate.get("decisions") != embedded.get("decisions") else [])


def _internal_problems(layout: Layout, certificate: Mapping[str, Json], salt: Salt | None) -> Iterator[str]:
    """What a steward's own copies say."""
    if layout.internal is None or not (layout.internal / POLICY).is_file():
        return
    policy = sha256(layout.internal / POLICY)
    if salt is None:
        yield f"internal/{SALT} — missing, damaged or of another release: hashes of the policy cannot be compared"
    elif salt.salted(policy) != certificate["policy"][SALTED]:
        yield f"internal/{POLICY} — not the policy that was certified"
    elif mapping_in(layout.internal / REDACTED) != certificate["policy"]["redacted"]:
        yield "the policy embedded in the certificate is not the one that was followed"
    if mapping_in(layout.internal / CLAIMS) != claims_of(certificate):
        yield f"the certificate does not claim what internal/{CLAIMS} says was certified"
    approved_by, approval = certificate["policy"]["approved_by"], mapping_in(layout.internal / APPROVAL)
    if approved_by != (approval.get("key") if is_approval_of(approval, policy) else None):
        yield "the approval that the certificate names is not the one in the internal folder"


def signature_problems(public: Path, key: Path | None, signed_by: Json) -> tuple[str, list[str]]:
    """Who signed, in words, and what is wrong with the signature. Only the given key establishes a signer."""
    path = public / SIGNATURE
    if not path.is_file():
        missing = [f"{SIGNATURE} — missing, although a key was given: the release is not signed"]
        claimed = [f"{SIGNATURE} — missing, although the certificate says that it is signed"] if signed_by else []
        return "unsigned", missing if key is not None else claimed
    message, signature = read_bytes(public / CERTIFICATE), mapping_in(path)
    if key is None:
        if not is_consistent(message, signature) or signature.get("key") != signed_by:
            return "not established", [f"{SIGNATURE} — not a signature of this certificate"]
        return "signed, but signer not established: give --key", []
    if not is_signed_by(message, signature, key):
        return "not the given key", [f"{SIGNATURE} — not a signature of this certificate by the given key"]
    name = fingerprint_of(load_public(key))
    other = [f"{CERTIFICATE} — names another signer than the given key"] if signed_by not in (None, name) else []
    return f"signed by {name}", other


def approval_problems(public: Path, approver: Path | None, signed_by: Json) -> tuple[str, list[str]]:
    """Who approved the release, in words, and what is wrong with that. Only the given key establishes an approver."""
    path = public / RELEASE_APPROVAL
    if not path.is_file():
        missing = f"{RELEASE_APPROVAL} — missing, although an approver was given: the release is not approved"
        return "not approved", [missing] if approver is not None else []
    message, approval = approves_release(sha256(public / CERTIFICATE)), mapping_in(path)
    if not is_consistent(message, approval):
        return "not established", [f"{RELEASE_APPROVAL} — not an approval of this certificate"]
    if approval["key"] == signed_by:
        return "not by a second person", [f"{RELEASE_APPROVAL} — made with the key that signs the release"]
    if approver is None:
        return "approved, but approver not established: give --approver", []
    if not is_signed_by(message, approval, approver):
        return "not the given approver", [f"{RELEASE_APPROVAL} — not an approval by the given approver"]
    return f"approved by {fingerprint_of(load_public(approver))}", []


def commitment_problems(certificate: Mapping[str, Json], key: Key | None) -> list[str]:
    """Was the release made with this secret key?"""
    commitment, policy = certificate.get("key_commitment"), certificate.get("policy")
    if key is None:
        return []
    if not isinstance(commitment, Mapping) or not isinstance(policy, Mapping):
        return [_DAMAGED]
    if commitment.get("kdf") != dict(KDF) or commitment.get("commitment") != key.commitment(str(policy.get(SALTED))):
        return [f"{CERTIFICATE} — the secret key that was given is not the one that this release was made with"]
    return []
