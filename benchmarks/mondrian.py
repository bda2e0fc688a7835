"""Mondrian at every size: `python -m benchmarks.mondrian --rows 10000000`, or `make bench`.

Adult is read from `--data DIR` (`arx/adult.csv`). Generated tables are written to Parquet and protected in a process of
its own, so that its memory is known. From a hundred million rows on, files are protected without ever being in memory.
What was written is grouped anew by DuckDB.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.house import Result, demographics, run
from sharewell.hierarchy import Prefixes
from sharewell.io.delimited import read_text_rows
from sharewell.tables import NCP, KAnonymity, Mondrian, Table
from sharewell.tables.engine.large_files import protect_file

QUASI = ["age", "sex", "zip", "race", "marital", "education", "occupation", "country"]
ADULT = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]
PEER = {10: 6.375, 25: 11.428, 50: 16.414, 100: 22.522}
"""What anonypy loses on Adult (NCP of the tightest sets, in percent)."""
FRAME = {1_000_000: (5.0, None), 10_000_000: (40.0, 4.0)}
"""Rows → CPU seconds, GB that a frame may take."""
PROTECTS = {10_000_000: 6.0}
"""Rows → CPU seconds that the protection alone may take, from codes to codes."""
FILE = {100_000_000: (600.0, 6.0)}
LARGEST_FRAME = 10_000_000
K = 10


def mondrian(data: Path | None, rows: int) -> Iterator[Result]:
    """Adult beside a peer, then generated tables: up to a million rows, or as many as asked for."""
    if data is not None:
        yield from _adult(data / "arx" / "adult.csv")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sizes = [size for size in (10_000, 100_000, 1_000_000, LARGEST_FRAME) if size <= rows]
        seconds = []
        for size in sizes:
            found = _in_a_process("frame", folder, size)
            seconds.append(found["cpu"])
            yield from _results("frame to frame", size, found, FRAME.get(size, (None, None)))
        if len(sizes) > 1:
            yield from _growth(sizes, seconds)
        if rows > LARGEST_FRAME:
            found = _in_a_process("file", folder, rows)
            yield from _results("file to file", rows, found, FILE.get(rows, (None, None)))
            yield Result(f"mondrian, file to file, {rows:,} rows, smallest class", found["smallest"], "", K, "≥")


def _adult(path: Path) -> Iterator[Result]:
    if not path.exists():
        yield Result(f"mondrian on Adult: skipped, no {path.name}", None)
        return
    header, *rows = read_text_rows(path, ";")
    frame = pa.table(dict(zip(header, map(pa.array, zip(*rows, strict=True)), strict=True)))
    for k, bar in PEER.items():
        took = []
        for _ in range(12):
            began = time.process_time()
            table = Table.of(frame, quasi=ADULT, rest="keep")
            released = Mondrian().protect(table, [KAnonymity(k)]).data
            released.frame  # noqa: B018
            took.append(time.process_time() - began)
        assert KAnonymity(k).check(released).ok
        loss = NCP(tightest=True).score(table, released).value
        yield Result(f"mondrian on Adult, k = {k}, frame to frame, median CPU", sorted(took)[6], "s", 0.06)
        yield Result(f"mondrian on Adult, k = {k}, NCP", 100 * float(loss or 0), "%", bar)


def _results(label: str, rows: int, found: dict[str, Any], bars: tuple[float | None, float | None]) -> Iterator[Result]:
    label = f"mondrian, {label}, {rows:,} rows × {len(QUASI)}, k = {K}"
    in_memory = "protect" in found
    yield Result(f"{label}, wall", found["wall"], "s", None if in_memory else bars[0])
    yield Result(f"{label}, CPU", found["cpu"], "s", bars[0] if in_memory else None)
    if in_memory:
        yield Result(f"{label}, CPU of the protection alone", found["protect"], "s", PROTECTS.get(rows))
    yield Result(f"{label}, peak memory (input {found['input']:.2f} GB)", found["memory"], "GB", bars[1])


def _growth(sizes: Sequence[int], seconds: Sequence[float]) -> Iterator[Result]:
    """By what power of n the time grows, beside what n log n does over the same sizes."""
    logs = np.log(sizes)
    yield Result("mondrian, exponent of time over rows", float(np.polyfit(logs, np.log(seconds), 1)[0]))
    ideal = [size * math.log(size) for size in sizes]
    yield Result("mondrian, exponent of n log n over the same rows", float(np.polyfit(logs, np.log(ideal), 1)[0]))


def _in_a_process(how: str, folder: Path, rows: int) -> dict[str, Any]:
    source = folder / f"{rows}.parquet"
    run([sys.executable, "-m", "benchmarks.mondrian", "--part", "make", "--rows", str(rows), "--at", str(source)])
    report = folder / f"{rows}.json"
    command = [sys.executable, "-m", "benchmarks.mondrian", "--rows", str(rows), "--at", str(source)]
    run([*command, "--part", how, "--report", str(report)])
    source.unlink()
    found: dict[str, Any] = json.loads(report.read_text())
    return found


def make(rows: int, path: Path) -> None:
    """A million rows at a time, each with another seed; nobody's name, for nothing here is by person."""
    writer = None
    for number, begin in enumerate(range(0, rows, 1_000_000)):
        piece = demographics(min(1_000_000, rows - begin), seed=number + 1).drop_columns("person")
        writer = writer or pq.ParquetWriter(path, piece.schema)
        writer.write_table(piece)
    assert writer is not None
    writer.close()


