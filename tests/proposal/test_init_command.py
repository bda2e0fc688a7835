"""`sharewell init` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from workbook_files import xlsx

from sharewell.cli import main


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"zaphod{i // 2},{'MF'[i % 2]}canary,{30 + i},[canary]\n" for i in range(30))
    Path("people.csv").write_text("patient_id,sex,age,[/red]\n" + rows, encoding="utf-8")
    return Path("people.csv")


def test_the_draft_goes_to_the_file_and_the_table_to_the_screen(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", str(data), "-o", "policy.yaml", "--name", "mine"]) == 0
    shown = capsys.readouterr()
    assert (
        YAML(typ="safe", pure=True).load(Path("policy.yaml").read_text(encoding="utf-8"))["release"]["name"] == "mine"
    )
    assert "the key of a person" in shown.out
    assert "[/red]" in shown.out
    assert not [word for word in ("zaphod", "canary") if word in shown.out + shown.err]
    assert main(["check", "policy.yaml"]) == 0


def test_without_a_file_the_draft_is_all_of_the_standard_output(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", str(data)]) == 0
    shown = capsys.readouterr()
    assert list(YAML(typ="safe", pure=True).load(shown.out)["datasets"]) == ["people"]
    assert "the key of a person" in shown.err
    assert not [word for word in ("zaphod", "canary") if word in shown.out + shown.err]


def test_json(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", str(data), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [c["role"] for c in found["datasets"]["people"]["columns"]] == ["subject", "quasi", "quasi", "keep"]
    assert found["draft"].startswith("# A draft")


def test_nothing_is_overwritten(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("policy.yaml").write_text("mine", encoding="utf-8")
    assert main(["init", str(data), "-o", "policy.yaml"]) == 3
    assert Path("policy.yaml").read_text(encoding="utf-8") == "mine"
    assert main(["init", str(data), "-o", "nowhere/policy.yaml"]) == 3
    assert "never overwritten" in capsys.readouterr().err


def test_a_missing_file_is_a_data_error(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "peple.csv"]) == 3
    assert "people.csv" in capsys.readouterr().err


def test_a_draft_for_questions_takes_no_domain_from_the_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(f"p{i},{30 + i},{'FM'[i % 2]},ward-{i % 3}\n" for i in range(30))
    (tmp_path / "people.csv").write_text("patient_id,age,sex,ward\n" + rows)
    policy = tmp_path / "policy.yaml"
    assert main(["init", str(tmp_path / "people.csv"), "-o", str(policy), "--questions"]) == 0
    assert "ward-" not in policy.read_text()
    assert main(["check", str(policy)]) == 0
    question = "{measure: count, group_by: [sex]}"
    assert main(["ask", str(policy), question, "--epsilon", "0.5", "--dry-run"]) == 0
    assert "would cost epsilon 0.5" in capsys.readouterr().out


def test_years_of_two_digits_are_the_one_decision_that_a_draft_leaves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Read as text, dates of birth would be published as sets of days; and nobody but the steward knows the century."""
    rows = "".join(f"p{i};{i % 28 + 1:02d}.{i % 12 + 1:02d}.{30 + i % 60};{'mw'[i % 2]}\n" for i in range(60))
    (tmp_path / "a.csv").write_text(f"patient_id;Geburtsdatum;Geschl.\n{rows}")
    policy = tmp_path / "policy.yaml"
    assert main(["init", str(tmp_path / "a.csv"), "-o", str(policy)]) == 0
    draft = policy.read_text()
    assert 'Geburtsdatum: {date: ["%d.%m.%y"]}' in draft
    assert "DECIDE: first_year: 1930, say, if 30 is 1930 and 29 is 2029" in draft
    assert '"Geschl.": quasi  ' in draft
    capsys.readouterr()
    assert main(["check", str(policy)]) == 2
    assert "years of two digits stand for no century — say first_year: 1930" in capsys.readouterr().err
    policy.write_text(draft.replace('"%d.%m.%y"]', '"%d.%m.%y"], first_year: 1925'))
    assert main(["check", str(policy)]) == 0
    policy.write_text(
        draft.replace('Geburtsdatum: {date: ["%d.%m.%y"]}', "Geburtsdatum: trim").replace(", type: date", "")
    )
    assert main(["check", str(policy)]) == 2
    assert "60 of 60 different values are dates" in capsys.readouterr().err


def test_the_first_line_of_a_workbook_may_be_a_record_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [["P1", "zaphod", "1980-01-01"], ["P2", "ford", "1981-02-03"]]
    (tmp_path / "people.xlsx").write_bytes(xlsx({"Sheet": rows}))
    for verb in ("init", "risk"):
        assert main([verb, str(tmp_path / "people.xlsx")]) == 3
        shown = capsys.readouterr()
        assert "people.xlsx — has no header line, it seems" in shown.err
        assert not [word for word in ("zaphod", "1980-01-01") if word in shown.out + shown.err]
