"""How long Ctrl-C may wait: the longest stretch of native code that keeps Python's lock, in which no thread can run.

A second thread wakes every few milliseconds, and looks how much processor time the main thread has taken since. What
answers by itself, or lets other threads run, ends within `PATIENCE` of `sharewell.cli.interruption`; a longer stretch
comes on top. On a busy machine the second thread is late by itself, and stretches look longer than they are. A table of
a million rows goes through `init`, `plan --preview`, `release`, `verify` and `risk`.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

from benchmarks.house import Result

MOST = 0.3
"""Seconds: with the 0.7 that Python is given to answer, a second."""
POLICY = """\
sharewell: 1
release: {name: r}
secrets: {key: file:release.key}
datasets:
  visits:
    kind: tables
    read: {csv: visits.csv}
    columns: {id: subject, age: quasi, zip: {role: quasi, hierarchy: zip}, sex: quasi, race: quasi, admitted: shift,
      diagnosis: sensitive, cost: keep}
    require: [k-anonymity: {k: 5}]
    using: mondrian
    attacks: [prosecutor]
    utility: [ncp]
write: {parquet: out}
"""


def interruption(data: Path | None, rows: int) -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        write_visits(rows)
        longest_stretch(["keygen", "--secret", "release.key"])
        for command in (
            ["init", "visits.csv", "-o", "draft.yaml"],
            ["plan", "policy.yaml", "--preview"],
            ["release", "policy.yaml"],
            ["verify", "out/r"],
            ["risk", "visits.csv", "--quasi", "age,zip,sex", "--subject", "id"],
        ):
            yield Result(f"{command[0]}: longest stretch that keeps Python's lock", longest_stretch(command), "s", MOST)


def longest_stretch(command: Sequence[str]) -> float:
    """Processor seconds of the main thread between two moments at which another thread could run."""
    from sharewell.cli import main

    main_thread = time.pthread_getcpuclockid(threading.main_thread().ident or 0)
    ended, longest = threading.Event(), 0.0

    def watch() -> None:
        nonlocal longest
        last = time.clock_gettime(main_thread)
        while not ended.wait(0.005):
            now = time.clock_gettime(main_thread)
            longest, last = max(longest, now - last), now

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as errors:
            if main(list(command)) not in (0, 1):
                raise SystemExit(f"{' '.join(command)}: {errors.getvalue()}")
    finally:
        ended.set()
        thread.join()
    return longest


def write_visits(rows: int) -> None:
    draw = np.random.default_rng(1)
    days = np.datetime64("2020-01-01") + draw.integers(0, 1000, rows).astype("timedelta64[D]")
    table = pa.table(
        {
            "id": [f"p{i // 2:08d}" for i in range(rows)],
            "age": draw.integers(0, 100, rows),
            "zip": draw.integers(10_000, 99_999, rows),
            "sex": draw.choice(["F", "M"], rows),
            "race": draw.choice(list("abcdef"), rows),
            "admitted": days,
            "diagnosis": draw.choice(["E11", "I10", "J45", "N18", "C50"], rows),
            "cost": draw.integers(1, 500, rows),
        }
    )
    pyarrow.csv.write_csv(table, "visits.csv")
    Path("policy.yaml").write_text(POLICY, encoding="utf-8")
