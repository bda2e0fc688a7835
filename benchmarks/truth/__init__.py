"""Random small cases against brute force: how often is an answer "safe" although it is not? Never, or a bar is missed.

`python -m benchmarks truth [--rows N]` tries N / 10 cases of each kind, 100,000 unless told otherwise. An oracle is
written from the definition in the literature, in plain fractions and enumeration; it reads what is published and shares
nothing with the package. As a control, the same oracle judges somebody who protects nothing and always says "safe": it
must contradict.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.house import Result
from benchmarks.truth.code_sets import CodeCases
from benchmarks.truth.composition import CompositionCases
from benchmarks.truth.count_tables import CountTableCases
from benchmarks.truth.draws import DrawCases
from benchmarks.truth.registers import RegisterCases
from benchmarks.truth.rounded_tables import RoundedCases
from benchmarks.truth.sensitive import SensitiveCases
from benchmarks.truth.snps import SNPCases
from benchmarks.truth.sums import SumsCases
from benchmarks.truth.tables_together import FilesCases, RecordsCases, TogetherCases
from benchmarks.truth.tally import Kind, Tally

KINDS: tuple[type[Kind], ...] = (
    SensitiveCases,
    RegisterCases,
    CountTableCases,
    RoundedCases,
    SumsCases,
    TogetherCases,
    RecordsCases,
    FilesCases,
    DrawCases,
    SNPCases,
    CodeCases,
    CompositionCases,
)
SEED = 20
CONTROL = 100
"""Cases of the control."""
REPORTED = 10_000
"""After so many cases the count so far is said."""


def truth(data: Path | None, rows: int) -> Iterator[Result]:
    for number, kind in enumerate(KINDS):
        yield from judged(kind(), max(1, rows // 10), SEED + number)


def judged(kind: Kind, cases: int, seed: int) -> Iterator[Result]:
    """How the package answers, then the control, then the rate."""
    found = kind.tally(cases, seed, progress=_progress)
    yield Result(f"{found}: false safe", found.false_safe, "", 0)
    yield from (Result(f"  false safe: {case}", None) for case in found.examples)
    control = kind.tally(CONTROL, seed, protected=False)
    refuted = f"  control: the oracle contradicts so many of {control.said_safe:,} answers"
    yield Result(refuted, control.false_safe, "", 1, "≥")
    yield Result("  cases a second of CPU time", found.cases / max(found.seconds, 1e-9))


def _progress(found: Tally) -> None:
    """A long run says where it is."""
    if found.cases % REPORTED == 0:
        print(f"… {found}; {found.false_safe} false safe, {found.seconds:.0f} s", file=sys.stderr, flush=True)


__all__ = ["KINDS", "Kind", "Tally", "judged", "truth"]
