"""`sharewell ask` and `sharewell budget`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_visits import POLICY, desk

from sharewell.cli import main


@pytest.fixture
def policy(tmp_path: Path) -> str:
    return str(desk(tmp_path))


def told(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = main(list(argv))
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_question_is_priced_asked_and_accounted_for(policy: str, capsys: pytest.CaptureFixture[str]) -> None:
    question = "{measure: count, filter: {sex: F}, group_by: [ward]}"
    code, out, _ = told(capsys, "ask", policy, question, "--epsilon", "0.5", "--dry-run")
    assert code == 0
    assert "would cost epsilon 0.5, for 3 group(s); nothing was charged" in out
    assert "off by at most 12" in out
    code, out, _ = told(capsys, "budget", policy)
    assert (code, "there is no ledger" in out) == (0, True)
    code, out, _ = told(capsys, "ask", policy, question, "--epsilon", "0.5", "--analyst", "Ada")
    assert code == 0
    assert "cost epsilon 0.5 (charge 1)" in out
    assert "left: dataset:visits/analyst:Ada: epsilon 1.5" in out
    code, out, _ = told(capsys, "ask", policy, question, "--epsilon", "0.5", "--analyst", "Ada", "--json")
    answer = json.loads(out)
    assert answer["stored"]
    assert [row["group"]["ward"] for row in answer["rows"]] == ["A", "B", "other"]
    code, out, _ = told(capsys, "budget", policy)
    assert "dataset:visits/analyst:Ada" in out
    code, out, _ = told(capsys, "budget", policy, "--analyst", "Ada", "--json")
    statement = json.loads(out)
    assert statement["accounts"]["dataset:visits"]["spent"]["epsilon"] == "0.5"
    assert statement["history"][0]["what"]["question"]["group_by"] == ["ward"]


def test_a_question_may_stand_in_a_file(policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "q.json").write_text('{"measure": {"top": {"column": "ward", "k": 1}}}')
    code, out, _ = told(capsys, "ask", policy, f"@{tmp_path / 'q.json'}", "--epsilon", "1")
    assert code == 0
    assert "place" in out
    assert told(capsys, "ask", policy, "@nowhere.json", "--epsilon", "1")[0] == 3


def test_what_is_wrong_is_said_with_its_exit_code(policy: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = told(capsys, "ask", policy, "{measure: {mean: agee}}", "--epsilon", "0.1")
    assert (code, "did you mean 'age'" in err) == (2, True)
    code, _, err = told(capsys, "ask", policy, "count", "--epsilon", "nan")
    assert (code, "must be a number from" in err) == (2, True)
    code, _, err = told(capsys, "ask", policy, "count", "--epsilon", "2.5")
    assert (code, "are needed" in err) == (6, True)
    code, _, err = told(capsys, "ask", policy, "count")
    assert (code, "nothing says how much to spend" in err) == (2, True)


def test_caps_follow_the_policy_with_a_reason(policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told(capsys, "ask", policy, "count", "--epsilon", "1")
    desk(tmp_path, POLICY.replace("epsilon: 3", "epsilon: 4"))
    assert told(capsys, "ask", policy, "count", "--epsilon", "0.9")[0] == 3
    code, out, _ = told(capsys, "budget", policy, "--apply", "the board agreed", "--json")
    assert code == 0
    assert json.loads(out)["accounts"]["dataset:visits"]["cap"]["epsilon"] == "4"
    assert told(capsys, "ask", policy, "count", "--epsilon", "0.9")[0] == 0


def test_a_zcdp_budget_shows_what_its_charges_keep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy = str(desk(tmp_path, POLICY.replace("analyst: 2", "analyst: 2, accounting: zcdp")))
    code, out, _ = told(capsys, "ask", policy, "{measure: {mean: age}}", "--rho", "0.01")
    assert (code, "rho 0.01" in out) == (0, True)
    _, out, _ = told(capsys, "budget", policy)
    assert "all charges together keep epsilon" in out
