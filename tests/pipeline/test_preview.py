"""A preview shows what would be published, and writes and keeps nothing."""

from __future__ import annotations

import csv
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

import sharewell
from sharewell.cli import main
from sharewell.io import sources
from sharewell.pipeline import preview as previewing
from sharewell.pipeline import relax
from sharewell.pipeline.plan import plan
from sharewell.policy import load
from sharewell.progress import ProgressStep

POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {who: subject, name: drop, age: quasi, zip: quasi, seen: shift, ward: keep, remarks: text}
    require: [k-anonymity: {k: 3}]
    using: mondrian
"""
NAMES = ("Rosa Delgado", "Wei Okafor", "Olga Novak", "Amir Hassan", "Peter Larsen", "Linda Silva")


def desk(directory: Path, rows: int = 60) -> Path:
    draw = random.Random(1)
    with (directory / "people.csv").open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(("who", "name", "age", "zip", "seen", "ward", "remarks"))
        for i in range(rows):
            name, age = NAMES[i % 6], draw.randint(20, 80)
            text = f"Spoke to {name}, a {age}-year-old; stable and went home."
            out.writerow((f"p{i}", name, age, f"Z{draw.randint(1, 4)}", f"2020-05-{1 + i % 28:02d}", "AB"[i % 2], text))
    path = directory / "policy.yaml"
    path.write_text(POLICY)
    return path


def test_a_preview_says_what_becomes_of_each_column(tmp_path: Path) -> None:
    found = plan(load(desk(tmp_path)), preview=True)["people"].preview
    assert found is not None
    fates = {one.column: one.fate for one in found.columns}
    assert fates == {
        "who": "not published",
        "name": "dropped",
        "age": "ranges",
        "zip": "sets" if fates["zip"] == "sets" else "exact",
        "seen": "shifted",
        "ward": "exact",
        "remarks": "rewritten",
    }
    ages = next(one for one in found.columns if one.column == "age")
    assert ages.distinct_before == len(set(_column(tmp_path, "age")))
    assert ages.distinct_after is not None
    assert 1 < ages.distinct_after < 30


def _column(directory: Path, name: str) -> list[str]:
    with (directory / "people.csv").open(newline="") as file:
        return [row[name] for row in csv.DictReader(file)]


def test_a_dozen_rows_are_those_that_would_be_published(tmp_path: Path) -> None:
    found = sharewell.plan(desk(tmp_path), preview=True)["people"].preview
    assert found is not None
    assert len(found.rows) == 12
    for row in found.rows:
        assert list(row) == ["age", "zip", "seen", "ward", "remarks"]
        assert row["age"] is not None
        assert f"a {row['age'].strip('[]')}-year-old;" in str(row["remarks"]), "the text agrees with its row"
        assert not any(name in str(row["remarks"]) for name in NAMES)
    parts = {part for name in NAMES for part in name.split()}
    by_chance = [row for row in found.rows if parts & {*re.findall(r"\w+", str(row["remarks"]))}]
    assert len(by_chance) < 5, "a surrogate may be a name that somebody else has, now and then"


def test_neither_repr_nor_json_nor_a_file_holds_a_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = desk(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    found = plan(load(path), preview=True)["people"]
    assert found.preview is not None
    cells = {str(row["remarks"]) for row in found.preview.rows}
    assert main(["plan", str(path), "--preview"]) == 0
    printed = capsys.readouterr().out
    assert main(["plan", str(path), "--preview", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["people"]["preview"]
    assert "rows" not in told
    assert len(told["columns"]) == 7
    for text in (repr(found), printed, json.dumps(told), json.dumps(found.to_json())):
        assert not any(cell in text for cell in cells)
        assert "went home" not in text
    assert "shown only on a terminal" in printed
    assert sorted(tmp_path.rglob("*")) == before


def test_a_terminal_shows_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = desk(tmp_path)
    monkeypatch.setattr("sharewell.cli.plan.on_terminal", lambda: True)
    assert main(["plan", str(path), "--preview"]) == 0
    assert "12 of the rows that would be published" in capsys.readouterr().out


def test_a_large_file_is_previewed_on_rows_evenly_spread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LARGE", dict.fromkeys(sources.LARGE, 1))
    monkeypatch.setattr(previewing, "SAMPLE", 20)
    found = plan(load(desk(tmp_path)), preview=True)["people"].preview
    assert found is not None
    assert found.tried_rows == 20
    assert len(found.rows) == 12


def test_what_cannot_hold_is_said_and_nothing_shown(tmp_path: Path) -> None:
    path = desk(tmp_path)
    path.write_text(path.read_text().replace("k: 3", "k: 61"))
    found = plan(load(path), preview=True)["people"].preview
    assert found is not None
    assert found.rows == ()
    assert found.why_not


def test_a_lost_column_comes_with_a_change_that_was_tried(tmp_path: Path) -> None:
    """The change that is proposed does save it: the same policy with it loses nothing."""
    path = desk(tmp_path)
    everything = "age: {role: quasi, hierarchy: {csv: tree.csv}}"
    path.write_text(path.read_text().replace("age: quasi", everything))
    ages = sorted(set(_column(tmp_path, "age")))
    (tmp_path / "tree.csv").write_text("".join(f"{age},*\n" for age in ages))
    lost = plan(load(path))["people"].outcome.lost
    assert len(lost) == 1
    assert lost[0].startswith("age would show the same in nearly every row; ")
    assert "age without its hierarchy, as ranges: holds" in lost[0]
    path.write_text(path.read_text().replace(everything, "age: quasi"))
    assert plan(load(path))["people"].outcome.lost == ()


def test_a_column_that_only_a_smaller_class_saves(tmp_path: Path) -> None:
    path = desk(tmp_path)
    towns = [f"town {i // 2}" for i in range(60)]
    rows = (tmp_path / "people.csv").read_text().splitlines()
    lines = [rows[0] + ",town", *(f"{row},{town}" for row, town in zip(rows[1:], towns, strict=True))]
    (tmp_path / "people.csv").write_text("\n".join(lines))
    (tmp_path / "tree.csv").write_text("".join(f"{town},*\n" for town in sorted(set(towns))))
    own = "age: drop, zip: drop, town: {role: quasi, hierarchy: {csv: tree.csv}}"
    path.write_text(path.read_text().replace("age: quasi, zip: quasi", own))
    [lost] = plan(load(path))["people"].outcome.lost
    assert "k-anonymity with k = 2 instead of 3: holds" in lost
    path.write_text(path.read_text().replace("k: 3", "k: 2"))
    assert plan(load(path))["people"].outcome.lost == ()


CODES = """\
sharewell: 1
release: {name: r}
datasets:
  dx:
    kind: codes
    read: {csv: dx.csv}
    columns: {who: subject, dx: {role: quasi, hierarchy: icd10cm, separator: "|"}}
    require: [km-anonymity: {k: 5, m: 2}]
    using: apriori
