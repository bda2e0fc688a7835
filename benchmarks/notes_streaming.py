"""A million notes, on two processes: how quickly they go through, and that memory does not grow with them.

Notes are short and generated, of a fixed number of people. Memory is that of all processes together (resident, pages
that they share counted for each), looked at twice a second. One tenth of the notes is the measure for all of them. How
quickly all detectors read a note is measured elsewhere; here what is known of people is searched for, and dates.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.house import SHAREWELL, Result

PEOPLE = 20_000
GIVEN = ("Rosa", "Ann", "Wayne", "Peter", "Linda", "Carlos", "Mary", "John", "Fatima", "Wei", "Olga", "Amir")
FAMILY = ("Delgado", "Chen", "Smith", "Jones", "Dubose", "Okafor", "Larsen", "Meyer", "Novak", "Silva", "Hassan")
DRUGS = ("aspirin", "metformin", "lisinopril", "warfarin", "insulin", "atorvastatin")
_QUICKLY = ("--detectors", "dates", "--key", "env:SHAREWELL_BENCH")
GROWTH = 0.15
"""By how much memory may grow for ten times the notes."""


def notes_streaming(data: Path | None, rows: int) -> Iterator[Result]:
    """`sharewell notes protect` on a tenth of the notes, then on all of them."""
    reached = []
    for count in (rows // 10, rows):
        with tempfile.TemporaryDirectory() as place:
            _write(Path(place), count)
            seconds, memory = _protect(Path(place))
        reached.append(memory)
        yield Result(f"notes protect, {count:,} short notes, wall time", seconds, "s")
        yield Result(f"notes protect, {count:,} short notes, notes a second", count / seconds, "")
        yield Result(f"notes protect, {count:,} short notes, memory of all processes", memory, "GB")
    yield Result("notes protect, growth of memory for ten times the notes", reached[1] / reached[0] - 1, "", GROWTH)


def _write(place: Path, count: int) -> None:
    """People, and short notes about them."""
    rng = np.random.Generator(np.random.Philox(7))
    born = [f"{1930 + y}-{1 + m:02d}-{1 + d:02d}" for y, m, d in rng.integers((0, 0, 0), (70, 12, 28), (PEOPLE, 3))]
    names = [(GIVEN[g], FAMILY[f]) for g, f in rng.integers((0, 0), (len(GIVEN), len(FAMILY)), (PEOPLE, 2))]
    with (place / "people.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(("patient_id", "given", "family", "birth_date", "mrn"))
        table.writerows((f"P{i:06d}", *names[i], born[i], 1_000_000 + i) for i in range(PEOPLE))
    with (place / "notes.jsonl").open("w") as file:
        for first in range(0, count, 10_000):
            size = min(10_000, count - first)
            chosen = rng.integers((0, 0, 1, 1, 1), (PEOPLE, len(DRUGS), 13, 29, 10), (size, 5)).tolist()
            for at, (who, drug, month, day, tens) in enumerate(chosen, first):
                text = f"{names[who][0]} {names[who][1]} seen {month}/{day}/2024, {DRUGS[drug]} {tens}0 mg."
                file.write(json.dumps({"note_id": at, "patient_id": f"P{who:06d}", "text": text}) + "\n")


def _protect(place: Path) -> tuple[float, float]:
    """Wall seconds, and the peak of the memory of all processes in GB."""
    files = [str(place / "notes.jsonl"), "--out", str(place / "out.jsonl"), "--people", str(place / "people.csv")]
    command = [*SHAREWELL, "notes", "protect", *files, "--subject", "patient_id", *_QUICKLY]
    key = {"SHAREWELL_BENCH": "a key for benchmarks, of no use elsewhere"}
    began, peak = time.perf_counter(), 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ | key) as child:
        while child.poll() is None:
            peak = max(peak, sum(map(_resident, _family(child.pid))))
            time.sleep(0.5)
    if child.returncode:
        raise SystemExit(f"notes protect failed with status {child.returncode}")
    return time.perf_counter() - began, peak / 1e9


def _family(pid: int) -> list[int]:
    """A process and those that it started, from whichever thread."""
    try:
        told = [(task / "children").read_text().split() for task in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:
        return []
    return [pid, *(one for children in told for child in children for one in _family(int(child)))]


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
