"""No name from a file does anything to a terminal, in whatever a verb prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sharewell.cli import main
from sharewell.cli.output import legible_streams, print_table

ESCAPE, TURN = "\x1b[2J\x9b", "\u202e"
NAME = f"age{ESCAPE}{TURN}[bold]"


def plain(captured: pytest.CaptureFixture[str]) -> str:
    told = captured.readouterr()
    assert not {"\x1b", "\x9b", TURN, "\r", "\x07"} & set(told.out + told.err)
    return told.out + told.err


@pytest.mark.parametrize("verb", ["init", "risk"])
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_column_and_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], verb: str, form: list[str]) -> None:
    path = tmp_path / f"pa{ESCAPE}tients.csv"
    path.write_text(f"id,{NAME},sex\n" + "".join(f"p{i},{20 + i % 5},F\n" for i in range(20)))
    assert main([verb, str(path), *form]) in (0, 1)
    told = capsys.readouterr()
    assert "1b[2j" in told.out.lower()
    assert not {"\x1b", "\x9b", TURN} & set(told.out + told.err)
    if form:
        assert NAME in json.dumps(json.loads(told.out), ensure_ascii=False).replace("\\u001b", "\x1b")


def test_an_error_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"x\nverified{ESCAPE}.csv"
    path.write_text('id,b\n1,"x"y\n')
    assert main(["risk", str(path)]) == 3
    told = plain(capsys)
    assert "x\\u000averified\\u001b[2J" in told
    assert main(["risk", str(tmp_path / f"no{ESCAPE}")]) == 3
    plain(capsys)


def test_a_forged_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str], small_release: Path) -> None:
    import shutil

    forged = tmp_path / "forged"
    shutil.copytree(small_release, forged)
    path = forged / "public" / "certificate.json"
    told = json.loads(path.read_text())
    told["datasets"] = {f"d{ESCAPE}\nverified": one for one in told["datasets"].values()}
    path.write_text(json.dumps(told))
    assert main(["verify", str(forged)]) == 5
    assert "\nverified" not in plain(capsys).replace("\nverified, but", "")


def test_cells_of_a_table_stay_in_their_rows(capsys: pytest.CaptureFixture[str]) -> None:
    with legible_streams():
        print_table(("name",), [(f"a{ESCAPE}\nb",)], title="t\x1b[0m")
    assert "a\\u001b[2J\\u009b\\u000ab" in plain(capsys)