"""


def test_of_codes_the_share_exact_is_that_of_single_codes(tmp_path: Path) -> None:
    """Several codes stand in a cell, in another order than in the source: cells cannot be compared."""
    lists = [("J45.909|I10", "I10|J45.909", "I10")[i % 3] for i in range(30)]
    lists += ["E11.9", "E11.9", "E11.65", "E11.65", "E11.65"]
    (tmp_path / "dx.csv").write_text("who,dx\n" + "".join(f"p{i},{text}\n" for i, text in enumerate(lists)))
    (tmp_path / "policy.yaml").write_text(CODES)
    shown = plan(load(tmp_path / "policy.yaml"), preview=True)["dx"].preview
    assert shown is not None
    codes = next(one for one in shown.columns if one.column == "dx")
    assert (codes.fate, codes.distinct_before, codes.distinct_after) == ("labels", 4, 3)
    assert codes.exact == 50 / 55, "30 times I10, 20 times J45.909; one label for the two codes of diabetes, five times"


def test_columns_of_codes_that_become_one_are_said_to(tmp_path: Path) -> None:
    rows = "".join(f"p{i},I10,J45.909,{('E11.9', '')[i % 2]}\n" for i in range(30))
    (tmp_path / "dx.csv").write_text(f"who,dx1,dx2,dx3\n{rows}")
    columns = ", ".join(f"dx{i}: {{role: quasi, hierarchy: icd10cm}}" for i in (1, 2, 3))
    policy = CODES.replace('dx: {role: quasi, hierarchy: icd10cm, separator: "|"}', columns)
    (tmp_path / "policy.yaml").write_text(policy)
    shown = plan(load(tmp_path / "policy.yaml"), preview=True)["dx"].preview
    assert shown is not None
    fates = [(one.column, one.fate) for one in shown.columns]
    together = [(f"dx{i}", "merged") for i in (1, 2, 3)]
    assert fates == [("who", "not published"), *together, ("codes", "exact")]


def test_a_change_is_tried_once_for_all_lost_columns_and_leaving_one_out_saves_it_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three columns that all differ by person: in one class of all rows each of them is lost."""
    rows = [f"p{i},{i % 7},{i % 5},{i % 3}" for i in range(30)]
    (tmp_path / "people.csv").write_text("\n".join(["who,a,b,c", *rows]) + "\n")
    path = tmp_path / "policy.yaml"
    columns = "{who: subject, a: quasi, b: quasi, c: quasi}"
    path.write_text(re.sub(r"columns: .*", f"columns: {columns}", POLICY).replace("k: 3", "k: 30"))
    tried: list[str] = []
    genuine = relax._Trying._trial

    def counted(self: relax._Trying[Any], what: str, *rest: Any) -> relax._Trial:
        tried.append(what)
        return genuine(self, what, *rest)

    monkeypatch.setattr(relax._Trying, "_trial", counted)
    steps: list[str] = []
    lost = plan(load(path), progress=steps.append)["people"].outcome.lost
    assert [line.split()[0] for line in lost] == ["a", "b", "c"]
    assert len(tried) == len(set(tried)) > 0
    assert not any(f"without column {name}" in line for name, line in zip("abc", lost, strict=True))
    shown = [step for step in steps if "what would save" in step]
    assert len(shown) == len(tried)
    assert all(isinstance(step, ProgressStep) and step.done < step.total for step in shown)
