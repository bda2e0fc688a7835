"""Criteria that compare classes with the whole table, where persons own several records: what holds is verified."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.cli import main

POLICY = """\
sharewell: 1
release: {{name: r}}
datasets:
  d:
    kind: tables
    read: {{csv: rows.csv}}
    {publish}
    columns: {{id: subject, age: quasi, zip: quasi, s: sensitive}}
    require: [{criterion}]
    using: mondrian
write: {{csv: out}}
"""


def _rows(seed: int) -> str:
    values = [(seed * 7919 + i * 104729) % 1009 for i in range(40)]
    rows = [
        f"p{i // 4},{20 + v % 41},{[2139, 2134, 10001][v % 3]},{['flu', 'hiv', 'gout'][v % 7 % 3]}"
        for i, v in enumerate(values)
    ]
    return "id,age,zip,s\n" + "\n".join(rows) + "\n"


@pytest.mark.parametrize(
    "criterion", ["t-closeness: {t: 0.2}", "delta-disclosure: {delta: 0.75}", "beta-likeness: {beta: 0.5}"]
)
def test_what_a_mechanism_made_hold_is_verified(tmp_path: Path, criterion: str) -> None:
    for seed in range(6):
        place = tmp_path / str(seed)
        place.mkdir()
        (place / "rows.csv").write_text(_rows(seed))
        (place / "policy.yaml").write_text(POLICY.format(publish="", criterion=criterion))
        assert main(["release", str(place / "policy.yaml")]) in (0, 4)


def test_pseudonyms_that_end_at_a_class_are_not_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rows.csv").write_text(_rows(1))
    policy = tmp_path / "policy.yaml"
    policy.write_text(POLICY.format(publish="publish: within-class", criterion="t-closeness: {t: 0.4}"))
    assert main(["release", str(policy)]) == 2
    assert "pseudonyms that end at a class" in capsys.readouterr().err
    policy.write_text(POLICY.format(publish="publish: within-class", criterion="t-closeness: {t: 0.4, unit: record}"))
    assert main(["release", str(policy)]) in (0, 4)
