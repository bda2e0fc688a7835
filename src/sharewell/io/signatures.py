"""Ed25519 keys and detached signatures, in PEM and JSON files. The `cryptography` library does the cryptography."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.errors import DataError
from sharewell.io.plain_files import small_file
from sharewell.io.writing import read_bytes, read_json, write_json, write_text

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


def new_pair(stem: Path) -> tuple[Path, Path]:
    """Write STEM.key (private, readable by its owner alone) and STEM.pub; existing files are never overwritten."""
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private, public = stem.with_name(stem.name + ".key"), stem.with_name(stem.name + ".pub")
    for path in (private, public):
        if path.exists():
            raise DataError(f"{path} — already there, and a key is never overwritten — choose another name")
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    write_text(private, pem.decode(), private=True)
    pem = key.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)
    write_text(public, pem.decode())
    return private, public


def sign(message: bytes, private_pem: bytes) -> dict[str, str]:
    """A signature with the public key it belongs to."""
    key = _private(private_pem)
    return {
        "algorithm": "ed25519",
        "key": fingerprint_of(key.public_key()),
        "public": base64.b64encode(_raw(key.public_key())).decode(),
        "signature": base64.b64encode(key.sign(message)).decode(),
    }


def is_signed_by(message: bytes, signature: dict[str, str], public_file: Path) -> bool:
    """Does the signature belong to the message and to this public key?"""
    return _fits(message, signature, load_public(public_file))


def is_consistent(message: bytes, signature: dict[str, str]) -> bool:
    """Does the signature belong to the message and to the key that it names? It does not say whose key that is."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(signature["public"], validate=True))
    except (KeyError, ValueError, TypeError):
        return False
    return signature.get("key") == fingerprint_of(key) and _fits(message, signature, key)


def _fits(message: bytes, signature: dict[str, str], key: Ed25519PublicKey) -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        key.verify(base64.b64decode(signature["signature"], validate=True), message)
    except (InvalidSignature, KeyError, ValueError, TypeError):
        return False
    return True


def load_public(path: Path) -> Ed25519PublicKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        key = load_pem_public_key(read_bytes(path))
    except ValueError:
        raise DataError(f"{path.name} — not a public key in PEM form — use the .pub file that keygen wrote") from None
    if not isinstance(key, Ed25519PublicKey):
        raise DataError(f"{path.name} — not an Ed25519 key — use the .pub file that keygen wrote")
    return key


def fingerprint(private_pem: bytes) -> str:
    """The name by which files refer to a key."""
    return fingerprint_of(_private(private_pem).public_key())


def fingerprint_of(public: Ed25519PublicKey) -> str:
    return hashlib.sha256(_raw(public)).hexdigest()[:32]


def _raw(public: Ed25519PublicKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return bytes(public.public_bytes(Encoding.Raw, PublicFormat.Raw))


def _private(pem: bytes) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(pem, password=None)
    except (ValueError, TypeError):
        raise DataError("signing key — not a private key in PEM form — use the .key file that keygen wrote") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise DataError("signing key — not an Ed25519 key — use the .key file that keygen wrote")
    return key


APPROVAL = ".approval"


def write_approval(policy: Path, sha256: str, private_pem: bytes) -> Path:
    """POLICY.approval: the second person's signature on the hash of the policy file."""
    path = policy.with_name(policy.name + APPROVAL)
    write_json(path, {"policy_sha256": sha256} | sign(_approves(sha256), private_pem))
    return path


def read_approval(policy: Path) -> dict[str, str] | None:
    """The approval beside a policy file, or None."""
    path = policy.with_name(policy.name + APPROVAL)
    if not path.is_file():
        return None
    approval = read_json(path)
    if not isinstance(approval, dict):
        raise DataError(f"{path.name} — not an approval — make it anew with `sharewell approve`")
    return approval


def is_approval_of(approval: dict[str, str], sha256: str) -> bool:
    """Was this hash signed with the key that the approval names?"""
    return approval.get("policy_sha256") == sha256 and is_consistent(_approves(sha256), approval)


def _approves(sha256: str) -> bytes:
    """The message that an approver signs; it names its purpose, so that the signature is valid for nothing else."""
    return f"sharewell approval of policy {sha256}".encode()


def approves_release(certificate_sha256: str) -> bytes:
    """The message with which an approver signs a finished release, by the hash of its certificate."""
    return f"sharewell approval of release {certificate_sha256}".encode()


def write_release_approval(path: Path, certificate_sha256: str, private_pem: bytes) -> None:
    """A second person's signature on the certificate, and so on all that it names; an approval is never replaced."""
    if path.exists():
        raise DataError(f"{path.name} — already there, and an approval is never replaced — remove it first")
    signature = sign(approves_release(certificate_sha256), private_pem)
    write_json(path, {"certificate_sha256": certificate_sha256} | signature)


def new_secret(path: Path) -> Path:
    """A fresh secret for pseudonyms, shifts and random choices, in hexadecimal."""
    import secrets

    if path.exists():
        raise DataError(f"{path} — already there, and a key is never overwritten — choose another name")
    write_text(path, secrets.token_hex(32) + "\n", private=True)
    return path


def load_private(path: Path) -> Ed25519PrivateKey:
    """The Ed25519 key of a .key file."""
    return _private(small_file(path))
