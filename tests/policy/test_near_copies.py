"""Files that are almost copies of one another are told of in a plan, a release and its dossier."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from sharewell.cli import main
from sharewell.policy import check
from sharewell.policy.near_copies import near_copies

DATASET = """\
  {name}:
    kind: tables
    read: {{csv: {name}.csv}}
    columns: {{{subject}: subject, {age}: {{role: quasi, type: number}}, sex: quasi, ward: drop}}
    require: [k-anonymity: {{k: 2}}]
    using: mondrian
"""
DICE = random.Random(5)
ROWS = [f"p{i},{DICE.randint(18, 99)},{'FM'[i % 2]},w{DICE.randint(1, 9)}" for i in range(60)]
OTHERS = [f"q{i},{DICE.randint(18, 99)},{'FM'[i % 2]},w{DICE.randint(1, 9)}" for i in range(60)]


def policy(place: Path, second: list[str], subject: str = "who", age: str = "years") -> Path:
    (place / "one.csv").write_text("\n".join(["person,age,sex,ward", *ROWS]) + "\n")
    (place / "two.csv").write_text("\n".join([f"{subject},{age},sex,ward", *second]) + "\n")
    datasets = DATASET.format(name="one", subject="person", age="age")
    datasets += DATASET.format(name="two", subject=subject, age=age)
    path = place / "policy.yaml"
    path.write_text(f"sharewell: 1\nrelease: {{name: r}}\ndatasets:\n{datasets}write: {{csv: out}}\n")
    return path


def numbered_anew(rows: list[str]) -> list[str]:
    return [f"x{i},{row.partition(',')[2]}" for i, row in enumerate(rows)]


@pytest.mark.parametrize("subject", ["who", "person"])
def test_a_file_with_a_row_less_and_other_numbers_is_told_of(tmp_path: Path, subject: str) -> None:
    [caution] = near_copies(check(policy(tmp_path, numbered_anew(ROWS[1:]), subject)))
    assert caution.startswith("one and two read different files, but ")
    alike = int(caution.split("but ")[1].split(" of ")[0])
    once = sum(ROWS_BY_CONTENT.count(row) == 1 for row in ROWS_BY_CONTENT[1:])
    assert alike == once
    assert "of 59 rows of two.csv are in one.csv too, by 3 columns" in caution


ROWS_BY_CONTENT = [row.partition(",")[2] for row in ROWS]


@pytest.mark.parametrize(
    "second",
    [OTHERS, ROWS[1:], ROWS, OTHERS[:50] + ROWS[:10]],
    ids=["other people", "the same people by name", "a copy, which is judged as one", "few in common"],
)
def test_other_people_and_people_known_by_name_are_not(tmp_path: Path, second: list[str]) -> None:
    assert near_copies(check(policy(tmp_path, second))) == ()


def test_plan_release_and_dossier_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(policy(tmp_path, numbered_anew(ROWS[1:])))
    assert main(["plan", path]) == 0
    assert "caution  one and two read different files, but " in capsys.readouterr().out
    assert main(["release", path]) == 0
    assert "caution  one and two read different files, but " in capsys.readouterr().out
    dossier = (tmp_path / "out" / "r" / "internal" / "dossier.html").read_text(encoding="utf-8")
    assert "Files that look alike" in dossier
    for file in (tmp_path / "out" / "r" / "public").iterdir():
        assert b"read different files" not in file.read_bytes()
