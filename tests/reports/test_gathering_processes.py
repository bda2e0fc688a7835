"""Owners and mediator as processes of their own, over a folder and over the loopback; and the files around them."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from golden.canonical import shape
from golden.store import Golden

from sharewell.cli import main
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.io.folder_post import FolderLine
from sharewell.io.loopback import LoopbackLine
from sharewell.io.signatures import load_private, new_pair
from sharewell.reports.figures.engine.report_file import load
from sharewell.reports.gathering.engine.owner import taking_part
from sharewell.reports.gathering.engine.plan import load_plan, read_row

ROWS = {"Nord & Süd": "75.0,56.0", "B/2": "88.2,59.8", "C": "85.7,49.8", "D": "83.0,"}
PLAN = """\
gathering: diabetes
measures: {HbA1c: [0, 100], Lipid profile: [0, 100]}
owners: {Nord & Süd: 1.pub, B/2: 2.pub, C: 3.pub, D: 4.pub}
threshold: 3
show_owners: true
protect: {default: {width: 1}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plan.yaml").write_text(PLAN, encoding="utf-8")
    (tmp_path / "post").mkdir()
    for i, row in enumerate(ROWS.values()):
        new_pair(tmp_path / str(i + 1))
        (tmp_path / f"{i + 1}.csv").write_text(f"HbA1c,Lipid profile\n{row}\n")
    return tmp_path


def process(folder: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "sharewell", "reports", "gather", *words]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def owner_words(name: str, *more: str) -> list[str]:
    i = list(ROWS).index(name) + 1
    files = ["--key", f"{i}.key", "--values", f"{i}.csv", "--out", f"own-{i}.yaml"]
    return ["owner", "plan.yaml", "--name", name, *files, "--wait", "60", "--json", *more]


def started(folder: Path, names: list[str], *place: str) -> list[subprocess.Popen[str]]:
    return [process(folder, *owner_words(name, *place)) for name in names]


def finished(folder: Path, processes: list[subprocess.Popen[str]], owners: int) -> list[Any]:
    """All went well, all tell the same sums, and files hold what they may."""
    done = [(one.communicate(timeout=110), one.returncode) for one in processes]
    assert [code for _, code in done] == [0] * len(processes), [told[1] for told, _ in done]
    cells = [Fraction(row.split(",")[0]) for row in ROWS.values()][:owners]
    sums = {"count": owners, "sum": str(sum(cells)), "squares": str(sum(cell**2 for cell in cells))}
    found, *told = (json.loads(out) for (out, _), _ in done)
    assert found["columns"]["HbA1c"] == sums
    assert found["dropped"] == list(ROWS)[owners:]
    assert all(one["finished"] and one["report"]["rows"] == list(ROWS)[:owners] for one in told)
    assert load(folder / "report.yaml").publication.frame.rows == tuple(ROWS)[:owners]
    own = load(folder / "own-1.yaml").publication
    assert {float(value) for value in own.truth.values()} == {75.0, 56.0}
    assert (folder / "own-1.yaml").stat().st_mode & 0o077 == 0
    assert "75.0" not in (folder / "report.yaml").read_text()
    assert (folder / "report.yaml").stat().st_mode & 0o077 == 0
    assert (folder / "1.csv.ledger").exists()
    return [found, *told]


def test_processes_over_a_folder(folder: Path, golden: Golden) -> None:
    place = ("--folder", "post")
    leading = process(folder, "mediator", "plan.yaml", "--wait", "60", "--out", "report.yaml", "--json", *place)
    leader, *others = finished(folder, [leading, *started(folder, list(ROWS), *place)], 4)
    golden.check_several("answers", {"reports gather mediator": shape(leader), "reports gather owner": shape(others)})


def test_processes_over_the_loopback_of_which_one_leaves(folder: Path) -> None:
    """One of four announces its keys and hangs up; the three others get their sums."""
    place = ("--port", "0")
    leading = process(folder, "mediator", "plan.yaml", "--wait", "60", "--out", "report.yaml", "--json", *place)
    assert leading.stderr is not None
    line = next(line for line in leading.stderr if "port " in line)  # a busy machine says first that it is at work
    port = line.split("port ")[1].split()[0]
    others = started(folder, list(ROWS)[:3], "--port", port)
    taking = taking_part(
        load_plan(folder / "plan.yaml"), "D", read_row(folder / "4.csv"), load_private(folder / "4.key")
    )
    with LoopbackLine(int(port), 60) as line:
        line.send(0, next(taking))
        line.receive(0, 60)
    finished(folder, [leading, *others], 3)


def test_below_the_threshold_everybody_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two of four: exit 4, no report, and the owners need not wait for their time to run out."""
    plan = load_plan(folder / "plan.yaml")
    takings = []
    for i, name in enumerate(list(ROWS)[:2]):
        takings.append(
            taking_part(plan, name, read_row(folder / f"{i + 1}.csv"), load_private(folder / f"{i + 1}.key"))
        )
        FolderLine(folder / "post", i + 1).send(0, next(takings[i]))
    words = [str(folder / "plan.yaml"), "--folder", str(folder / "post"), "--out", str(folder / "report.yaml")]
    assert main(["reports", "gather", "mediator", *words, "--wait", "0.2"]) == 4
    assert "at least 3 of 4" in capsys.readouterr().err
    assert not (folder / "report.yaml").exists()
    for i, taking in enumerate(takings):
        with pytest.raises(Infeasible, match="the mediator stopped it"):
            taking.send(FolderLine(folder / "post", i + 1).receive(0, 5))


def test_a_plan_is_explained(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reports", "gather", "plan", str(folder / "plan.yaml"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["owners"], told["threshold"], told["may_drop"]) == (4, 3, 1)
    assert told["fingerprint"] == load_plan(folder / "plan.yaml").fingerprint
    assert main(["reports", "gather", "plan", str(folder / "plan.yaml")]) == 0
    assert "1 may leave" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("4.pub", "none.pub", "owners.D"),
        ("threshold: 3", "threshold: 2", "threshold"),
        ("threshold: 3", "threshold: 0", "at least 1"),
        ("HbA1c: [0, 100]", "HbA1c: all", "measures.HbA1c"),
        ("HbA1c: [0, 100]", "HbA1c: [0.05, 100]", "decimals"),
        ("D: 4.pub", "D: 3.pub", "same key"),
        ("gathering: diabetes", "name: diabetes", "gathering"),
        ("owners: {", "owners: 7 #", "owners"),
        ("measures: {HbA1c", "measures: 7 # {HbA1c", "measures"),
    ],
)
def test_mistakes_in_a_plan_have_their_place(folder: Path, old: str, new: str, what: str) -> None:
    (folder / "plan.yaml").write_text(PLAN.replace(old, new), encoding="utf-8")
    with pytest.raises(PolicyError, match=what):
        load_plan(folder / "plan.yaml")
    assert main(["reports", "gather", "plan", str(folder / "plan.yaml")]) == 2


def test_files_of_owners_that_do_not_fit_are_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def refused(*changes: str, **files: str) -> str:
        for name, text in files.items():
            (folder / f"{name}.csv").write_text(text)
        words: list[Any] = owner_words("C", "--folder", str(folder / "post"), *changes)
        words = [str(folder / word) if word.endswith((".yaml", ".key", ".csv")) else word for word in words]
        assert main(["reports", "gather", *words]) == 3
        return capsys.readouterr().err

    assert "2 lines" in refused("--values", "two.csv", two="HbA1c\n1\n2\n")
    assert "does not name" in refused("--values", "odd.csv", odd="weight\n1\n")
    assert "outside the range" in refused("--values", "far.csv", far="HbA1c\n777\n")
    assert "not that of C" in refused("--key", "1.key")
    (folder / "own-3.yaml").write_text("there\n")
    assert "already there" in refused()
    (folder / "own-3.yaml").unlink()
    (folder / "plan.yaml").write_text(PLAN.replace("show_owners: true", ""), encoding="utf-8")
    words = [word.replace("plan.yaml", str(folder / "plan.yaml")) for word in owner_words("C", "--folder", "post")]
    words = [str(folder / word) if word.endswith((".key", ".csv")) else word for word in words]
    assert main(["reports", "gather", *words]) == 2
    assert "show_owners" in capsys.readouterr().err
    with pytest.raises(DataError):
        load_private(folder / "1.pub")
