"""Compressed text: gzip, a zip archive of one file, and Zstandard, known by their first bytes whatever the file's name.

What is read is counted: an archive that unpacks to very much more than its own size was made to fill memory or disk.
"""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal, TypeAlias

from sharewell.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa

Unpacked: TypeAlias = "gzip.GzipFile | zipfile.ZipExtFile | pa.NativeFile"
Compression = Literal["gzip", "zip", "zst"]
GZIP, ZIP, ZSTANDARD = b"\x1f\x8b", b"PK\x03\x04", b"\x28\xb5\x2f\xfd"
_EMPTY_ZIP = b"PK\x05\x06"
ENDINGS: dict[str, Compression] = {".gz": "gzip", ".bgz": "gzip", ".zip": "zip", ".zst": "zst"}
NAMES: dict[Compression, str] = {"gzip": "gzip", "zip": "zip", "zst": "Zstandard"}
FREE_BYTES, MOST_RATIO = 1 << 26, 200
"""An archive may always unpack to this many bytes, and beyond it to this many times its own size."""
_LITTER = ("__MACOSX/", ".DS_Store", "Thumbs.db")


@dataclass(frozen=True)
class ZipMember:
    """The one file of a zip archive that holds data."""

    name: str
    bytes: int


def compression_of(start: bytes) -> Compression | None:
    """By the first bytes."""
    if start.startswith(GZIP):
        return "gzip"
    if start.startswith((ZIP, _EMPTY_ZIP)):
        return "zip"
    return "zst" if start.startswith(ZSTANDARD) else None


def compression_at(path: Path) -> Compression | None:
    """The same of a file."""
    with path.open("rb") as file:
        return compression_of(file.read(4))


def zip_names(path: Path) -> list[str]:
    """What a zip archive holds: names alone, from its directory."""
    with _own_errors(path.name, "zip"), zipfile.ZipFile(path) as archive:
        return archive.namelist()


def zip_start(path: Path, name: str, most: int = 200) -> bytes:
    """The first bytes of one member."""
    with _own_errors(path.name, "zip"), zipfile.ZipFile(path) as archive, archive.open(name) as member:
        return member.read(most)


def zip_sizes(path: Path) -> int:
    """The bytes to which the members of a zip archive unpack, by its directory."""
    with _own_errors(path.name, "zip"), zipfile.ZipFile(path) as archive:
        return sum(one.file_size for one in archive.infolist())


def zip_member(path: Path) -> ZipMember:
    """The only file of a zip archive, without directories and the litter of desktops."""
    with _own_errors(path.name, "zip"), zipfile.ZipFile(path) as archive:
        files = [
            one
            for one in archive.infolist()
            if not one.is_dir() and not one.filename.startswith(_LITTER) and not one.filename.endswith(_LITTER)
        ]
    if len(files) != 1:
        held = "no file" if not files else f"{len(files)} files"
        raise DataError(f"{path.name} — a zip archive with {held} — one file is wanted: unpack it, and name the file")
    [one] = files
    if one.flag_bits & 1:
        raise DataError(f"{path.name} — a zip archive with a password — unpack it, and name the file in it")
    refuse_exploding(path.name, one.file_size, path.stat().st_size)
    return ZipMember(one.filename, one.file_size)


@contextmanager
def open_unpacked(path: Path, compression: Compression | None = None) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked if it is compressed; a damaged archive is a DataError, as is one that explodes."""
    kind = compression or compression_at(path)
    if kind is None:
        with path.open("rb") as plain:
            yield plain
        return
    with _own_errors(path.name, kind):
        if kind == "zip":
            name = zip_member(path).name
            with zipfile.ZipFile(path) as archive, archive.open(name) as member:
                yield _counted(member, path, kind)
        elif kind == "gzip":
            with gzip.open(path) as unpacked:
                yield _counted(unpacked, path, kind)
        else:
            with _zstandard(path) as unpacked:
                yield _counted(unpacked, path, kind)


def _zstandard(path: Path) -> pa.NativeFile:
    import pyarrow as pa

    return pa.input_stream(str(path), compression="zstd", buffer_size=1 << 16)


class _Counted(io.RawIOBase):
    """Reads on, and refuses once the limit is passed."""

    def __init__(self, inner: Unpacked, path: Path, kind: Compression) -> None:
        super().__init__()
        self._inner, self._label, self._kind = inner, path.name, kind
        self._packed, self._seen = path.stat().st_size, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        with _own_errors(self._label, self._kind):
            content = self._inner.read(len(buffer))
        buffer[: len(content)] = content
        self._seen += len(content)
        refuse_exploding(self._label, self._seen, self._packed)
        return len(content)


def _counted(inner: Unpacked, path: Path, kind: Compression) -> BinaryIO:
    return io.BufferedReader(_Counted(inner, path, kind), 1 << 20)


def refuse_exploding(label: str, unpacked: int, packed: int) -> None:
    """A DataError if this many bytes are too many for an archive of this size."""
    if unpacked > FREE_BYTES and unpacked > MOST_RATIO * packed:
        problem = f"unpacks to more than {MOST_RATIO} times its size"
        raise DataError(f"{label} — {problem} — no table does so: ask its author, or unpack it yourself")


@contextmanager
def _own_errors(label: str, kind: Compression) -> Iterator[None]:
    what = f"{NAMES[kind]} archive"
    try:
        yield
    except (zipfile.BadZipFile, gzip.BadGzipFile, EOFError, zlib.error, NotImplementedError, RuntimeError):
        raise DataError(f"{label} — is a damaged {what} — copy or compress it again") from None
    except OSError as error:
        if error.strerror and error.errno:
            raise DataError(f"{label} — cannot be read ({error.strerror})") from None
        raise DataError(f"{label} — is a damaged {what} — copy or compress it again") from None
