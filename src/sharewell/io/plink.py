"""PLINK's three files: .bed (packed calls), .bim (SNPs) and .fam (samples), read and written.

The .bed file is mapped into memory, so that nothing of it is read before it is used. SNP-major files alone: in the old
individual-major order every SNP would be spread over the whole file.
"""

from __future__ import annotations

import contextlib
import itertools
import mmap
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.errors import DataError
from sharewell.io.writing import complete_file

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    Texts = NDArray[np.object_]
    Sites = tuple[Texts, Texts, NDArray[np.int64], Texts, Texts]

MAGIC = b"\x6c\x1b"
SNP_MAJOR, INDIVIDUAL_MAJOR = 1, 0
_BIM = ("chromosome", "id", "distance", "position", "effect", "other")
_FEW = ("chromosome", "effect", "other")
"""Columns in which the same texts stand again and again."""
_FAM = ("family", "sample", "father", "mother", "sex", "phenotype")


@dataclass(frozen=True, eq=False)
class Plink:
    """The content of the three files."""

    packed: NDArray[np.uint8]
    families: list[str]
    samples: list[str]
    id: NDArray[np.object_]
    chromosome: NDArray[np.object_]
    position: NDArray[np.int64]
    effect: NDArray[np.object_]
    other: NDArray[np.object_]


def read_plink(path: Path) -> Plink:
    """The .bed file of that name, with the .bim and .fam beside it."""
    import numpy as np

    path = path if path.suffix == ".bed" else path.with_name(path.name + ".bed")
    fam = _columns(path.with_suffix(".fam"), _FAM, ("family", "sample"))
    bim = _columns(path.with_suffix(".bim"), _BIM, tuple(name for name in _BIM if name != "distance"))
    packed = _mapped(path, len(bim["id"]), len(fam["sample"]))
    try:
        position = np.asarray(bim["position"], dtype=np.int64)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"{path.with_suffix('.bim').name} — column 4 is to be positions, whole numbers") from None
    few = {name: bim[name] for name in _FEW}
    return Plink(packed, fam["family"].tolist(), fam["sample"].tolist(), bim["id"], position=position, **few)


def read_plink_samples(path: Path) -> list[str]:
    """The names of the samples, by the .fam file beside a .bed file."""
    path = path if path.suffix == ".bed" else path.with_name(path.name + ".bed")
    samples: list[str] = _columns(path.with_suffix(".fam"), _FAM, ("sample",))["sample"].tolist()
    return samples


