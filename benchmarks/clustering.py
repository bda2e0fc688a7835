"""Clustering beside Mondrian: CPU seconds and information loss, on Adult and on a million synthetic people.

Compiled code is loaded before the clock starts: `first-run` shows what a machine without any takes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow.csv as pacsv

from benchmarks.house import Result, demographics
from sharewell.hierarchy import Prefixes
from sharewell.tables import NCP, BottomUp, KAnonymity, KMember, Mondrian, Table, TopDown

ADULT = ("age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country")
PEOPLE = ("age", "sex", "zip", "race", "marital", "education", "occupation", "country")


def clustering(data: Path | None, rows: int) -> Iterator[Result]:
    """All methods on Adult, if the directory has it; k-member on synthetic rows."""
    os.environ["SHAREWELL_COMPILE"] = "1"
    source = None if data is None else data / "arx" / "adult.csv"
    if source is None or not source.is_file():
        yield Result("clustering on Adult: skipped, give --data DIR with arx/adult.csv", 0, "")
    else:
        adult = pacsv.read_csv(source, parse_options=pacsv.ParseOptions(delimiter=";")).select(ADULT)
        yield from _adult(Table.of(adult, quasi=ADULT))
    table = Table.of(
        demographics(rows), quasi=PEOPLE, subject="person", sensitive=["illness"], hierarchies={"zip": Prefixes()}
    )
    for method in (Mondrian(), KMember()):
        method.protect(table, [KAnonymity(10)])  # loads compiled code
    yield from _beside(f"{rows:,} rows", table, [KMember()], bars=(4, 0.9) if rows == 1_000_000 else None)


def _adult(table: Table) -> Iterator[Result]:
    KMember().protect(table, [KAnonymity(10)])  # loads compiled code
    seconds, loss = _measured(KMember(), table)
    yield Result("k-member on Adult, k = 10", seconds, "s", 1)
    yield Result("k-member on Adult, k = 10, NCP", 100 * loss, "%", 4.0)
    yield from _beside("Adult", table, [BottomUp(), TopDown()])


def _beside(
    label: str, table: Table, methods: Sequence[Any], bars: tuple[float, float] | None = None
) -> Iterator[Result]:
    """Each method after Mondrian; the bars are for seconds, and for the loss as a share of Mondrian's."""
    seconds, reference = _measured(Mondrian(), table)
    yield Result(f"mondrian on {label}, k = 10", seconds, "s")
    yield Result(f"mondrian on {label}, k = 10, NCP", 100 * reference, "%")
    for method in methods:
        seconds, loss = _measured(method, table)
        yield Result(f"{method.name} on {label}, k = 10", seconds, "s", bars and bars[0])
        yield Result(f"{method.name} on {label}, k = 10, NCP", 100 * loss, "%", bars and 100 * reference * bars[1])


def _measured(mechanism: Any, table: Table) -> tuple[float, float]:
    began = time.process_time()
    released = mechanism.protect(table, [KAnonymity(10)]).data
    seconds = time.process_time() - began
    assert KAnonymity(10).check(released).ok
    return seconds, float(NCP().score(table, released).value or 0)
