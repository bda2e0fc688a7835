"""The certificate: what a release claims, in a form that anyone can check against its files.

`public/certificate.json` holds pass/fail and tier of every criterion, the redacted policy, the hash of every file, and
commitments to the policy and the key. It holds no cell value and no time. `public/SHA256SUMS` lists every public file,
the certificate included, so that `sha256sum -c` finds damage without this software.

Format 2 names the policy and every confidential source by salted hashes (`salted_sha256`), with the nonce of their salt
(`salt`); says how a guess of the secret key is slowed down (`key_commitment.kdf`); and comes with a manifest of
internal/. Format 1 had plain hashes, which let guesses of the sources be tried.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from sharewell.errors import DataError, SharewellError
from sharewell.findings import Finding, Tier
from sharewell.io.plain_files import sha256
from sharewell.io.writing import read_bytes, read_json, write_text
from sharewell.pipeline.salted_hashes import SALTED
from sharewell.plain_data import Json, JsonObject

FORMAT = 2
CERTIFICATE, SIGNATURE, SUMS, DICTIONARY = "certificate.json", "certificate.sig", "SHA256SUMS", "dictionary.json"
RELEASE_APPROVAL = "certificate.approval"
README = "README.html"
"""The page for recipients. Releases of earlier versions have none."""
POLICY, REDACTED, CLAIMS, APPROVAL = "policy.yaml", "redacted.json", "claims.json", "approval.json"
FINDINGS, DOSSIER = "findings.json", "dossier.html"
SALTING = "HMAC-SHA256 of the SHA-256"
PARTS = (
    *("sharewell", "release", "policy", "salt", "profile", "deviations", "decisions", "key_commitment", "signed_by"),
    *("after", "datasets", "together", "files", "versions"),
)
"""What every certificate of this format has."""
DAMAGED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, OSError, RecursionError, SharewellError)
"""What reading a damaged certificate may raise; memory that runs out is none of them."""


@dataclass(frozen=True)
class Layout:
    """Where the parts of a release lie. `internal` is None on a recipient's machine."""

    public: Path
    internal: Path | None

    @classmethod
    def of(cls, directory: Path, with_: Path | None = None) -> Layout:
        """From a release directory, or from its public folder alone; `with_` names the internal folder."""
        if not directory.is_dir():
            raise DataError(f"{directory} — no such directory — give the release, or its public folder")
        public = directory / "public" if (directory / "public").is_dir() else directory
        if public != directory and (directory / CERTIFICATE).exists():
            raise DataError(f"{directory} — holds a certificate, and its public folder another — name the one you mean")
        if not (public / CERTIFICATE).is_file():
            raise DataError(f"{directory} — holds no {CERTIFICATE}, so it is not a release")
        internal = with_ if with_ is not None else directory / "internal"
        if with_ is not None and (with_ / "internal").is_dir():
            internal = with_ / "internal"
        if with_ is not None and not internal.is_dir():
            raise DataError(f"{with_} — no such directory — --with names the internal folder of the release")
        return cls(public, internal if internal.is_dir() else None)


def public_finding(finding: Finding) -> JsonObject:
    """What the certificate says of a criterion: values reached only where a recipient can compute them anyway."""
    published = finding.to_json()
    published.pop("details", None)
    if finding.tier is not Tier.RECIPIENT:
        published.pop("value", None)
    if finding.parts:
        published["parts"] = [public_finding(part) for part in finding.parts]
    return published


def promise(finding: Finding) -> JsonObject:
    """What the certificate says of a measure with a bound. Measuring takes the original, so it is attested."""
    claim = public_finding(finding.at(Tier.ATTESTED))
    return {key: claim[key] for key in ("name", "sense", "bound", "ok", "tier")}


def file_hashes(public: Path) -> dict[str, str]:
    """Every plain file of public/ except the certificate, what is said about it, and the sums."""
    left_out = {CERTIFICATE, SIGNATURE, RELEASE_APPROVAL, SUMS}
    plain = sorted(p.name for p in public.iterdir() if p.is_file() and not p.is_symlink())
    return {name: sha256(public / name) for name in plain if name not in left_out}


def versions() -> dict[str, str]:
    """What made the release; an auditor who repeats it wants the same."""
    return {"python": platform.python_version()} | {
        name: _installed(name) for name in ("sharewell", "numpy", "pyarrow")
    }


@cache
def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "unknown"


def write_sums(public: Path) -> None:
    """In the format of the sha256sum command. Signature and approval speak of the certificate and are left out."""
    names = sorted([*file_hashes(public), CERTIFICATE])
    lines = [f"{sha256(public / name)}  {name}" for name in names]
    write_text(public / SUMS, "\n".join(lines) + "\n")


def read_sums(public: Path) -> dict[str, str]:
    """file → hash, as SHA256SUMS says."""
    results = {}
    for line in read_bytes(public / SUMS).decode("utf-8", "replace").splitlines():
        digest, gap, name = line.partition("  ")
        if gap:
            results[name] = digest
    return results


def read_certificate(public: Path) -> JsonObject:
    """The certificate, if it is one that this version can read."""
    result = read_json(public / CERTIFICATE)
    if not isinstance(result, dict) or result.get("sharewell") != FORMAT:
        raise DataError(f"{CERTIFICATE} — not of format {FORMAT} — it was made by another version, or edited")
    return result


def refuse_older(public: Path) -> None:
    """A certificate of an earlier format is not judged at all; whatever else is wrong with one is for the judge."""
    try:
        result = read_json(public / CERTIFICATE)
    except DataError:
        return
    given = result.get("sharewell") if isinstance(result, dict) else None
    if type(given) is int and 0 < given < FORMAT:
        raise DataError(
            f"{CERTIFICATE} — of format {given}; this version reads format {FORMAT}, in which hashes of confidential"
            " files are salted — verify it with the version that made it, or make the release again"
        )


def claims_of(certificate: Mapping[str, Json]) -> JsonObject:
    """What internal/claims.json keeps: all that the certificate says beside policy, hashes of files and signer."""
    return {part: certificate.get(part) for part in ("key_commitment", "after", "datasets", "together", "versions")}


@dataclass(frozen=True)
class Parts:
    """What the files of a release, and the people behind it, decide about its certificate."""

    policy_sha256: str
    """Salted."""
    embedded: JsonObject
    """The redacted policy; what it says of release, profile, deviations and decisions is said by the certificate."""
    nonce: str
    """That of the salt."""
    key_commitment: JsonObject
    after: list[dict[str, str]]
    datasets: JsonObject
    together: JsonObject
    files: dict[str, str]
    approved_by: str | None
    signed_by: str | None

    def certificate(self) -> JsonObject:
        """The certificate's fields in their order."""
        return {
            "sharewell": FORMAT,
            "release": self.embedded["release"],
            "policy": {SALTED: self.policy_sha256, "approved_by": self.approved_by, "redacted": self.embedded},
            "salt": {"hash": SALTING, "nonce": self.nonce},
            "profile": self.embedded["profile"],
            "deviations": self.embedded["deviations"],
            "decisions": self.embedded["decisions"],
            "key_commitment": self.key_commitment,
            "signed_by": self.signed_by,
            "after": self.after,
            "datasets": self.datasets,
            "together": self.together,
            "files": self.files,
            "versions": versions(),
        }


def mapping_in(path: Path) -> JsonObject:
    """What a file of JSON says; nothing if it is missing or damaged, which then agrees with nothing."""
    try:
        result = read_json(path)
    except DataError:
        return {}
    return result if isinstance(result, dict) else {}
