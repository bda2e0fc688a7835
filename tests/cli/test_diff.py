"""`sharewell diff`: exit 0 if two releases are the same, 1 otherwise."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from sharewell.cli import main


@pytest.fixture
def other(small_release: Path, tmp_path: Path) -> Path:
    """The same release with other claims."""
    other = Path(shutil.copytree(small_release, tmp_path / "other"))
    path = other / "public" / "certificate.json"
    certificate = json.loads(path.read_text())
    certificate["datasets"]["patients"]["rows"] -= 1
    certificate["signed_by"] = None
    path.write_text(json.dumps(certificate))
    return other


def test_the_same_release_twice(small_release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", str(small_release), str(small_release)]) == 0
    assert capsys.readouterr().out.startswith("no difference\n")


def test_what_differs_is_shown_side_by_side(
    small_release: Path, other: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", str(small_release), str(other)]) == 1
    told = capsys.readouterr().out
    rows = json.loads((small_release / "public" / "certificate.json").read_text())["datasets"]["patients"]["rows"]
    [line] = [line for line in told.splitlines() if line.startswith("patients ")]
    assert line.split() == ["patients", str(rows), str(rows - 1)]
    assert "signed by" in told
    assert "3 difference(s)" in told
    assert "nothing was verified" in told


def test_as_json(small_release: Path, other: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", str(small_release), str(other), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert not told["same"]
    assert list(dict.fromkeys(one["section"] for one in told["changes"])) == ["rows", "certificate"]


def test_what_is_no_release_is_refused(small_release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", str(small_release), str(tmp_path)]) == 3
    assert "not a release" in capsys.readouterr().err
