"""How quickly the house starts and streams a hospital, and what benchmarks share."""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa

import sharewell

SHAREWELL = [sys.executable, "-m", "sharewell"]


@dataclass(frozen=True)
class Result:
    """One figure and the bar it is held against (None: only shown). No value: what was skipped, and why."""

    name: str
    value: float | None
    unit: str = ""
    bar: float | None = None
    sense: Literal["≤", "≥"] = "≤"

    @property
    def reached(self) -> bool:
        if self.bar is None or self.value is None:
            return True
        return self.value <= self.bar if self.sense == "≤" else self.value >= self.bar

    def __str__(self) -> str:
        if self.value is None:
            return self.name
        verdict = "reached" if self.reached else "MISSED"
        bar = "" if self.bar is None else f"   bar {self.sense} {self.bar:g} {self.unit}: {verdict}"
        return f"{self.name:64} {self.value:10.3f} {self.unit:4}{bar}"


def run(command: list[str], **environment: str) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds and peak memory (GB) of one command in a process of its own."""
    bytecode()
    began = time.perf_counter()
    silent = subprocess.DEVNULL
    child = subprocess.Popen(command, stdout=silent, stderr=silent, env=os.environ | environment)
    _, status, used = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} failed with status {status}")
    return time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1e6


@cache
def bytecode() -> None:
    """Compile the sources to bytecode, as installing a package does: a checkout may be set not to keep any, and then
    every process would spend half a second on what no user waits for."""
    compileall.compile_dir(Path(sharewell.__file__).parent, quiet=2)


def start(data: Path | None, rows: int, repeats: int = 7) -> Iterator[Result]:
    """How long a user waits for the first line."""
    seconds = sorted(run([*SHAREWELL, "--help"])[0] for _ in range(repeats))
    yield Result("sharewell --help, median wall time", seconds[repeats // 2], "s", 0.3)


def demographics(rows: int, seed: int = 1, first: int = 0) -> pa.Table:
    """Eight quasi-identifiers of the sizes that hospitals have; independent, so losses are not realistic.

    first: the number of the first person, for tables that are made in pieces.
    """
    draw = np.random.default_rng(seed)

    def pick(prefix: str, size: int) -> pa.Array:
        names = pa.array([f"{prefix}{i}" for i in range(size)])
        return names.take(pa.array(draw.integers(0, size, rows)))

    zips = pa.array([f"{z:05d}" for z in range(0, 90_000, 3)])
    return pa.table(
        {
            "person": [f"P{i}" for i in range(first, first + rows)],
            "age": draw.integers(0, 100, rows),
            "sex": pick("sex", 2),
            "zip": zips.take(pa.array(draw.integers(0, len(zips), rows))),
            "race": pick("race", 6),
            "marital": pick("marital", 7),
            "education": draw.integers(1, 17, rows),
            "occupation": pick("occupation", 14),
            "country": pick("country", 41),
            "illness": pick("illness", 60),
        }
    )


def hospital(data: Path | None, rows: int) -> Iterator[Result]:
    """Time and memory for a tenth as many patients, and the time that a million would take at that rate."""
    patients = max(100, rows // 10)
    with tempfile.TemporaryDirectory() as name:
        command = [*SHAREWELL, "hospital", f"{name}/h", "--no-notes", "--patients", str(patients)]
        wall, _, memory = run(command)
    yield Result(f"hospital of {patients:,} patients without notes", wall, "s")
    yield Result("the same for a million patients, by extrapolation", wall * 1e6 / patients / 60, "min", 20)
    yield Result(f"hospital of {patients:,} patients, peak memory", memory, "GB", 1)
