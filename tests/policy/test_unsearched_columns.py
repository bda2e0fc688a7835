"""A text beside a table is searched for names and dates whatever their columns are called, or the policy is refused."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from sharewell.errors import PolicyError
from sharewell.policy import check

POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  visits:
    kind: tables
    read: {csv: visits.csv}
    columns: {who: subject, seen: SEEN, age: quasi, note: TEXT}
    using: mondrian
    require: [k-anonymity: {k: 2}]
write: {csv: out}
"""
NAMES = [f"{last}, {first}" for last in ("Okonkwo", "Brzezicki", "Quispe", "Haugland") for first in ("Zoë", "Tarek")]


def _policy(directory: Path, who: list[str], seen: str = "drop", text: str = "text") -> Path:
    draw = random.Random(1)
    rows = [
        f'"{who[i % len(who)]}",{draw.randint(2018, 2022)}-0{draw.randint(1, 9)}-1{draw.randint(0, 9)},'
        f"{draw.randint(20, 80)},stable"
        for i in range(60)
    ]
    (directory / "visits.csv").write_text("who,seen,age,note\n" + "\n".join(rows) + "\n")
    path = directory / "policy.yaml"
    path.write_text(POLICY.replace("SEEN", seen).replace("TEXT", text))
    return path


def _refused(path: Path) -> str:
    with pytest.raises(PolicyError) as refused:
        check(path)
    [mistake] = refused.value.mistakes
    assert mistake.where == "datasets.visits.columns.note"
    return f"{mistake.what} — {mistake.hint}"


def test_names_that_tell_persons_apart_must_be_searched_for(tmp_path: Path) -> None:
    said = _refused(_policy(tmp_path, NAMES))
    assert "not searched for who" in said
    line = said.partition("write ")[2].partition(" beside")[0]
    assert line == "known: {names: [who]}"
    check(_policy(tmp_path, NAMES, text=f"{{role: text, {line}}}"))


def test_numbers_of_persons_need_not_be(tmp_path: Path) -> None:
    check(_policy(tmp_path, [f"P{i:04}" for i in range(40)]))


def test_dates_that_are_generalised_must_be_searched_for(tmp_path: Path) -> None:
    numbers = [f"P{i:04}" for i in range(40)]
    assert "seen holds dates" in _refused(_policy(tmp_path, numbers, seen="quasi"))
    check(_policy(tmp_path, numbers, seen="{role: quasi, type: date}"))
    check(_policy(tmp_path, numbers, seen="quasi", text="{role: text, agrees_with_table: false}"))
