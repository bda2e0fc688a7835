"""The manifest of internal/: the hash of every file in it, signed with the key that signs the certificate.

The dossier and the findings are written after the certificate, which they quote, and they tell the time; so the
certificate cannot hold their hashes. `internal/manifest.json` does, with the hash of the certificate it belongs to, and
`internal/manifest.sig` is its signature. A release that is not signed has a manifest without one: it shows damage, and
shows nothing of whoever alters a file and recomputes its hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sharewell.errors import DataError
from sharewell.io.plain_files import sha256
from sharewell.io.signatures import is_consistent, is_signed_by, sign
from sharewell.io.writing import read_bytes, write_json
from sharewell.pipeline.certificate import CERTIFICATE, FORMAT, REDACTED, Layout, mapping_in
from sharewell.plain_data import Json

MANIFEST, MANIFEST_SIGNATURE = "manifest.json", "manifest.sig"
_PURPOSE = b"sharewell manifest of internal\n"
"""In front of what is signed, so that the signature can serve for nothing else."""


def write_manifest(layout: Layout, signer: bytes | None) -> None:
    """The last that is written to internal/."""
    assert layout.internal is not None
    claim = {
        "sharewell": FORMAT,
        "certificate_sha256": sha256(layout.public / CERTIFICATE),
        "files": {name: sha256(layout.internal / name) for name in _names(layout.internal)},
    }
    write_json(layout.internal / MANIFEST, claim)
    if signer is not None:
        message = _PURPOSE + read_bytes(layout.internal / MANIFEST)
        write_json(layout.internal / MANIFEST_SIGNATURE, sign(message, signer))


def manifest_problems(layout: Layout, key: Path | None, signed_by: Json) -> tuple[list[str], list[str]]:
    """What is wrong with internal/, and which of its files the manifest does not cover."""
    if layout.internal is None:
        return [], []
    try:
        claim = mapping_in(layout.internal / MANIFEST)
        files, certificate = dict(claim["files"]), claim["certificate_sha256"]
    except (KeyError, TypeError, ValueError):
        return [f"internal/{MANIFEST} — missing or damaged: nothing shows whether internal/ is whole"], []
    problems = _signature_problems(layout.internal, key, signed_by)
    if certificate != sha256(layout.public / CERTIFICATE):
        problems.append(f"internal/{MANIFEST} — belongs to another certificate")
    there = _names(layout.internal)
    for name in sorted(files):
        if name not in there:
            problems.append(f"internal/{name} — listed in its manifest, but not there")
        elif sha256(layout.internal / name) != files[name]:
            problems.append(f"internal/{name} — changed since the release: its hash is not the one in the manifest")
    return problems, [f"internal/{name}: not part of the release" for name in there if name not in files]


def internal_folder(layout: Layout, dataset: str, finished: bool) -> Path | None:
    """The folder of internal/ with further files of a dataset; None if there is none, or if internal/ is not at hand.

    finished: the manifest of the release is there, and must speak for each of these files.
    """
    internal = layout.internal
    if internal is None or not (internal / REDACTED).is_file():  # another folder may be given, with named sources
        return None
    if dataset not in {path.name for path in internal.iterdir() if path.is_dir()}:
        return None
    folder = internal / dataset
    if links := sum(path.is_symlink() for path in (folder, *folder.rglob("*"))):
        raise DataError(f"internal/{dataset} — {links} link(s) in it: a release holds only plain files")
    if finished:
        claim = mapping_in(internal / MANIFEST)
        files = claim.get("files")
        if claim.get("certificate_sha256") != sha256(layout.public / CERTIFICATE) or not isinstance(files, Mapping):
            raise DataError(f"internal/{MANIFEST} — missing, damaged or of another certificate")
        ours = [name for name in _names(internal) if name.startswith(f"{dataset}/")]
        if changed := [name for name in ours if files.get(name) != sha256(internal / name)]:
            raise DataError(f"internal/{changed[0]} — changed since the release, or not part of it")
    return folder


def _signature_problems(internal: Path, key: Path | None, signed_by: Json) -> list[str]:
    path = internal / MANIFEST_SIGNATURE
    if not path.is_file():
        return [f"internal/{MANIFEST_SIGNATURE} — missing, although the release is signed"] if signed_by or key else []
    message, signature = _PURPOSE + read_bytes(internal / MANIFEST), mapping_in(path)
    if key is not None and not is_signed_by(message, signature, key):
        return [f"internal/{MANIFEST_SIGNATURE} — not a signature of the manifest by the given key"]
    if not is_consistent(message, signature) or signature.get("key") != signed_by:
        return [
            f"internal/{MANIFEST_SIGNATURE} — not a signature of the manifest by the key that the certificate names"
        ]
    return []


def _names(internal: Path) -> list[str]:
    """Every plain file but the manifest and its signature, by its path inside."""
    own = {MANIFEST, MANIFEST_SIGNATURE}
    plain = (path for path in internal.rglob("*") if path.is_file() and not path.is_symlink())
    return sorted(name for path in plain if (name := path.relative_to(internal).as_posix()) not in own)
