"""Packing beside Mondrian: seconds and information loss, and what an append costs."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv as pacsv

from benchmarks.house import Result, demographics
from benchmarks.peers.people import QUASI, People
from sharewell.hierarchy import Prefixes
from sharewell.tables import NCP, KAnonymity, Mondrian, Packing, Table

SYNTHETIC = ("age", "sex", "zip", "race", "marital", "education", "occupation", "country")


def packing(data: Path | None, rows: int) -> Iterator[Result]:
    """Adult, or people like Adult's; then a large table, and a tenth of it appended to the rest."""
    with tempfile.TemporaryDirectory() as name:
        people = People(data, Path(name))
        frame = pacsv.read_csv(people.file, parse_options=pacsv.ParseOptions(delimiter=";")).select(QUASI)
    table = Table.of(frame, quasi=QUASI)
    Packing().protect(table, [KAnonymity(10)])  # compiles, once on a machine
    for k in (5, 10, 50):
        _, reference = _measured(Mondrian(), table, k)
        seconds, loss = _measured(Packing(), table, k)
        yield Result(f"packing on {people.label}, k = {k}, CPU", seconds, "s", 0.5)
        yield Result(f"packing on {people.label}, k = {k}, NCP beside Mondrian's", loss / reference, "×", 1)
    table = Table.of(
        demographics(rows), quasi=SYNTHETIC, subject="person", sensitive=["illness"], hierarchies={"zip": Prefixes()}
    )
    seconds, loss = _measured(Packing(), table, 10)
    yield Result(f"packing of {rows:,} rows, k = 10, CPU", seconds, "s", 10 if rows == 1_000_000 else None)
    yield Result(f"packing of {rows:,} rows, k = 10, NCP", 100 * loss, "%")
    cut = rows - rows // 10
    first = Packing().protect(table.take(np.arange(cut)), [KAnonymity(10)])
    began = time.process_time()
    Packing().append(first, table.take(np.arange(cut, rows)), [KAnonymity(10)])
    yield Result(f"appending {rows - cut:,} newcomers to {cut:,}, CPU", time.process_time() - began, "s")


def _measured(mechanism: Any, table: Table, k: int) -> tuple[float, float]:
    began = time.process_time()
    released = mechanism.protect(table, [KAnonymity(k)]).data
    seconds = time.process_time() - began
    assert KAnonymity(k).check(released).ok
    return seconds, float(NCP().score(table, released).value or 0)
