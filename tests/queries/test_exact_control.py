"""The control of exact answers against brute force over all people, in fractions; and what it cannot protect."""

from __future__ import annotations

import itertools
import time
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.queries.engine import exact_control
from sharewell.queries.engine.exact_control import ExactControl, Rule

Sets = list[NDArray[np.bool_]]


def rank(matrix: list[list[int]]) -> int:
    rows, found = [[Fraction(cell) for cell in row] for row in matrix], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(found, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][column] / rows[found][column]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[found], strict=True)]
        found += 1
    return found


def isolated(told: Sets, persons: int, fewer_than: int) -> bool:
    """Is there a combination of the sums that speaks of fewer people than this?"""
    if not told:
        return False
    matrix = np.array(told).astype(int)
    whole = rank(matrix.tolist())
    return any(
        rank(np.delete(matrix, some, axis=1).tolist()) < whole
        for size in range(1, fewer_than)
        for some in itertools.combinations(range(persons), size)
    )


def random_history(seed: int, persons: int, least: int, asked: int, rule: Rule = "sums") -> tuple[Sets, Sets]:
    """(what was told, what was refused although its size and overlap were allowed)"""
    draw, control = np.random.default_rng(seed), ExactControl(persons, least, rule)
    told: Sets = []
    refused: Sets = []
    for _ in range(asked):
        members = draw.random(persons) < draw.uniform(0.3, 0.7)
        why = control.grant(members)
        if not why:
            told.append(members)
        elif why == "combination":
            refused.append(members)
            assert isolated([*told, members], persons, least), "refused without need"
    return told, refused


@pytest.mark.parametrize(("persons", "least", "seeds"), [(9, 2, 6), (10, 3, 6), (11, 4, 2)])
def test_no_combination_of_granted_sums_speaks_of_few_people(persons: int, least: int, seeds: int) -> None:
    refused = 0
    for seed in range(seeds):
        told, against = random_history(seed, persons, least, 20)
        refused += len(against)
        assert told
        assert not isolated(told, persons, least)
    assert refused, "the audit refused what size and overlap allow, so this test can fail"


def test_cells_of_enough_people_leave_nothing_to_combine() -> None:
    for seed in range(6):
        told, _ = random_history(seed, 12, 3, 30, "cells")
        assert told
        assert not isolated(told, 12, 3)
        _, sizes = np.unique(np.array(told), axis=1, return_counts=True)
        assert sizes.min() >= 3


@pytest.mark.parametrize("rule", ["cells", "sums"])
def test_the_ward_of_ten(rule: Rule) -> None:
    """3 of 10 are positive, 2 of the 9 below 80: the second would tell of the one patient of 80 and more."""
    ward, old = np.arange(40) < 10, np.arange(40) == 4
    control = ExactControl(40, 5, rule)
    assert control.grant(ward) == ""
    assert control.grant(ward & ~old) == "overlap"
    assert control.grant(ward) == "", "the same again is nothing new"
    assert control.grant(np.arange(40) < 4) == control.grant(np.arange(40) < 36) == "size"


