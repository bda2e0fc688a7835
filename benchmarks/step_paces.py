"""Every step over two seconds of `plan`, `release`, `verify`, `attack` and `compare`, and what it said of its length.

Each command runs at two sizes, of tables with several mechanisms, of diagnosis codes and of counts. What a first run
would have estimated at the greater size stands beside what it took, in processor seconds; and whether a step had an
estimate at all. What was measured is written to `step_paces.json` in the present folder: as
`src/sharewell/data/step_paces.json` it ships, for machines that never did such work.
"""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

from benchmarks.house import Result
from benchmarks.interruption import write_visits
from sharewell.io.sources import Source
from sharewell.io.step_paces import StepPaces
from sharewell.pipeline.attack import attack_file
from sharewell.pipeline.compare import compare_policy
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.plain_data import JsonObject
from sharewell.policy import load
from sharewell.progress import HARDLY_A_WAIT, Progress, ProgressStep, TimedSteps, heard

TABLE = """\
sharewell: 1
release: {{name: {name}}}
datasets:
  visits:
    kind: tables
    read: {{csv: visits.csv}}
    columns: {{id: subject, age: quasi, zip: {{role: quasi, hierarchy: zip}}, sex: quasi, race: quasi, admitted: shift,
      diagnosis: sensitive, cost: keep}}
    require: [k-anonymity: {{k: 5}}]
    using: {using}
    attacks: [prosecutor, homogeneity]
    utility: [ncp, discernibility]
write: {{parquet: out}}
"""
CODES = """\
sharewell: 1
release: {{name: {name}}}
datasets:
  diagnoses:
    kind: codes
    read: {{csv: codes.csv}}
    columns: {{id: subject, code: {{role: quasi, hierarchy: icd10cm}}}}
    require: [km-anonymity: {{k: 5, m: 2}}]
    using: {using}
write: {{parquet: out}}
"""
MECHANISMS = {"mondrian": 1.0, "optimal-recoding": 1.0, "top-down": 1.0, "k-member": 0.2, "packing": 0.2}
"""And the part of the rows that each gets, by how its work grows."""
SMALLER = 8


@dataclass
class Shown:
    """One step, when it began and what it said of its length."""

    text: str
    begun: float
    said: str


class Recorder:
    """Steps of one run with what each took and what it said."""

    def __init__(self, paces: StepPaces) -> None:
        self.steps: list[Shown] = []
        self.timed = TimedSteps(self._shown, paces=paces, clock=time.process_time)

    def _shown(self, text: str) -> None:
        if isinstance(text, ProgressStep) and text.counts and self.steps:
            self.steps[-1].said = "counts"
        else:
            said = "estimate" if "about" in text else "part" if isinstance(text, ProgressStep) else ""
            self.steps.append(Shown(str(text), time.process_time(), said))

    def ended(self) -> Iterator[tuple[str, float, str]]:
        times = [step.begun for step in self.steps[1:]] + [time.process_time()]
        for step, end in zip(self.steps, times, strict=True):
            yield step.text, end - step.begun, step.said


def step_paces(data: Path | None, rows: int) -> Iterator[Result]:
    paces = StepPaces()
    for size in (rows // SMALLER, rows):
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for name, run in _runs(size):
                recorder = Recorder(paces)
                with heard(recorder.timed.count), contextlib.redirect_stdout(io.StringIO()):
                    run(recorder.timed.step)
                long = [(text, took, said) for text, took, said in recorder.ended() if took >= HARDLY_A_WAIT]
                recorder.timed.end()
                for text, took, said in long if size == rows else ():
                    yield Result(f"{name}: {text[:60]} [{said or 'NO ESTIMATE'}]", took, "s")
                if size == rows:
                    unsaid = sum(not said for _, _, said in long)
                    yield Result(f"{name}: steps over 2 s without an estimate", unsaid, "", 0)
    Path("step_paces.json").write_text(_as_text(paces), encoding="ascii")


def _as_text(paces: StepPaces) -> str:
    lines = [f" {json.dumps(work)}: {json.dumps(points)}" for work, points in sorted(paces.own.items())]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _runs(rows: int) -> Iterator[tuple[str, Callable[[Progress], object]]]:
    for mechanism, part in MECHANISMS.items():
        write_visits(max(1000, int(rows * part)))
        policy = Path(f"{mechanism}.yaml")
        policy.write_text(TABLE.format(name=mechanism, using=mechanism), encoding="utf-8")
        yield f"release by {mechanism}", partial(_release, policy)
        if mechanism != "mondrian":
            continue
        yield "plan --preview", partial(_plan, policy)
        yield "verify", _verify
        source = load(policy).datasets["visits"].read
        columns = {"age": "quasi", "zip": "quasi", "id": "subject"}
        described = {"visits": {"kind": "tables", "columns": columns, "rest": "drop"}}
        yield "attack", partial(_attack, source, described)
        yield "compare", partial(_compare, policy)
    _write_codes(rows // 4)
    for mechanism in ("apriori", "lra"):
        policy = Path(f"codes-{mechanism}.yaml")
        policy.write_text(CODES.format(name=f"codes-{mechanism}", using=mechanism), encoding="utf-8")
        yield f"codes by {mechanism}", partial(_release, policy)


def _release(policy: Path, step: Progress) -> None:
    release(load(policy), step)


def _plan(policy: Path, step: Progress) -> None:
    plan(load(policy), step, preview=True)


def _verify(step: Progress) -> None:
    verify(Path("out/mondrian"), progress=step)


def _attack(source: Source, described: JsonObject, step: Progress) -> None:
    attack_file(source, described, progress=step)


def _compare(policy: Path, step: Progress) -> None:
    compare_policy(load(policy), rows=20_000, progress=step)


def _write_codes(rows: int) -> None:
    draw = np.random.default_rng(2)
    frequent = ["E11.9", "I10", "J45.909", "N18.3", "C50.911", "E78.5", "F32.9", "M54.5", "K21.9", "J18.9"]
    weights = 1 / np.arange(1, len(frequent) + 1)
    codes = draw.choice(frequent, rows, p=weights / weights.sum())
    table = pa.table({"id": [f"p{i:07d}" for i in draw.integers(0, max(1, rows // 3), rows)], "code": codes})
    pyarrow.csv.write_csv(table, "codes.csv")
