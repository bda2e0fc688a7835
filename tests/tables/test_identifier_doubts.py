"""Do persons have the same names in two files? Shuffled names are noticed, changed values are not mistaken for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sharewell.people_evidence import PeopleEvidence, comparable
from sharewell.tables import KAnonymity, Table
from sharewell.tables.criteria.composition import judge_composition
from sharewell.tables.engine.checks.identifier_doubts import agreement, identifier_doubts
from sharewell.tables.engine.checks.joint_classes import LinkedTable

TOWNS, ILLNESSES = ("Arles", "Bonn", "Cork", "Delft"), ("flu", "gout", "asthma")


def people(count: int, seed: int) -> list[tuple[int, str, str]]:
    rng = np.random.default_rng(seed)
    return [(int(rng.integers(20, 80)), str(rng.choice(TOWNS)), str(rng.choice(ILLNESSES))) for _ in range(count)]


def linked(title: str, rows: list[tuple[int, str, str]], names: list[str], width: int = 10) -> LinkedTable:
    ages = [f"[{width * (age // width)}-{width * (age // width) + width - 1}]" for age, _, _ in rows]
    frame = pa.table({"age": ages, "town": [row[1] for row in rows], "illness": [row[2] for row in rows]})
    data = Table.of(frame, quasi=["age", "town"], sensitive=["illness"], published=True)
    return LinkedTable(title, data, PeopleEvidence("who", "", pa.array(names), np.arange(len(rows))))


def alike(one: LinkedTable, other: LinkedTable) -> float | None:
    ours, theirs = comparable(one, other)
    result = agreement(one, other, ours, theirs)
    return None if result is None else result.over_all


def plain(one: list[Any], other: list[Any], width: int = 10) -> float:
    """The same by a count of all pairs."""
    more = most = 0.0
    for column in range(3):
        cells = [[row[column] // width if column == 0 else row[column] for row in rows] for rows in (one, other)]
        observed = np.mean([a == b for a, b in zip(*cells, strict=True)])
        chance = np.mean([a == b for a in cells[0] for b in cells[1]])
        more, most = more + observed - chance, most + 1 - chance
    return float(more / most)


@pytest.mark.parametrize("seed", range(20))
def test_agreement_is_that_of_a_plain_count(seed: int) -> None:
    rows, rng = people(30, seed), np.random.default_rng(seed)
    names = [f"p{i}" for i in range(30)]
    changed = [rows[int(rng.integers(0, 30))] if rng.random() < seed / 20 else row for row in rows]
    assert alike(linked("one", rows, names), linked("two", changed, names)) == pytest.approx(plain(rows, changed))


@pytest.mark.parametrize("seed", range(20))
def test_shuffled_names_are_noticed_and_a_year_is_not(seed: int) -> None:
    rows = people(60, seed)
    names = [f"p{i}" for i in range(60)]
    shuffled = [names[i] for i in np.random.default_rng(seed).permutation(60)]
    older = [(age + 1, town, illness) for age, town, illness in rows]
    first = linked("one", rows, names)
    assert identifier_doubts([first, linked("two", older, names)]) == []
    (doubt,) = identifier_doubts([first, linked("two", older, shuffled)])
    assert "look like different people in one and two" in doubt
    told = [replace(one, same_identifiers=True) for one in (first, linked("two", older, shuffled))]
    assert identifier_doubts(told) == []


@pytest.mark.parametrize("seed", range(20))
def test_lines_of_two_sorted_files_are_not_persons(seed: int) -> None:
    """Sorted by town and age, line by line they agree in these; not in the illness."""
    rows, rng = people(100, seed), np.random.default_rng(seed)
    lines = [str(i) for i in range(100)]
    again = sorted((rows[i] for i in rng.permutation(100)), key=lambda row: (row[1], row[0]))
    first = linked("one", sorted(rows, key=lambda row: (row[1], row[0])), lines)
    shuffled = [(age, town, again[int(i)][2]) for (age, town, _), i in zip(again, rng.permutation(100), strict=True)]
    assert (alike(first, linked("two", shuffled, lines)) or 0) > 0.5
    assert identifier_doubts([first, linked("two", shuffled, lines)])


def test_a_doubt_does_not_hide_what_fails() -> None:
    """Of three persons one is in both tables, alone."""
    rows = people(3, 1)
    first, second = linked("one", rows, ["a", "b", "t"], 100), linked("two", rows, ["t", "c", "d"], 100)
    assert "newcomers, or renumbered" in identifier_doubts([first, second])[0]
    asked = {"one": [KAnonymity(2)], "two": [KAnonymity(2)]}
    assert judge_composition([first, second], asked).ok is False


def test_cells_that_say_nothing_raise_no_doubt() -> None:
    rows = [(20, "Arles", "flu")] * 30
    names = [f"p{i}" for i in range(30)]
    assert alike(linked("one", rows, names), linked("two", rows, names[::-1])) is None


def test_persons_whose_records_show_several_towns_say_nothing_about_towns() -> None:
    """Each has two records in other towns, so the town is not compared; age and illness are."""
    rows = people(40, 3)
    names = [f"p{i}" for i in range(40)]
    elsewhere = [(age, TOWNS[(TOWNS.index(town) + 1) % 4], illness) for age, town, illness in rows]
    assert alike(linked("twice", rows + elsewhere, names + names), linked("one", rows, names)) == pytest.approx(1)
    apart = [(age, TOWNS[(TOWNS.index(town) + 2) % 4], illness) for age, town, illness in rows]
    assert (alike(linked("other", apart, names), linked("one", rows, names)) or 0) < 0.8
