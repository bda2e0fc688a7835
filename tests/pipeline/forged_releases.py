"""What a careful forger does: edit a certificate in one place or in several, and make every hash fit again."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sharewell.dossier.recipient_page import recipient_page
from sharewell.errors import SharewellError
from sharewell.pipeline.certificate import CERTIFICATE, DAMAGED, DICTIONARY, README, Layout, file_hashes, write_sums
from sharewell.pipeline.manifest import write_manifest
from sharewell.pipeline.verify import verify

Place = tuple[str | int, ...]
GONE = object()
OTHERS = {
    "person": "record",
    "persons": "records",
    "records": "persons",
    "none": "internal",
    "internal": "none",
    "published": "none",
    "steward": "recipient",
    "recipient": "attested",
    "quasi": "keep",
    "sensitive": "keep",
    "subject": "keep",
    "≥": "≤",
    "≤": "≥",
}
"""Words that a forger exchanges; any other text gets a letter more."""


def content_of(release: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((release / "public" / CERTIFICATE).read_text())
    return found


def put_page(public: Path, certificate: dict[str, Any]) -> None:
    """The page for recipients, as the certificate now has it; a damaged certificate leaves it as it was."""
    if (public / README).is_file():
        with suppress(*DAMAGED):
            (public / README).write_text(recipient_page({**certificate, "files": {}}))


def put(release: Path, certificate: dict[str, Any]) -> None:
    """Write a certificate, the dictionary that it describes, and everything that hashes either."""
    public, columns = release / "public", {}
    datasets = certificate.get("datasets")
    if isinstance(datasets, dict):
        columns = {name: claim.get("columns") for name, claim in datasets.items() if isinstance(claim, dict)}
        (public / DICTIONARY).write_text(json.dumps(columns))
    if isinstance(certificate.get("files"), dict):
        certificate["files"] |= {DICTIONARY: file_hashes(public)[DICTIONARY]}
    (public / CERTIFICATE).write_text(json.dumps(certificate))
    write_sums(public)
    if (release / "internal").is_dir():
        write_manifest(Layout(public, release / "internal"), None)


def places(node: Any, path: Place = ()) -> Iterator[Place]:
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in children:
        yield (*path, key)
        yield from places(child, (*path, key))


def at(content: Any, place: Place) -> Any:
    for key in place:
        content = content[key]
    return content


def variants(value: Any) -> Iterator[Any]:
    """One thing left out, and the same thing changed or weakened."""
    yield GONE
    match value:
        case bool():
            yield not value
        case int() | float():
            yield from {value + 1, value - 1, value / 2} - {value}
        case str():
            yield OTHERS.get(value, f"{value}x")
        case None:
            yield "x"
        case list() | dict() if value:
            yield type(value)()


def edited(content: dict[str, Any], place: Place, value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(content)
    inside = at(changed, place[:-1])
    if value is GONE:
        del inside[place[-1]]
    else:
        inside[place[-1]] = value
    return changed


def says_nothing(value: Any) -> bool:
    """A parameter that is not given is as good as one that is left out."""
    return value in (None, "", [], {}) or (isinstance(value, dict) and all(map(says_nothing, value.values())))


def report(release: Path) -> str | None:
    """What verify says of a release that it does not fault; None if it does."""
    try:
        found = verify(release)
    except SharewellError:
        return None
    findings = {name: [one.to_json() for one in some] for name, some in found.findings.items()}
    return json.dumps([asdict(found.claims), found.cautions, findings], default=str) if found.ok else None
