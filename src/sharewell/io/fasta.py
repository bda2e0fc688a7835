"""FASTA files: a line `>name description`, then the sequence on as many lines as it takes; plain or gzipped."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from sharewell.errors import DataError

_GZIP = b"\x1f\x8b"
WIDTH = 80
"""Symbols on a line of a written file."""


@dataclass(frozen=True)
class Record:
    """One sequence as the file has it."""

    name: str = field(repr=False)
    description: str = field(repr=False)
    """What follows the name on its line."""
    text: str = field(repr=False)


def read_fasta(path: Path) -> list[Record]:
    """All records in file order. Blank lines and comments that begin with `;` are passed over."""
    records: list[Record] = []
    head, number = "", 0
    parts: list[str] = []
    for number, raw in enumerate(_lines(path), 1):
        line = raw.strip()
        if line.startswith(">"):
            if head:
                records.append(_record(head, parts))
            head, parts = line, []
        elif line and not line.startswith(";"):
            if not head:
                raise DataError(
                    f"{path.name} — line {number}: a sequence without a line that begins with > — is it FASTA?"
                )
            parts.append(line)
    if head:
        records.append(_record(head, parts))
    if not records:
        raise DataError(f"{path.name} — no sequence — {number} line(s), none of which begins with >")
    if nameless := sum(not record.name for record in records):
        raise DataError(f"{path.name} — {nameless} of {len(records)} sequence(s) have no name — write it after the >")
    return records


def write_fasta(path: Path, records: Iterable[Record]) -> None:
    """A file that `read_fasta` reads back; a name ending in .gz is gzipped, without a time in it."""
    text = fasta_text(records).encode()
    path.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)


def fasta_text(records: Iterable[Record]) -> str:
    """As it stands in a file."""
    lines: list[str] = []
    for record in records:
        # a line end would begin another record
        name, description = "_".join(record.name.split()), " ".join(record.description.split())
        lines.append(f">{name} {description}".rstrip())
        lines += [record.text[i : i + WIDTH] for i in range(0, len(record.text), WIDTH)]
    return "".join(f"{line}\n" for line in lines)


def _lines(path: Path) -> list[str]:
    try:
        raw = path.read_bytes()
        return (gzip.decompress(raw) if raw[:2] == _GZIP else raw).decode("utf-8-sig").splitlines()
    except FileNotFoundError:
        raise DataError(f"{path} — no such file — check the path") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise DataError(f"{path.name} — truncated or damaged — copy it again") from None
    except (OSError, UnicodeDecodeError):
        raise DataError(f"{path.name} — cannot be read as FASTA — give text, plain or gzipped") from None


def _record(head: str, parts: list[str]) -> Record:
    name, description = [*head[1:].split(maxsplit=1), "", ""][:2]  # a blank or a tab
    return Record(name, description.strip(), "".join("".join(parts).split()))
