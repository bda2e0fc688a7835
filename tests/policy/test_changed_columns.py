"""Columns that a mechanism names are changed; the others are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.policy import load
from sharewell.policy.changed_columns import changed_by_mechanism

POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  d:
    kind: tables
    read: {csv: d.csv}
    columns: {who: subject, age: quasi, cost: sensitive, code: keep}
    using: USING
    require: [k-anonymity: {k: 2}]
write: {csv: out}
"""


@pytest.mark.parametrize(
    ("using", "changed"),
    [("mondrian", set()), ("auto", set()), ("{noise: {columns: {cost: 0.1}}}", {"cost"})],
)
def test_the_columns_that_a_mechanism_names_are_changed(tmp_path: Path, using: str, changed: set[str]) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY.replace("USING", using))
    assert set(changed_by_mechanism(load(path).datasets["d"])) == changed
