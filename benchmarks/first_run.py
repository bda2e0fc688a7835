"""The first release on a machine: `python -m benchmarks first-run --data DIR`.

A machine that has compiled nothing yet beside one on which everything is compiled, each with caches of its own. Every
figure is the CPU time of a process of its own, start-up included, the median of some runs that take turns.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.house import Result
from benchmarks.release import people_folder, released

ADULT_POLICY = """\
sharewell: 1
release: {name: large}
secrets: {key: env:BENCH_KEY}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {age: quasi, workclass: quasi, education: quasi, marital-status: quasi, occupation: quasi, race: quasi,
      sex: quasi, native-country: quasi}
    rest: drop
    require: [k-anonymity: {k: 10}]
    using: k-member
write: {parquet: out}
"""


def first_run(data: Path | None, rows: int) -> Iterator[Result]:
    """A machine that has compiled nothing yet beside one on which everything is compiled, in turns."""
    with tempfile.TemporaryDirectory() as name:
        folder = people_folder(Path(name) / "people", rows)
        yield from _fresh_and_compiled(f"release of {rows:,} rows by Mondrian", folder, Path(name), 3)
    source = None if data is None else data / "arx" / "adult.csv"
    if source is None or not source.is_file():
        yield Result("k-member on Adult for the first time: skipped, give --data DIR with arx/adult.csv", None)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "people.csv").write_bytes(source.read_bytes())
        (folder / "policy.yaml").write_text(ADULT_POLICY)
        yield from _fresh_and_compiled("release of Adult by k-member", folder, folder, 5)


def _fresh_and_compiled(label: str, folder: Path, caches: Path, repeats: int) -> Iterator[Result]:
    """Each machine has a cache of its own, for compiled code and for what the product remembers of earlier runs."""

    def took(machine: str, **environment: str) -> float:
        cache = str(caches / machine)
        return released(folder, NUMBA_CACHE_DIR=cache, XDG_CACHE_HOME=cache, **environment)[0]

    took("compiled", SHAREWELL_COMPILE="1")
    fresh, compiled = [], []
    for number in range(repeats):
        fresh.append(took(f"fresh-{number}"))
        compiled.append(took("compiled"))
    first, later = statistics.median(fresh), statistics.median(compiled)
    yield Result(f"{label}, for the first time, CPU", first, "s")
    yield Result(f"{label}, everything compiled, CPU", later, "s")
    yield Result(f"{label}, first as a multiple of compiled", first / later, "×", 1.2)
