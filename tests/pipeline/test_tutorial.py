"""The tutorial is followed literally: its commands are run, its edits applied, and what it shows is what comes out."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from sharewell.cli import main

ROOT = Path(__file__).parents[2]
MESSY = ROOT / "examples" / "messy"
BLOCKS = re.findall(r"^```(sh|diff|output)\n(.*?)^```", (ROOT / "docs" / "tutorial.md").read_text(), re.DOTALL | re.M)
MOST_EDITS = 3


def edited(text: str, block: str) -> str:
    """The text with one edit: context and removed lines must stand in it once."""
    lines = block.splitlines()
    before = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "+")
    after = "".join(f"{line[1:]}\n" for line in lines if line[:1] != "-")
    assert text.count(before) == 1, block
    return text.replace(before, after)


def plain(path: Path) -> Any:
    return YAML(typ="safe", pure=True).load(path)


def test_the_tutorial_ends_in_a_release_that_is_verified_signed_and_approved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(MESSY / "export.csv", tmp_path)
    monkeypatch.chdir(tmp_path)
    policy, shown = Path("policy.yaml"), ""
    for kind, block in BLOCKS:
        if kind == "diff":
            policy.write_text(edited(policy.read_text(encoding="utf-8"), block), encoding="utf-8")
        elif kind == "sh":
            shown = ""
            for line in block.splitlines():
                assert main(shlex.split(line)[1:]) == 0, line
                shown += capsys.readouterr().out
        else:
            flat = re.sub(r"\s+", " ", shown)
            assert [line for line in block.splitlines() if re.sub(r"\s+", " ", line) not in flat] == []
    assert (Path("out/visits-2026/public/certificate.approval")).is_file()
    final, shipped = plain(policy), plain(MESSY / "policy.yaml")
    assert {**final, "secrets": None} == {**shipped, "secrets": None, "write": final["write"]}


def test_the_tutorial_asks_for_three_edits_at_most() -> None:
    assert [kind for kind, _ in BLOCKS].count("diff") <= MOST_EDITS


def test_the_export_is_the_one_that_its_script_writes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, MESSY / "make_export.py", tmp_path], check=True)
    assert (tmp_path / "export.csv").read_bytes() == (MESSY / "export.csv").read_bytes()


def test_the_export_has_everything_that_is_said_of_it() -> None:
    raw = (MESSY / "export.csv").read_bytes()
    with pytest.raises(UnicodeDecodeError):
        raw.decode("utf-8")
    text = raw.decode("windows-1252")
    signs = [r"\d{2}\.\d{2}\.\d{4}", r"\d{4}-\d{2}-\d{2}", r"\d{2}/\d{2}/\d{4}", ";N/A;", ";unknown;", ";999;"]
    signs += [r";02\d{3}-\d{4};", r";\d{2},\d;", r"[A-Z]\d{2}\.\d\|", r"[^\r]\n", ";ward ;", ";Male ;", ";f;"]
    assert [sign for sign in signs if not re.search(sign, text)] == []
