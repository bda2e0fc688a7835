"""Instance-risk partitioning against a whole population: seconds and memory, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.house import Result
from sharewell.hierarchy import Prefixes
from sharewell.hospital import Hospital
from sharewell.tables import InstanceDisclosure, InstancePartitioning, Table

QUASI = ("sex", "birth_date", "zip")
PEOPLE_A_PATIENT = 100
"""In the register."""


def instance(data: Path | None, rows: int) -> Iterator[Result]:
    """A patient for every hundred rows, and five people of the register for every row."""
    patients, people = max(1, rows // 100), 5 * rows
    command = [sys.executable, "-m", "benchmarks.instance", str(patients), str(people)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    measured = json.loads(done.stdout)
    label = f"instance-partitioning, {patients:,} patients, {people:,} people"
    yield Result(f"{label}, CPU", measured["cpu"], "s", 30 if rows == 1_000_000 else None)
    yield Result(f"{label}, wall", measured["wall"], "s")
    yield Result(f"{label}, peak memory", measured["memory"], "GB", 3 if rows == 1_000_000 else None)
    yield Result(f"{label}, classes", measured["classes"], "")
    yield Result("the same once more, compiled already, CPU", measured["again"], "s")


def town(people: int, seed: int = 7) -> Any:
    """The register of a town of so many people: sex, birth date and zip code."""
    size = -(-people // PEOPLE_A_PATIENT)
    hospital = Hospital(patients=size, seed=seed, population_factor=PEOPLE_A_PATIENT, notes=False, dirty=False)
    return pa.concat_tables(block.select(QUASI) for block in hospital.tables("register")).slice(0, people)


def main(patients: int, people: int) -> dict[str, float]:
    """Protect some of the town's people, twice, and look at what came out."""
    import resource

    register = town(people)
    chosen = np.sort(np.random.default_rng(1).choice(people, patients, replace=False))
    table = Table.of(register.take(pa.array(chosen)), quasi=QUASI, hierarchies={"zip": Prefixes()})
    criterion = InstanceDisclosure(register, "1/20")
    seconds = []
    for _ in range(2):
        wall, cpu = time.perf_counter(), time.process_time()
        done = InstancePartitioning().protect(table, [criterion])
        seconds.append((time.perf_counter() - wall, time.process_time() - cpu))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    assert criterion.check(done.data).ok
    (wall, cpu), (_, again) = seconds
    return {"wall": wall, "cpu": cpu, "again": again, "memory": memory, "classes": done.details.classes}


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), int(sys.argv[2]))))