def test_a_longer_way_round_is_refused_where_pairs_are_not() -> None:
    """(A and B) + (B and C) + … of blocks of six, in which one person is exchanged by three sums together."""
    blocks = [np.arange(48) // 6 == i for i in range(8)]
    target = np.arange(48) == 0
    control = ExactControl(48, 5, "sums")
    assert control.grant(blocks[1] | blocks[2]) == ""
    assert control.grant(blocks[2] | blocks[3] | target) == ""
    assert control.grant(blocks[3] | blocks[4]) == ""
    assert control.grant(blocks[1] | blocks[4]) == "combination"


def test_groups_are_sets_of_their_own_and_small_ones_are_withheld() -> None:
    ward = np.repeat([0, 1, 2, 3], [20, 15, 2, 3])
    control = ExactControl(40, 5)
    assert control.grant_groups(ward, 5) == ["", "", "size", "size", "size"]
    assert control.grant(ward <= 2) == "size", "37 of 40"
    assert control.grant(np.isin(ward, [1, 2])) == "overlap", "with ward 1 it tells of the two in ward 2"
    assert control.grant(np.isin(ward, [1, 2, 3])) == "", "five in both"


def test_questions_that_cut_too_finely_are_refused_and_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    control = ExactControl(100, 2, "sums")
    monkeypatch.setattr(exact_control, "MOST_NUMBERS", 64 * 4)
    assert control.grant(np.arange(100) < 50) == ""
    with pytest.raises(DataError, match="too many to audit"):
        control.grant_groups(np.arange(100) // 3, 34)
    assert control.grant(np.arange(100) < 50) == ""


@pytest.mark.parametrize(("rule", "least_told"), [("cells", 10), ("sums", 30)])
def test_questions_about_a_hundred_thousand_people_are_fast(rule: Rule, least_told: int) -> None:
    """By three columns, as filters would ask; benchmarked with a thousand, tested with fewer."""
    draw = np.random.default_rng(1)
    ward, sex, age = (draw.integers(0, size, 100_000) for size in (8, 2, 20))
    control, told, start = ExactControl(100_000, 10, rule), 0, time.process_time()
    for _ in range(40):
        low, high = sorted(draw.integers(0, 21, 2).tolist())
        members = np.isin(ward, draw.permutation(8)[: draw.integers(1, 9)]) & (age >= low) & (age < high)
        told += control.grant(members & (sex == draw.integers(0, 2))) == ""
    assert told >= least_told
    assert control.cells <= 8 * 2 * 20 + 1
    assert time.process_time() - start < 8, "0.2 s a question at most"


def determined(told: Sets, values: NDArray[np.int64], worlds: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Who has the same value in every world of zeros and ones that gives these answers?"""
    matrix = np.array(told).astype(np.int64)
    fits = worlds[(worlds @ matrix.T == matrix @ values).all(axis=1)]
    found: NDArray[np.bool_] = (fits == fits[0]).all(axis=0)
    return found


def somebody_determined(rule: Rule | None, seeds: int = 6, persons: int = 12, least: int = 4, asked: int = 12) -> float:
    """How often the answers determine somebody's 0 or 1, over random questions and even chances of 1."""
    worlds = np.array(list(itertools.product((0, 1), repeat=persons)), dtype=np.int64)
    found = []
    for seed in range(seeds):
        draw, control = np.random.default_rng(seed), ExactControl(persons, least, rule or "cells")
        told = [one for one in draw.random((asked, persons)) < 0.5 if rule is None or not control.grant(one)]
        people = (draw.random((40, persons)) < 0.5).astype(np.int64)
        found += [bool(determined(told, one, worlds).any()) for one in people]
    return sum(found) / len(found)


def test_what_zeros_and_ones_give_away_all_the_same() -> None:
    """Said in docs/exact-answers.md: by sums, a linear audit hardly protects zeros and ones; by cells it does."""
    none, sums, cells = (somebody_determined(rule) for rule in (None, "sums", "cells"))  # type: ignore[arg-type]
    assert none == 1.0
    assert 0.7 < sums <= 1.0
    assert cells < 0.15
    worlds = np.array(list(itertools.product((0, 1), repeat=10)), dtype=np.int64)
    first = np.arange(10) < 5
    assert determined([first], np.zeros(10, np.int64), worlds)[:5].all(), "a sum of 0 tells everybody's"
    assert not determined([first], (np.arange(10) == 1).astype(np.int64), worlds).any()


def test_by_cells_nobody_is_determined_unless_a_whole_cell_has_one_value() -> None:
    """Brute force over all worlds of zeros and ones."""
    worlds = np.array(list(itertools.product((0, 1), repeat=12)), dtype=np.int64)
    for seed in range(6):
        draw, (told, _) = np.random.default_rng(seed), random_history(seed, 12, 3, 30, "cells")
        _, cell = np.unique(np.array(told), axis=1, return_inverse=True)
        for values in (draw.random((60, 12)) < 0.4).astype(np.int64):
            sums, sizes = np.bincount(cell.reshape(-1), weights=values), np.bincount(cell.reshape(-1))
            mixed = ((sums > 0) & (sums < sizes))[cell.reshape(-1)]
            assert not (determined(told, values, worlds) & mixed).any()
