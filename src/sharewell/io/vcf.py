"""VCF and BCF files through cyvcf2: samples, and one variant after the other.

htslib reads truncated files without complaint, and its messages quote names; so files are checked here first.
"""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.errors import DataError

if TYPE_CHECKING:
    import cyvcf2
    import numpy as np
    from numpy.typing import NDArray

_GZIP = b"\x1f\x8b"
_BLOCKS = b"BC\x02\x00"
"""Marks gzip files of blocks, which htslib can end anywhere."""
_END = bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")
"""The empty block that ends them."""
_BCF = b"BCF\x02"
_FIXED = 9
"""Columns before those of the samples."""
_LAST_POSITION = 2**31 - 2
"""Larger ones are read as something else by htslib."""
_VARIANT = re.compile(
    rb"[^\s#\0][^\t\0]*\t(?P<position>[0-9]{1,18})\t[^\t\0]+\t[A-Za-z*.]+\t[^\t\0\s]+\t(?:\.|[-+0-9.eE]+|[Ii]nf|[Nn]a[Nn])"
    rb"\t[^\t\0\s]+\t[^\t\0\r\n]+(?:[\r\n]+$|\t(?P<format>[A-Za-z0-9_.:]*)(?:\t|[\r\n]*$))"
)
_CALLS = re.compile(rb"(?:[0-9.]{1,9}(?:[/|][0-9.]{1,9})*(?::[^\t\0]*)?(?:\t|$))*")
_CUT = "truncated — copy it again"


@dataclass(frozen=True, eq=False)
class Variant:
    """One line of the file."""

    chromosome: str
    position: int
    id: str | None
    reference: str
    alternatives: tuple[str, ...]
    alleles: NDArray[np.integer] | None
    """Samples × ploidy: 0 the reference, 1 the first alternative, …; -1 missing, -2 where a call has fewer. None where
    the line holds no genotypes."""


def read_samples(path: Path) -> list[str]:
    """The names of the samples, by the header; a name may be there twice."""
    try:
        header = _header(path)
    except FileNotFoundError:
        raise DataError(f"{path} — no such file — check the path") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise DataError(f"{path.name} — {_CUT}") from None
    except (OSError, UnicodeDecodeError):
        raise DataError(f"{path.name} — cannot be read as VCF or BCF") from None
    if header is None:
        raise DataError(f"{path.name} — no VCF or BCF: no line that begins with #CHROM — give a .vcf, .vcf.gz or .bcf")
    return header.split("\t")[_FIXED:]


def _opened(path: Path) -> gzip.GzipFile | BufferedReader:
    with path.open("rb") as raw:
        packed = raw.read(2) == _GZIP
    return gzip.open(path) if packed else path.open("rb")


def _header(path: Path) -> str | None:
    """The line that names the columns."""
    with _opened(path) as file:
        start = file.read(len(_BCF) + 1)
        if start[: len(_BCF)] == _BCF:
            text = file.read(int.from_bytes(file.read(4), "little")).rstrip(b"\0")
            lines: Iterator[bytes] = iter(text.splitlines())
        else:
            lines = _first_joined(start, file)
        for line in lines:
            if line.startswith(b"#CHROM"):
                return str(line.decode().rstrip("\r\n"))
            if not line.startswith(b"#"):
                return None
    return None


def _first_joined(start: bytes, file: gzip.GzipFile | BufferedReader) -> Iterator[bytes]:
    yield start + file.readline()
    yield from file


def _refuse_cut(path: Path) -> None:
    """Text that ends within a line, and blocks without the last: readers take both for whole files."""
    with path.open("rb") as file:
        start = file.read(16)
        file.seek(-min(len(_END), path.stat().st_size), 2)
        end = file.read()
    if start[:2] == _GZIP:
        complete = start[12:16] != _BLOCKS or end == _END
    else:
        complete = start[: len(_BCF)] == _BCF or end.endswith(b"\n")
    if not complete:
        raise DataError(f"{path.name} — {_CUT}")


def _refuse_malformed(path: Path) -> None:
    """Look at every line before htslib does: some that break the format end it, and the whole process with it.

    One pass over the text; a BCF file holds none, and is tried in a process of its own.
    """
    with _opened(path) as file:
        start = file.read(len(_BCF))
        if start == _BCF:
            _try_in_subprocess(path)
            return
        tabs: int | None = None
        for number, line in enumerate(_first_joined(start, file), 1):
            if tabs is None:
                tabs = line.count(b"\t") if line.startswith(b"#CHROM\t") else None
                problem = "" if tabs is not None or line.startswith(b"##") else "stands before the line #CHROM"
            else:
                problem = _problem(line, tabs)
            if problem:
                raise DataError(f"{path.name} — line {number} {problem} — the file is damaged; copy it again")


def _problem(line: bytes, tabs: int) -> str:
    """What is wrong with a line of a variant, in words; never what stands in it."""
    if line.startswith(b"#"):
        return "is a header line among variants"
    if line.count(b"\t") != tabs:
        return f"has {line.count(chr(9).encode()) + 1} columns where the header names {tabs + 1}"
    fixed = _VARIANT.match(line)
    if fixed is None:
        return "is not a variant: position, alleles, quality, filter or INFO do not follow the VCF format"
    if int(fixed["position"]) > _LAST_POSITION:
        return f"has a position beyond {_LAST_POSITION}, which no chromosome has"
    calls = line[fixed.end() :]
    if fixed["format"] in (b"GT", b"") or fixed["format"].startswith(b"GT:"):
        return "" if _CALLS.fullmatch(calls.rstrip(b"\r\n")) else "has a malformed genotype"
    return ""


def _try_in_subprocess(path: Path) -> None:
    """Read a binary file in a process of its own, whose crash is not ours."""
    code = "import sys, cyvcf2; [line.genotype for line in cyvcf2.VCF(sys.argv[1])]"
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, check=False)
    if done.returncode:
        raise DataError(f"{path.name} — cannot be read as BCF — truncated or damaged; copy it again")


def read_variants(path: Path) -> Iterator[Variant]:
    """All variants in file order; `read_samples` has been asked before."""
    try:
        from cyvcf2 import VCF
        from cyvcf2.cyvcf2 import set_htslib_log_level
    except ImportError:
        raise DataError(f"{path.name} — VCF is read by cyvcf2 — pip install 'sharewell[genomes]'") from None
    _refuse_cut(path)
    try:
        _refuse_malformed(path)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise DataError(f"{path.name} — {_CUT}") from None
    set_htslib_log_level(0)  # it would quote names
    number = 0
    try:
        for line in VCF(str(path)):
            number += 1
            yield Variant(line.CHROM, line.POS, line.ID, line.REF, tuple(line.ALT), _alleles(line))
    except DataError:
        raise
    except Exception:  # cyvcf2 raises nothing more special
        problem = f"cannot be read beyond {number:,} variant(s)"
        raise DataError(f"{path.name} — {problem} — truncated or damaged; copy it again") from None


def _alleles(line: cyvcf2.Variant) -> NDArray[np.integer] | None:
    if "GT" not in (line.FORMAT or ()):
        return None
    alleles: NDArray[np.integer] = line.genotype.array()[:, :-1]
    return alleles
