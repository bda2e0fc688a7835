"""A release beside a bare copy: `python -m benchmarks release --rows 10000000`.

CSV in, verified k-anonymous Parquet out, through the command line; DuckDB copies the same CSV to Parquet in the same
run. Every figure is the CPU time of a process of its own, start-up included, the least of some runs that take turns.
"""

from __future__ import annotations

import math
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv

from benchmarks.house import SHAREWELL, Result, demographics, run
from sharewell.io.writing import remove_tree

POLICY = """\
sharewell: 1
release: {name: large}
secrets: {key: env:BENCH_KEY}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    publish: within-class
    columns:
      person: subject
      age: quasi
      sex: quasi
      zip: {role: quasi, hierarchy: prefix}
      race: quasi
      marital: quasi
      education: quasi
      occupation: quasi
      country: quasi
      illness: sensitive
    require: [k-anonymity: {k: 10}]
    using: mondrian
    attacks: [prosecutor]
    utility: [ncp]
write: {parquet: out}
"""


SECRET = "a key for the benchmark alone"
COPY = "import duckdb, sys; duckdb.sql(f\"copy (from read_csv('{sys.argv[1]}')) to '{sys.argv[2]}' (format parquet)\")"
PIECE = 1_000_000
QUASI = "age,sex,zip,race,marital,education,occupation,country"


def release(data: Path | None, rows: int) -> Iterator[Result]:
    """Growth from 10,000 rows on, each size beside DuckDB's copy; then what looks at the file without releasing it."""
    sizes = [10**power for power in range(4, 9) if 10**power <= rows] or [rows]
    with tempfile.TemporaryDirectory() as name:
        seconds = []
        for size in sizes:
            folder = people_folder(Path(name) / str(size), size)
            ours, copy, memory = _in_turns(folder, 3 if size <= PIECE else 1)
            seconds.append(ours)
            label, full = f"release of {size:,} rows × 8 quasi-identifiers", size >= PIECE
            yield Result(f"{label}, CPU", ours, "s")
            yield Result(f"DuckDB's copy of {size:,} rows, CPU", copy, "s")
            yield Result(f"{label}, CPU as a multiple of the copy's", ours / copy, "×", 8 if full else None)
            yield Result(f"{label}, peak memory", memory, "GB", 3 if full else None)
        if len(sizes) > 1:
            power = math.log(seconds[-1] / seconds[-2], 10)
            yield Result(f"release, exponent of CPU from {sizes[-2]:,} to {sizes[-1]:,} rows", power, "", 1.05)
        _, cpu, memory = run([*SHAREWELL, "verify", str(folder / "out" / "large" / "public")])
        yield Result(f"verify of {sizes[-1]:,} rows, CPU", cpu, "s")
        yield Result(f"verify of {sizes[-1]:,} rows, peak memory", memory, "GB")
        _, plan, _ = run([*SHAREWELL, "plan", str(folder / "policy.yaml")], BENCH_KEY=SECRET)
        looked_at = [str(folder / "people.csv"), "--quasi", QUASI, "--subject", "person", "--k", "1"]
        _, risk, _ = run([*SHAREWELL, "risk", *looked_at])
        yield Result(f"plan of {sizes[-1]:,} rows, CPU", plan, "s")
        yield Result(f"risk of {sizes[-1]:,} rows, CPU", risk, "s", plan)


def people_folder(folder: Path, rows: int) -> Path:
    """A folder with a policy and its CSV, written in pieces."""
    folder.mkdir()
    (folder / "policy.yaml").write_text(POLICY)
    schema = demographics(1).schema
    with pacsv.CSVWriter(folder / "people.csv", schema) as file:
        for number, first in enumerate(range(0, rows, PIECE)):
            file.write_table(demographics(min(PIECE, rows - first), seed=number + 1, first=first).cast(schema))
            pa.default_memory_pool().release_unused()
    return folder


def _in_turns(folder: Path, repeats: int) -> tuple[float, float, float]:
    """CPU seconds of the release and of the copy, each the least of some; the release's peak memory."""
    ours, copies, memory = [], [], 0.0
    for _ in range(repeats):
        _, copy, _ = run([sys.executable, "-c", COPY, str(folder / "people.csv"), str(folder / "copy.parquet")])
        cpu, memory = released(folder)
        ours.append(cpu)
        copies.append(copy)
    return min(ours), min(copies), memory


def released(folder: Path, **environment: str) -> tuple[float, float]:
    """CPU seconds and peak memory (GB) of a release by a process of its own."""
    remove_tree(folder / "out")
    _, cpu, memory = run([*SHAREWELL, "release", str(folder / "policy.yaml")], BENCH_KEY=SECRET, **environment)
    return cpu, memory
