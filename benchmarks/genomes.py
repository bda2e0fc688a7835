"""Genotypes on disk: allele counts beside plink's and bed-reader's, and a file larger than the memory it may take.

plink 1.9 is taken from the PATH (Debian's package `plink1.9`); its CPU time is that of its whole process, which reads
the same three files, counts on one thread and writes a line a SNP. Ours is from the files to the two arrays: in a
process that has counted before and loaded compiled code, in one that has none, and, on a row of its own, as a whole
process with its imports.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.house import Result, run
from benchmarks.peers.installing import ask, interpreter
from sharewell.genomes import Genotypes
from sharewell.genomes.engine.packed_calls import Ints

PEOPLE, SNPS, REPEATS = 10_000, 100_000, 3
SPARE = 1 << 30
"""Bytes that a large file leaves free on its disk."""
COUNT = "import sys; from sharewell.genomes import Genotypes; Genotypes.from_bed(sys.argv[1]).counts()"
TIMED = """
import sys, time
path, compiled, repeats = sys.argv[1], sys.argv[2] == "1", int(sys.argv[3])
if compiled:
    import numba
else:
    sys.modules["numba"] = None
from sharewell.genomes import Genotypes
from sharewell.genomes.engine import packed_calls
packed_calls.LOADING_PAYS_FROM = 0 if compiled else packed_calls.LOADING_PAYS_FROM
for _ in range(1 + repeats):
    began = time.process_time()
    Genotypes.from_bed(path).counts()
    if _:
        print(time.process_time() - began)
"""
"""Prints the CPU seconds of some counts after a first one, which compiled what was missing."""
WALK = (
    "import sys; from sharewell.genomes import Genotypes\n"
    "for which, calls in Genotypes.from_bed(sys.argv[1]).blocks(): calls.max()"
)


def genomes(data: Path | None, rows: int) -> Iterator[Result]:
    """A hundred thousand SNPs of ten thousand people; then as many SNPs as rows were asked for, streamed."""
    yield from _beside_bed_reader(min(SNPS, rows))
    yield from _streamed(rows)


def _beside_bed_reader(snps: int) -> Iterator[Result]:
    what, full = f"allele counts of {snps:,} SNPs × {PEOPLE:,} people", snps == SNPS
    with tempfile.TemporaryDirectory() as folder:
        path = random_bed(Path(folder) / "x.bed", snps)
        counts = Genotypes.from_bed(path).counts()
        bare = _least_seconds([sys.executable, "-c", TIMED, str(path), "0", str(REPEATS)])
        ours = _least_seconds([sys.executable, "-c", TIMED, str(path), "1", str(REPEATS)])
        yield Result(f"{what}, CPU", ours, "s", 2 if full else None)
        yield Result(f"{what}, CPU without compiled code", bare, "s", 2 if full else None)
        yield from _beside_plink(path, what, (ours, bare), counts, full)
        python = interpreter("bed_reader")
        if python is None:
            yield Result("bed-reader: skipped, cannot be installed here", None)
            return
        theirs = ask(python, "bed_reader", file=str(path), block=2_000, repeats=REPEATS)
    if theirs["sha256"] != hashed(counts):
        raise SystemExit("bed-reader counts other alleles than we do")
    yield Result(f"{what}, bed-reader's CPU", theirs["seconds"], "s")
    yield Result(f"{what}, bed-reader's CPU for reading alone", theirs["reading"], "s")
    yield Result(f"{what}, bed-reader's CPU to ours", theirs["seconds"] / ours, "×", 5 if full else None, "≥")


def _least_seconds(command: list[str]) -> float:
    """The least CPU seconds that a process of its own prints."""
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return min(map(float, printed.split()))


def _beside_plink(
    path: Path, what: str, seconds: tuple[float, float], counts: tuple[Ints, Ints], full: bool
) -> Iterator[Result]:
    """seconds: ours with compiled code, and without."""
    plink = shutil.which("plink1.9") or shutil.which("plink")
    if plink is None:
        yield Result("plink: skipped, neither plink1.9 nor plink is on the PATH", None)
        return
    out = path.with_name("plink")
    command = [plink, "--bfile", str(path.with_suffix("")), "--freq", "counts", "--keep-allele-order", "--threads", "1"]
    theirs = min(run([*command, "--out", str(out)])[1] for _ in range(REPEATS))
    shown = np.loadtxt(out.with_suffix(".frq.counts"), dtype=np.int64, skiprows=1, usecols=(4, 6)).T
    if (shown != np.stack([counts[0], PEOPLE - counts[1]])).any():
        raise SystemExit("plink counts other alleles than we do")
    process = min(run([sys.executable, "-c", COUNT, str(path)])[1] for _ in range(REPEATS))
    yield Result(f"{what}, plink's CPU", theirs, "s")
    yield Result(f"{what}, ours to plink's CPU", seconds[0] / theirs, "×", 1 if full else None)
    yield Result(f"{what}, ours without compiled code to plink's CPU", seconds[1] / theirs, "×")
    yield Result(f"{what}, our whole process with its imports, CPU", process, "s")


def _streamed(snps: int) -> Iterator[Result]:
    """In processes of their own, whose peak memory is all that they ever held."""
    what, full = f"{snps:,} SNPs × {PEOPLE:,} people", snps >= 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        free = shutil.disk_usage(folder).free
        if free < snps * PEOPLE // 4 + SPARE:
            yield Result(f"{what}, streamed: skipped, {free / 1e9:.1f} GB free on the disk are too few", None)
            return
        path = random_bed(Path(folder) / "x.bed", snps)
        yield Result(f"{what}, size of the file", path.stat().st_size / 1e9, "GB")
        for task, code in (("allele counts", COUNT), ("every call unpacked", WALK)):
            _, cpu, memory = run([sys.executable, "-c", code, str(path)])
            yield Result(f"{what}, {task}, CPU of the process", cpu, "s")
            yield Result(f"{what}, {task}, peak memory", memory, "GB", 1 if full else None)


def random_bed(path: Path, snps: int, people: int = PEOPLE, seed: int = 1) -> Path:
    """PLINK files in which a call is as likely missing as anything else."""
    draw, wide = np.random.default_rng(seed), -(-people // 4)
    path.with_suffix(".fam").write_text("".join(f"0 P{i} 0 0 0 -9\n" for i in range(people)))
    sites = (f"{1 + i * 22 // snps}\trs{i}\t0\t{i + 1}\tA\tG\n" for i in range(snps))
    path.with_suffix(".bim").write_text("".join(sites))
    with path.open("wb") as file:
        file.write(b"\x6c\x1b\x01")
        for first in range(0, snps, 10_000):
            file.write(draw.bytes(min(10_000, snps - first) * wide))
    return path


def hashed(counts: tuple[Any, Any]) -> str:
    return hashlib.sha256(b"".join(np.ascontiguousarray(one, dtype=np.int64).tobytes() for one in counts)).hexdigest()