def frame_to_frame(path: Path) -> dict[str, Any]:
    """Warm: compiled code is loaded before the clock starts."""
    frame = pq.read_table(path)
    roles: dict[str, Any] = {"quasi": QUASI, "rest": "keep", "hierarchies": {"zip": Prefixes()}}
    few = Table.of(demographics(700_000).drop_columns("person"), **roles)
    if frame.num_rows * len(QUASI) >= few.rows * len(QUASI):
        Mondrian().protect(few, [KAnonymity(K)])
    del few
    began, worked = time.perf_counter(), time.process_time()
    table = Table.of(frame, **roles)
    encoded = time.process_time()
    released = Mondrian().protect(table, [KAnonymity(K)]).data
    protected = time.process_time()
    shown = released.frame
    found = {"wall": time.perf_counter() - began, "cpu": time.process_time() - worked, "input": frame.nbytes / 1e9}
    found["protect"] = protected - encoded
    found["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    assert shown.num_rows == frame.num_rows
    assert KAnonymity(K).check(released).ok
    return found


def file_to_file(path: Path) -> dict[str, Any]:
    """From Parquet to Parquet, cold; DuckDB judges the file afterwards."""
    target = path.with_name("shared.parquet")
    began, worked = time.perf_counter(), time.process_time()
    protect_file(
        path, target, quasi=QUASI, sensitive=["illness"], must=[KAnonymity(K)], hierarchies={"zip": Prefixes()}
    )
    found = {"wall": time.perf_counter() - began, "cpu": time.process_time() - worked}
    found |= {"memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, "input": path.stat().st_size / 1e9}
    import duckdb

    with duckdb.connect() as database:
        database.execute("SET memory_limit = '4GB'")
        database.execute("SET temp_directory = $1", [str(path.with_name("spill"))])
        query = f"SELECT count(*) AS n FROM read_parquet($1) GROUP BY {', '.join(QUASI)}"
        answer = database.execute(f"SELECT min(n), sum(n) FROM ({query})", [str(target)]).fetchone()
    assert answer is not None
    assert answer[1] == pq.ParquetFile(path).metadata.num_rows
    return found | {"smallest": int(answer[0])}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mondrian")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--data", type=Path, help="directory of data that may not enter the project")
    parser.add_argument("--part", choices=["make", "frame", "file"], help=argparse.SUPPRESS)
    parser.add_argument("--at", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--report", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.part == "make":
        make(args.rows, args.at)
    elif args.part:
        found = frame_to_frame(args.at) if args.part == "frame" else file_to_file(args.at)
        args.report.write_text(json.dumps(found))
    else:
        results = []
        for result in mondrian(args.data, args.rows):
            print(result, flush=True)
            results.append(result)
        return 0 if all(result.reached for result in results) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
