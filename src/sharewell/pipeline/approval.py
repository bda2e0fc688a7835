"""A second person approves a finished release: a signature on its certificate, and so on policy, claims and files.

The approval of a policy says that somebody agreed to what *would* be released; it lies beside the policy, and a
recipient cannot check it, since the policy is confidential. The approval of a release says that somebody agreed to what
*was* released; it lies in public/, and `verify --approver KEY` holds it against the key of the person who should have.
"""

from __future__ import annotations

from pathlib import Path

from sharewell.errors import DataError
from sharewell.io.plain_files import sha256
from sharewell.io.signatures import fingerprint, write_release_approval
from sharewell.io.writing import read_bytes
from sharewell.pipeline.certificate import CERTIFICATE, RELEASE_APPROVAL, Layout, read_certificate
from sharewell.pipeline.verify import verify


def approve_release(directory: Path, private_key: Path, signer: Path | None = None) -> tuple[Path, str]:
    """Write public/certificate.approval, if the release verifies; the file, and the hash that it approves.

    signer: the public key that must have signed the release.
    """
    verify(directory, key=signer).raise_if_failed()
    public, private = Layout.of(directory).public, read_bytes(private_key)
    if fingerprint(private) == read_certificate(public).get("signed_by"):
        raise DataError("approval — made with the key that signs the release — a second person must approve")
    digest = sha256(public / CERTIFICATE)
    write_release_approval(public / RELEASE_APPROVAL, digest, private)
    return public / RELEASE_APPROVAL, digest
