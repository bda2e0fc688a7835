"""Questions to a million rows: against opendp on the same plan, and how many a minute a session answers."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchmarks.house import Result
from benchmarks.peers.installing import ask, interpreter

ROWS = 1_000_000
QUESTIONS = 100
POLICY = """\
sharewell: 1
release: {name: bench}
datasets:
  visits:
    kind: queries
    read: {parquet: visits.parquet}
    columns: {who: subject, sex: quasi, age: quasi}
    domains: {sex: {values: [F, M]}, age: {low: 0, high: 110, bins: 11}}
    contributions: {rows: 3}
    budget: {epsilon: 50}
"""


def queries(data: Path | None, rows: int) -> Iterator[Result]:
    import pyarrow.parquet as pq

    chance = np.random.default_rng(1)
    table = pa.table(
        {
            "who": pa.array(chance.integers(0, ROWS // 2, ROWS).astype(str)),
            "sex": pa.array(chance.choice(["F", "M"], ROWS)),
            "age": pa.array(chance.integers(0, 110, ROWS)),
        }
    )
    with tempfile.TemporaryDirectory() as folder:
        pq.write_table(table, f"{folder}/visits.parquet")
        (Path(folder) / "policy.yaml").write_text(POLICY)
        yield from _answers(Path(folder) / "policy.yaml")


def _answers(policy: Path) -> Iterator[Result]:
    from sharewell.opendp_noise import Price
    from sharewell.queries import Question, Session
    from sharewell.queries.engine.plans import plan_of

    with Session.open(policy) as session:
        began = time.perf_counter()
        session.ask("count", epsilon=0.01)
        yield Result("rows read, truncated and coded; first answer", time.perf_counter() - began, "s")
        store, table = session._data.rows(), session._table
        question = Question.of({"measure": "count", "filter": {"age": {">=": 65}}})
        direct, ours = _cpu_in_turn(
            lambda: _opendp_direct(store.path), lambda: plan_of(question, table, Price("pure", 0.1)).answer(store)
        )
        yield Result("opendp alone, filter and count, CPU", 1000 * direct, "ms")
        yield Result("the same question here, CPU over opendp's", ours / direct, "×", 1.1)
        yield from _smartnoise(policy.parent / "visits.parquet", ours)
        began = time.perf_counter()
        for i in range(QUESTIONS):
            asked = {"measure": "count", "filter": {"age": {">=": i}}, "group_by": ["sex"]}
            session.ask(asked, epsilon=0.01)
        yield Result(
            "charged, answered and stored, a minute", 60 * QUESTIONS / (time.perf_counter() - began), "", 1000, "≥"
        )
        for measure in ("mean", "median"):
            seconds = _cpu(lambda m=measure: session.ask({"measure": {m: "age"}}, epsilon=0.01))
            yield Result(f"{measure} of a million ages, CPU", 1000 * seconds, "ms")


def _smartnoise(rows: Path, ours: float) -> Iterator[Result]:
    python = interpreter("smartnoise")
    if python is None:
        yield Result("smartnoise-sql cannot be installed here", None)
        return
    theirs = ask(python, "smartnoise", file=str(rows))["seconds"]
    yield Result("smartnoise-sql, the same count with a filter, CPU", 1000 * theirs, "ms")
    yield Result("the same question here, CPU over smartnoise-sql's", ours / theirs, "×", 1 / 3)


def _cpu_in_turn(*works: Callable[[], object], times: int = 30) -> list[float]:
    """The least of so many runs of each, after one that warms up; in turn, so that a busy machine slows all alike."""
    found: list[list[float]] = [[] for _ in works]
    for work in works:
        work()
    for _ in range(times):
        for work, seconds in zip(works, found, strict=True):
            seconds.append(_cpu(work))
    return [min(seconds) for seconds in found]


def _cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _opendp_direct(path: Path) -> object:
    """Filter and count as opendp's own plan over the same file."""
    import opendp.prelude as dp
    import polars as pl

    dp.enable_features("contrib")
    domain = dp.lazyframe_domain([dp.series_domain("number1", dp.atom_domain(T="f64", nan=False))])
    domain = dp.with_margin(domain, dp.polars.Margin(by=[], max_length=2**31))
    plan = pl.LazyFrame(schema={"number1": pl.Float64}).filter(pl.col("number1") >= 65.0)
    plan = plan.select(dp.len(scale=30.0, signed=True))
    metric, measure = dp.symmetric_distance(), dp.max_divergence()
    drawn = dp.m.make_private_lazyframe(domain, metric, measure, plan, global_scale=1.0)
    assert drawn.map(3) > 0
    return drawn(pl.scan_parquet(path).select("number1")).collect()