def _mapped(path: Path, snps: int, samples: int) -> NDArray[np.uint8]:
    import numpy as np

    name, wide = path.name, -(-samples // 4)
    try:
        with path.open("rb") as file:
            start, size = file.read(3), path.stat().st_size
    except OSError as error:
        raise DataError(f"{path} — cannot be read ({error.strerror})") from None
    if len(start) < 3 or start[:2] != MAGIC:
        raise DataError(f"{name} — not a PLINK .bed file — its first bytes are different")
    if start[2] == INDIVIDUAL_MAJOR:
        raise DataError(f"{name} — in individual-major order — write it anew with plink --make-bed")
    if start[2] != SNP_MAJOR:
        raise DataError(f"{name} — neither SNP-major nor individual-major — the file is damaged")
    if size != 3 + snps * wide:
        problem = f"{size:,} bytes where {snps:,} SNP(s) of {samples:,} sample(s) take {3 + snps * wide:,}"
        raise DataError(f"{name} — {problem} — it is damaged, or belongs to other .bim and .fam files")
    if not snps * wide:
        return np.zeros((snps, wide), dtype=np.uint8)
    return np.memmap(path, dtype=np.uint8, mode="r", offset=3, shape=(snps, wide))


def forget(packed: NDArray[np.uint8]) -> None:
    """Give back the memory of a mapped file, which is read again when it is used again.

    Without this a pass through a large file would keep all of it in memory as long as there is room. Arrays that can
    be written to are left alone: changes might be lost.
    """
    import numpy as np

    owner: object = packed
    while isinstance(owner, np.ndarray):
        owner = owner.base
    if isinstance(owner, mmap.mmap) and not packed.flags.writeable and sys.platform != "win32":
        owner.madvise(mmap.MADV_DONTNEED)


def _columns(path: Path, names: Sequence[str], wanted: Sequence[str] | None = None) -> dict[str, Texts]:
    """Columns of a file without a header, parted by tabs or blanks."""
    import numpy as np
    import pyarrow as pa
    from pyarrow import csv

    wanted = wanted or names
    try:
        raw = path.read_bytes()
    except OSError as error:
        hint = "the .bim and .fam files stand beside the .bed file"
        raise DataError(f"{path} — cannot be read ({error.strerror}) — {hint}") from None
    if b" " in raw or b"\r" in raw:  # PLINK itself parts columns by one tab
        raw = _parted_by_one_tab(raw)
    raw = raw.strip(b"\n")
    if not raw:
        return {name: np.empty(0, dtype=object) for name in wanted}
    options = (
        csv.ReadOptions(column_names=list(names), block_size=1 << 26),
        csv.ParseOptions(delimiter="\t", quote_char=False),
        csv.ConvertOptions(
            column_types={name: pa.string() for name in names}, include_columns=list(wanted), strings_can_be_null=False
        ),
    )
    try:
        table = csv.read_csv(pa.BufferReader(raw + b"\n"), *options)
    except (pa.ArrowException, OSError):
        problem = f"not {len(names)} columns in every line"
        raise DataError(f"{path.name} — {problem} — it is damaged, or another kind of file") from None
    return {name: _texts(name, table[name]) for name in wanted}


def _parted_by_one_tab(raw: bytes) -> bytes:
    r"""Lines whose columns are parted by any blanks; some begin or end with blanks.

    >>> _parted_by_one_tab(b" a  b \r\n\tc \t d\r")
    b'\na\tb\nc\td\n'
    """
    raw, before = b"\n" + raw.replace(b" ", b"\t") + b"\n", -1
    while len(raw) != before:  # each round halves runs of tabs; an expression takes twenty times as long
        before = len(raw)
        raw = raw.replace(b"\t\t", b"\t").replace(b"\r\n", b"\n").replace(b"\t\n", b"\n").replace(b"\n\t", b"\n")
    return raw


def _texts(name: str, column: pa.ChunkedArray) -> Texts:
    """Equal strings are one object where they stand again and again: a million alleles are four letters.

    Positions are whole numbers, unless some are written in another way, which is for the caller to read.
    """
    import numpy as np
    import pyarrow as pa

    if name not in _FEW:
        with contextlib.suppress(pa.ArrowInvalid):
            column = column.cast(pa.int64()) if name == "position" else column
        texts: Texts = column.to_numpy()
        return texts
    encoded = column.combine_chunks().dictionary_encode()
    different = np.asarray(encoded.dictionary.to_numpy(zero_copy_only=False), dtype=object)
    shared: Texts = different[encoded.indices.to_numpy()]
    return shared


def write_plink(path: Path, samples: Sequence[str], sites: Sites, blocks: Iterable[NDArray[np.uint8]]) -> None:
    """Write the three files, each complete before it gets its name.

    sites: chromosome, name, position, effect allele, other allele, each for every SNP. blocks: packed calls.
    """
    path = path if path.suffix == ".bed" else path.with_name(path.name + ".bed")
    _refuse_blanks("sample name", samples)
    for column in (sites[0], sites[1], sites[3], sites[4]):
        _refuse_blanks("name or allele", column)
    fam = "".join(f"0\t{sample}\t0\t0\t0\t-9\n" for sample in samples)
    bim = "".join(f"{c}\t{name}\t0\t{p}\t{a}\t{b}\n" for c, name, p, a, b in zip(*sites, strict=True))
    packed: Iterable[bytes | memoryview] = itertools.chain([MAGIC, b"\x01"], (block.data for block in blocks))
    files: dict[str, Iterable[bytes | memoryview]] = {".fam": [fam.encode()], ".bim": [bim.encode()], ".bed": packed}
    with ExitStack() as all_three:  # none gets its name before all are written
        for ending, pieces in files.items():
            unfinished = all_three.enter_context(complete_file(path.with_suffix(ending)))
            with unfinished.open("wb") as file:
                file.writelines(pieces)


def _refuse_blanks(noun: str, texts: Iterable[str]) -> None:
    """PLINK's files part columns by blanks."""
    if odd := sum(not text or len(text.split()) != 1 for text in texts):
        raise DataError(f"PLINK files — {odd} {noun}(s) empty or with a blank in them — rename them")
