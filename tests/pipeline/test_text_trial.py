"""A plan rewrites some texts of a text column, and refuses what a release would refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.cli import main
from sharewell.errors import Infeasible
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.policy import load

GERMAN = "Der Patient klagt seit gestern über starke Schmerzen in der Brust und kann nicht schlafen."
ENGLISH = "The patient was seen in clinic today and is doing well after the operation."
POLICY = """\
sharewell: 1
release: {name: r}
secrets: {key: env:TEST_KEY}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {who: subject, sex: quasi, remarks: text}
    require: [k-anonymity: {k: 2}]
    using: mondrian
"""


def desk(directory: Path, *texts: str) -> Path:
    rows = "".join(f"p{i},{'mf'[i % 2]},{text}\n" for i, text in enumerate(texts))
    (directory / "people.csv").write_text("who,sex,remarks\n" + rows, encoding="utf-8")
    (directory / "policy.yaml").write_text(POLICY)
    return directory / "policy.yaml"


def test_a_column_of_which_nothing_is_left_is_refused_by_the_plan_as_by_the_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TEST_KEY", "correct horse battery staple, and more of it")
    path = desk(tmp_path, *[GERMAN] * 8)
    why = "replace — column remarks — 8 of 8 texts are not in English, and no text is left to publish"
    planned = plan(load(path), preview=True)["people"]
    assert not planned.outcome.feasible
    assert planned.outcome.why_not.splitlines()[0] == why
    assert "a dataset of kind notes that reads the same file" in planned.outcome.why_not  # no pack agrees with rows
    assert planned.preview is not None
    assert {row["remarks"] for row in planned.preview.rows} == {None}
    with pytest.raises(Infeasible) as caught:
        release(load(path))
    assert str(caught.value).splitlines()[0] == why
    assert main(["plan", str(path)]) == 1
    assert "role drop for column remarks" in capsys.readouterr().out


def test_a_column_that_loses_a_part_of_its_texts_is_a_caution(tmp_path: Path) -> None:
    planned = plan(load(desk(tmp_path, *[ENGLISH] * 6, *[GERMAN] * 2)))["people"]
    assert planned.outcome.feasible
    assert planned.cautions == ("column remarks: 25 % of its texts would be withheld (language 2)",)


def test_of_many_texts_some_are_tried_and_that_is_said(tmp_path: Path) -> None:
    texts = [ENGLISH] * 60 + [GERMAN] * 60
    (caution,) = plan(load(desk(tmp_path, *texts)))["people"].cautions
    assert caution == "column remarks: 50 % of its texts would be withheld (language 25) (tried on 50 of 120 texts)"


def test_if_those_tried_are_all_withheld_more_are_tried(tmp_path: Path) -> None:
    """Every second text is English, and none of the fifty that are tried first."""
    texts = [GERMAN if i % 2 == 0 else ENGLISH for i in range(99)]
    planned = plan(load(desk(tmp_path, *texts)))["people"]
    assert planned.outcome.feasible
    assert planned.cautions == ("column remarks: 51 % of its texts would be withheld (language 50)",)
