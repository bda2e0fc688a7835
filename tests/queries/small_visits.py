"""A small dataset that answers questions, for several tests: its policy, its rows, and a table in memory."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from sharewell.io.sources import Source
from sharewell.queries import ConfidentialTable, Range, Values
from sharewell.queries.data import Neighbours

POLICY = """\
sharewell: 1
release: {name: noisy}
datasets:
  visits:
    kind: queries
    read: {csv: visits.csv}
    columns: {who: subject, name: drop, sex: quasi, age: quasi, ward: sensitive}
    domains:
      sex: {values: [F, M]}
      age: {low: 0, high: 100, bins: 10}
      ward: {values: [A, B]}
    contributions: {rows: 2}
    budget: {epsilon: 3, analyst: 2}
"""
PUBLISHED = """\
    require: [differential-privacy: {epsilon: 1}]
    using: {noisy-marginals: {epsilon: 1, of: [[age, sex], [ward]]}}
    utility: [query-error]
write: {csv: out}
"""
ROWS = "".join(f"p{i // 2},Name {i},{'FM'[i % 3 == 0]},{20 + i % 60},{'AB'[i % 5 == 0]}\n" for i in range(60))


def desk(directory: Path, policy: str = POLICY, rows: str = ROWS) -> Path:
    """A folder with the policy and its data; the path of the policy."""
    (directory / "visits.csv").write_text("who,name,sex,age,ward\n" + rows)
    (directory / "policy.yaml").write_text(policy)
    return directory / "policy.yaml"


def table(neighbours: Neighbours = "add-remove", rows_per_person: int = 2) -> ConfidentialTable:
    """Sixty visits of thirty people, two each."""
    cells = [line.split(",") for line in ROWS.splitlines()]
    columns = dict(zip(("who", "name", "sex", "age", "ward"), zip(*cells, strict=True), strict=True))
    domains = {"sex": Values(("F", "M")), "age": Range(0, 100, 10), "ward": Values(("A", "B"))}
    source = Source.of(pa.table({name: list(values) for name, values in columns.items()}))
    return ConfidentialTable(source, domains, "who", rows_per_person, neighbours)
