"""One record with very many codes: refused with the count, or left out of a sample, and never counted for minutes."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.cli import main
from sharewell.codes import CodeSets
from sharewell.codes.wing import MOST_CODES, SAMPLED_PAIRS, CodesWing

POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  d:
    kind: codes
    read: {csv: d.csv}
    columns: {id: subject, code: quasi}
    require: [km-anonymity: {k: 2, m: 2}]
    using: apriori
write: {parquet: out}
"""


def test_more_codes_than_a_patient_has_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "policy.yaml").write_text(POLICY)
    rows = [f"p0,c{i}\n" for i in range(MOST_CODES + 1)] + [f"p{i},c{i}\n" for i in range(1, 20)]
    (tmp_path / "d.csv").write_text("id,code\n" + "".join(rows))
    assert main(["release", str(tmp_path / "policy.yaml")]) == 3
    told = capsys.readouterr().err
    assert f"d.csv — one record holds {MOST_CODES + 1} different codes" in told


def test_a_sample_leaves_out_the_longest_records() -> None:
    rows = [[f"c{i}" for i in range(7_000)], [f"c{i}" for i in range(6_000)], *([["c1", "c2"]] * 30)]
    data = CodeSets.of(rows)
    sample = CodesWing().sample(data, 20_000)
    assert sample.records == 31
    assert int((sample.sets.lengths**2).sum()) <= 2 * SAMPLED_PAIRS
    assert CodesWing().sample(sample, 20_000) is sample
