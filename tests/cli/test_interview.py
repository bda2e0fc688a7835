"""`sharewell init --interactive`: five questions, answered through a pipe."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from sharewell.cli import main


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"p{i // 2},{'MF'[i % 2]},{30 + i},{'ab'[i % 2]},{'xyz'[i % 3]}\n" for i in range(60))
    Path("people.csv").write_text("patient_id,sex,age,ward,disease\n" + rows, encoding="utf-8")
    return Path("people.csv")


def asked(answers: Sequence[str], monkeypatch: pytest.MonkeyPatch, *more: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
    return main(["init", "people.csv", "--interactive", "-o", "policy.yaml", *more])


def policy() -> Any:
    return YAML(typ="safe", pure=True).load(Path("policy.yaml").read_text(encoding="utf-8"))


@pytest.mark.usefixtures("people")
def test_empty_answers_take_what_the_data_suggests(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked([""] * 5, monkeypatch) == 0
    with_answers = policy()
    Path("policy.yaml").unlink()
    assert main(["init", "people.csv", "-o", "policy.yaml"]) == 0
    assert policy() == with_answers


@pytest.mark.usefixtures("people")
def test_answers_are_written_into_the_draft(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = ["University X", "patient_id", "-ward", "disease, ward", "ipc-ontario-2025/high"]
    assert asked(answers, monkeypatch) == 0
    found = policy()
    assert found["release"] == {"name": "draft", "recipient": "University X", "context": "non-public"}
    assert found["profile"] == "ipc-ontario-2025/high"
    assert found["datasets"]["people"]["columns"] == {
        "patient_id": "subject",
        "sex": "quasi",
        "age": "quasi",
        "ward": "sensitive",
        "disease": "sensitive",
    }
    assert main(["check", "policy.yaml"]) == 0
    assert capsys.readouterr().out.count("/5  ") == 5


@pytest.mark.usefixtures("people")
def test_a_public_release_suggests_another_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    assert asked(["public", "", "", "", ""], monkeypatch) == 0
    assert (policy()["release"]["context"], policy()["profile"]) == ("public", "ema-policy-0070")


@pytest.mark.usefixtures("people")
def test_what_is_not_understood_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = ["", "patient", "patient_id", "agee", "", "", "hipaa-safe-harbor", "el-emam", "el-emam/5"]
    assert asked(answers, monkeypatch) == 0
    shown = capsys.readouterr().out
    assert "no column 'patient' — did you mean 'patient_id'?" in shown
    assert "no column 'agee' — did you mean 'age'?" in shown
    assert "hipaa-safe-harbor has its own rules" in shown
    assert "one of el-emam/3" in shown
    assert policy()["profile"] == "el-emam/5"


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("given", range(5))
def test_the_end_of_the_input_ends_it_and_nothing_is_written(
    given: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked([""] * given, monkeypatch) == 130
    assert not Path("policy.yaml").exists()
    assert "stopped; nothing was written" in capsys.readouterr().err


@pytest.mark.usefixtures("people")
def test_an_interruption_ends_it_and_nothing_is_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted(io.StringIO):
        def readline(self, size: int = -1, /) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", Interrupted())
    assert main(["init", "people.csv", "--interactive", "-o", "policy.yaml"]) == 130
    assert not Path("policy.yaml").exists()
    assert "stopped; nothing was written" in capsys.readouterr().err


@pytest.mark.usefixtures("people")
def test_without_a_file_the_questions_stay_off_the_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n" * 5))
    assert main(["init", "people.csv", "--interactive"]) == 0
    shown = capsys.readouterr()
    assert list(YAML(typ="safe", pure=True).load(shown.out)["datasets"]) == ["people"]
    assert "5/5" in shown.err
