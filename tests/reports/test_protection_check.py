"""Tables in which small counts are hidden and the others rounded: what is rounded to 0 is 0, or no small count.

Of a threshold of 2 and multiples of 7, a 0 stands for 0, 2 or 3, never for 1: a table with a 1 in such a cell is none
that a reader has to think of, and proves nothing.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from sharewell.reports import CellProtection, CellSuppression, CountTable, TableInterval
from sharewell.reports.counts.data import HIDDEN, Rounding
from sharewell.reports.counts.engine.table_check import fits
from sharewell.reports.counts.engine.together import judge_together

SEVENS = Rounding(7, "nearest", floor=2)
RULE = CellProtection(threshold=2, rounded=7)


def published(counts: tuple[int, ...], hidden: tuple[int, ...], rounding: Rounding = SEVENS) -> CountTable:
    """One dimension, the total first; `hidden` are places."""
    table = CountTable.of_cells({(str(i),): n for i, n in enumerate(counts)}, ["ward"])
    shown = rounding.of(table.shown)
    shown[list(hidden)] = HIDDEN
    return table.showing(shown, rounding)


def test_a_person_among_those_rounded_to_0_computes_the_count_that_is_hidden() -> None:
    """1 + 2 = 3, shown as ? + 0 = 0. Who is among the 2 knows that it is no 0, so 2 at least, and the rest is 1."""
    table = published((1, 2), hidden=(1,))
    assert RULE.check(table).value == 1
    assert CellProtection(threshold=2, rounded=7, readers="outsiders").check(table).ok  # 1 + 2, 2 + 0 or 3 + 0
    assert RULE.check(published((1, 2), hidden=(0, 1))).ok


def test_tables_with_a_small_count_in_a_shown_cell_do_not_fit() -> None:
    table = published((1, 2), hidden=(1,))
    assert fits(table, np.array([3, 1, 2]))
    assert fits(table, np.array([2, 2, 0]))
    assert not fits(table, np.array([3, 2, 1]))
    assert not fits(table, np.array([1, 1, 0]))


def test_the_attack_knows_that_no_small_count_is_shown() -> None:
    """2 + 0 = 2, shown as ? + 0 = 0: of multiples of 5 a 0 is 0 or 2. The total is no 0, and 1 + 1 cannot be shown."""
    fives = Rounding(5, "nearest", floor=2)
    assert TableInterval().mount(published((2, 0), (1,), fives)).value == 1.0
    assert TableInterval().mount(published((2, 0), (0, 1), fives)).value == 0.0


def test_two_tables_agree_in_numbers_that_may_be_shown() -> None:
    """The same three persons by ward and by sex: alone, the 1 of three is in doubt; the two totals are one."""
    wards = published((1, 2), hidden=(0, 1))
    assert RULE.check(wards).ok
    sexes = CountTable.of_cells({("f",): 3, ("m",): 0}, ["sex"])
    sexes = sexes.showing(SEVENS.of(sexes.shown), SEVENS)
    assert RULE.check(sexes).ok
    assert judge_together({"w": wards, "s": sexes}, {"w": [RULE], "s": [RULE]}).ok is False


def plainly_safe(counts: tuple[int, ...], hidden: tuple[int, ...], rounding: Rounding) -> bool:
    """Every reader's every table, tried one after the other. Totals are not small."""
    values = (sum(counts), *counts)
    tables = [(sum(one), *one) for one in product(range(12), repeat=len(counts))]
    for place, value in enumerate(values):
        tables = [one for one in tables if _agrees(one[place], value, place in hidden, rounding)]
    for unsafe in [place for place, value in enumerate(values) if 0 < value < rounding.floor]:
        for reader in (place for place, value in enumerate(values) if value):  # of the total: not less than an outsider
            left = [one[unsafe] for one in tables if one[reader] >= 1]
            if min(left) > 1 or max(left) < max(2, rounding.floor - 1):
                return False
    return True


def _agrees(number: int, value: int, hidden: bool, rounding: Rounding) -> bool:
    if hidden:
        return number >= 1
    base = rounding.base
    near = [(one + base // 2) // base for one in (number, value)]
    return near[0] == near[1] and not 0 < number < rounding.floor


@pytest.mark.parametrize(("base", "floor"), [(7, 2), (9, 3)])
def test_rounded_tables_with_hidden_cells_by_all_tables_that_agree(base: int, floor: int) -> None:
    rounding, rule = Rounding(base, "nearest", floor), CellProtection(threshold=floor, rounded=base)
    asked: list[Any] = []
    for counts in product(range(6), repeat=2):
        values = (sum(counts), *counts)
        small = [i for i, value in enumerate(values) if 0 < value < floor]
        if not small or 0 in small:
            continue
        others = [i for i, value in enumerate(values) if value >= floor]
        for many in range(len(others) + 1):
            for more in combinations(others, many):
                hidden = (*small, *more)
                asked.append(plainly_safe(counts, hidden, rounding))
                assert rule.check(published(counts, hidden, rounding)).ok is asked[-1], (counts, hidden)
    assert {*asked} == {True, False}


def test_what_the_mechanism_publishes_holds_and_says_how_it_was_rounded() -> None:
    """Two by two by two, threshold 2 and multiples of 6: hiding the 1 alone leaves one single table."""
    counts = (2, 2, 2, 3, 3, 1, 0, 2)
    cells: Any = dict(zip(product("ab", "cd", "ef"), counts, strict=True))
    table, rule = CountTable.of_cells(cells, ["x", "y", "z"]), CellProtection(threshold=2, rounded=6)
    rounding = Rounding(6, "nearest", floor=2)
    alone = table.showing(np.where(table.shown == 1, HIDDEN, rounding.of(table.shown)), rounding)
    assert rule.check(alone).value == 1
    released = CellSuppression(exact=0).protect(table, [rule]).data
    assert released.rounding == rounding
    assert rule.check(released).ok
    assert released.hidden.sum() > 1


def test_small_sums_of_many_persons_are_shown() -> None:
    """The threshold is one of persons: a sum of 2 that five persons make is rounded like any other."""
    parts = {"a": [5] * 8, "b": [1, 1, 0, 0, 0], "c": [30, 30], "d": [10] * 6}
    keys = [(name,) for name, amounts in parts.items() for _ in amounts]
    amounts = [amount for some in parts.values() for amount in some]
    given = (keys, list(range(len(keys))), amounts)
    table = CountTable.of_cells({(k,): sum(v) for k, v in parts.items()}, ["ward"], given=given, value="pay")
    rule = CellProtection(threshold=3, rounded=10)
    released = CellSuppression().protect(table, [rule]).data
    assert rule.check(released).ok
    assert released.shown[2] == 0
