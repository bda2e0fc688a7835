"""Several tables of the same people: what they tell together, against every set of people that could be behind them."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import Infeasible
from sharewell.hierarchy import from_spec
from sharewell.keys import Key
from sharewell.reports import CellProtection, CellSuppression, ControlledRounding, CountTable, tabulate
from sharewell.reports.counts.data import HIDDEN
from sharewell.reports.counts.engine.dimensions import Dimension
from sharewell.reports.counts.engine.together import PublishedRecords, judge_together

COLUMNS = ("a", "b", "c")
SORTS = list(product("01", repeat=3))
"""Every sort of person: three columns of two values."""
CHOICES = (("a", "b"), ("b", "c"), ("a", "c"), ("a",), ("b",), ("c",), ("a", "b", "c"))
KEY = Key(b"a secret for tables, long enough")


def _all_people(most: int) -> np.ndarray:
    """How many of each sort there may be, up to so many people in all."""
    rows = [np.zeros((1, 0), np.int64)]
    for _ in SORTS:
        last = rows[-1]
        more = [np.hstack([last, np.full((len(last), 1), n)]) for n in range(most + 1)]
        joined = np.vstack(more)
        rows.append(joined[joined.sum(axis=1) <= most])
    return rows[-1]


PEOPLE = _all_people(9)


def cell_of(table: CountTable, place: int, codes: dict[str, str]) -> bool:
    """Is a person with these values in the cell? From the meaning of the categories alone."""
    where = np.unravel_index(place, table.shape)
    for dimension, at in zip(table.dimensions, where, strict=True):
        step = dimension.place[codes[dimension.name]]
        while step not in (-1, at):
            step = dimension.parents[step]
        if step != at:
            return False
    return True


def counts(table: CountTable) -> np.ndarray:
    """Of each cell, in every set of people."""
    sorts = [dict(zip(COLUMNS, sort, strict=True)) for sort in SORTS]
    known = [{name: {*dimension.codes} for name, dimension in _named(table).items()}]
    inside = np.array(
        [
            [
                all(codes[name] in known[0][name] for name in known[0]) and cell_of(table, place, codes)
                for codes in sorts
            ]
            for place in range(table.size)
        ]
    )
    outside = np.array([[any(codes[name] not in known[0][name] for name in known[0])] for codes in sorts]).ravel()
    found = PEOPLE @ inside.T
    found[(PEOPLE[:, outside] > 0).any(axis=1)] = -1  # nobody has a value that the table does not list
    return found


def _named(table: CountTable) -> dict[str, Dimension]:
    return {one.name: one for one in table.dimensions}


def agreeing(table: CountTable, numbers: np.ndarray) -> np.ndarray:
    """Sets of people whose counts are those published: written from what shown, empty and −k mean."""
    fine = (numbers >= 0).all(axis=1)
    for place, shown in enumerate(table.shown.tolist()):
        if shown == HIDDEN:
            fine &= numbers[:, place] >= 1
        elif shown < 0:
            fine &= (numbers[:, place] >= 1) & (numbers[:, place] < -shown)
        else:
            fine &= numbers[:, place] == shown
    return fine


def frame(people: list[tuple[str, ...]], rows_each: int = 1) -> pa.Table:
    """Several rows a person, all with the same values."""
    every = [(f"p{i}", *one) for i, one in enumerate(people) for _ in range(rows_each)]
    return pa.table({name: [row[i] for row in every] for i, name in enumerate(("who", *COLUMNS))})


def too_tight(tables: dict[str, CountTable], limit: int) -> int:
    """Small counts that everything published leaves less open than the rule asks for, by trying all people."""
    numbers = {name: counts(table) for name, table in tables.items()}
    fine = np.logical_and.reduce([agreeing(table, numbers[name]) for name, table in tables.items()])
    found = 0
    for name, table in tables.items():
        values = table.truth.values
        for place in np.flatnonzero((values > 0) & (values < limit)):
            possible = numbers[name][fine][:, place]
            found += possible.max() - possible.min() < max(limit - 2, 1)
    return found


people = st.lists(st.sampled_from(SORTS), min_size=2, max_size=6)
chosen = st.lists(st.sampled_from(CHOICES), min_size=2, max_size=3, unique=True)


@settings(max_examples=50, deadline=None)
@given(people, chosen, st.integers(1, 3), st.sampled_from((2, 3)), st.data())
def test_no_two_tables_give_a_hidden_count_away(who: Any, dims: Any, rows: int, limit: int, data: Any) -> None:
    """Whatever is hidden, at random or by the mechanism: what is accepted stays open in all sets of people."""
    rule = CellProtection(threshold=limit)
    tables = {}
    for number, names in enumerate(dims):
        table = tabulate(frame(who, rows), list(names), subject="who")
        if data.draw(st.booleans()):
            try:
                tables[str(number)] = CellSuppression().protect(table, [rule]).data
                continue
            except Infeasible:
                pass
        free = data.draw(st.lists(st.booleans(), min_size=table.size, max_size=table.size))
        hidden = (np.array(free) | (table.shown < limit)) & (table.shown > 0)
        tables[str(number)] = table.showing(np.where(hidden, HIDDEN, table.shown))
    found = judge_together(tables, {name: [rule] for name in tables})
    if found.ok:
        assert too_tight(tables, limit) == 0
    public = {name: CountTable(one.dimensions, one.shown) for name, one in tables.items()}
    alone = judge_together(public, {name: [rule] for name in tables})
    assert alone.ok is not True
    if alone.value:
        assert not found.ok


def test_what_is_safe_is_accepted_and_what_is_not_is_refused() -> None:
    """Against brute force both ways: the judgement is not safe by refusing everything."""
    draw = np.random.default_rng(4)
    accepted = refused = 0
    for _ in range(30):
        who = [SORTS[i] for i in draw.integers(0, 8, draw.integers(3, 7))]
        rule = CellProtection(threshold=3)
        tables = {}
        for number, names in enumerate([("a", "b"), ("b", "c"), ("a", "c")][: draw.integers(2, 4)]):
            table = tabulate(frame(who), list(names), subject="who")
            hidden = (draw.random(table.size) < 0.9) & (table.shown > 0) | ((table.shown > 0) & (table.shown < 3))
            tables[str(number)] = table.showing(np.where(hidden, HIDDEN, table.shown))
        found = judge_together(tables, {name: [rule] for name in tables})
        assert found.ok is not None
        accepted += bool(found.ok)
        refused += not found.ok
        if found.ok:
            assert too_tight(tables, 3) == 0
        elif found.details.undecided == 0 and all(rule.check(one).ok for one in tables.values()):
            assert found.value
    assert accepted > 2
    assert refused > 2


def illness(shown: list[int]) -> CountTable:
    return CountTable.of_cells({("cold",): 30, ("flu",): 20, ("gout",): 3}, ["illness"]).showing(np.array(shown))


RULE = CellProtection(threshold=5)
HALF = illness([HIDDEN, 30, 20, HIDDEN])


def test_a_total_that_another_table_shows_gives_the_hidden_count() -> None:
    ward = CountTable.of_cells({("A",): 25, ("B",): 28}, ["ward"])
    assert RULE.check(HALF).ok
    assert RULE.check(ward).ok
    found = judge_together({"one": HALF, "two": ward}, {"one": [RULE], "two": [RULE]})
    assert (found.ok, found.value, found.details.unsafe) == (False, 1, 1)
    assert [(part.column, part.value) for part in found.parts] == [("one", 1), ("two", 0)]
    hidden = ward.showing(np.where(ward.leaves, ward.shown, HIDDEN))
    assert judge_together({"one": HALF, "two": hidden}, {"one": [RULE], "two": [RULE]}).failed
    both = ward.showing(np.array([HIDDEN, HIDDEN, 28]))
    assert judge_together({"one": HALF, "two": both}, {"one": [RULE], "two": [RULE]}).ok
    assert judge_together({"one": HALF}, {"one": [RULE]}).ok


def test_without_true_cells_only_what_surely_fails_is_found() -> None:
    ward = CountTable.of_cells({("A",): 25, ("B",): 28}, ["ward"])
    public = CountTable(HALF.dimensions, HALF.shown)
    assert judge_together({"one": public, "two": ward}, {"one": [RULE]}).ok is False
    both = ward.showing(np.array([HIDDEN, HIDDEN, 28]))
    found = judge_together({"one": public, "two": both}, {"one": [RULE]})
    assert found.ok is None
    assert "steward" in found.note


def test_three_tables_in_a_circle_are_read_as_one() -> None:
    """Each two of them agree in many ways; all three leave fewer. Values are small enough to be tried one by one."""
    who = [("0", "0", "0"), ("1", "1", "1"), ("0", "1", "0"), ("1", "0", "1"), ("0", "0", "1")]
    rule = CellProtection(threshold=2)
    tables = {}
    for names in (("a", "b"), ("b", "c"), ("a", "c")):
        table = tabulate(frame(who), list(names), subject="who")
        tables["".join(names)] = table.showing(np.where(table.leaves & (table.shown > 0), HIDDEN, table.shown))
    found = judge_together(tables, {name: [rule] for name in tables})
    assert found.ok is not None
    assert bool(found.ok) == (too_tight(tables, 2) == 0)


def test_a_coarser_table_is_one_of_the_same_column() -> None:
    wards = Dimension.of("ward", {"A1": ("A",), "A2": ("A",), "B": ()})
    fine = CountTable.of_cells({("A1",): 3, ("A2",): 20, ("B",): 30}, [wards])
    shown = {"A": HIDDEN, "A1": HIDDEN, "A2": 20, "B": 30, "*": HIDDEN}
    fine = fine.showing(np.array([shown[code] for code in wards.codes]))
    coarse = CountTable.of_cells({("A",): 23, ("B",): 30}, ["ward"])
    assert RULE.check(fine).ok
    assert judge_together({"fine": fine, "coarse": coarse}, {"fine": [RULE]}).ok is False
    other = CountTable.of_cells({("A1 and B",): 33, ("A2",): 20}, ["ward"])
    found = judge_together({"fine": fine, "other": other}, {"fine": [RULE]})
    assert found.ok is None
    assert "column ward" in found.note


def test_tables_of_other_people_are_undecided() -> None:
    other = CountTable.of_cells({("A",): 5, ("B",): 8}, ["ward"])
    found = judge_together({"one": HALF, "two": other}, {"one": [RULE]})
    assert found.ok is None
    assert "no people could be behind all of them" in found.note


def test_tables_of_overlapping_files_are_subtracted_too() -> None:
    """North and south in one table, north alone in another: what is hidden of the south is the difference."""
    both = CountTable.of_cells({("cold",): 30, ("flu",): 23}, ["illness"])
    north = CountTable.of_cells({("cold",): 30, ("flu",): 20}, ["illness"])
    south = CountTable.of_cells({("flu",): 3}, ["illness"]).showing(np.array([HIDDEN, HIDDEN]))
    rules = {"south": [RULE]}
    files = {"both": frozenset({"n", "s"}), "north": frozenset({"n"}), "south": frozenset({"s"})}
    assert RULE.check(south).ok
    found = judge_together({"both": both, "north": north, "south": south}, rules, people=files)
    assert found.ok is not None  # a person may stand in both files: 3 to 23
    assert judge_together({"both": both, "south": south}, rules, people=files).ok
    with_none = CountTable.of_cells({("cold",): 30}, ["illness"])
    tables = {"both": CountTable.of_cells({("cold",): 30, ("flu",): 3}, ["illness"]), "north": with_none}
    assert judge_together(tables | {"south": south}, rules, people=files).ok is False


def test_counts_and_sums_of_the_same_people() -> None:
    """Two tables of costs: the first hides a sum and its total, the second shows the total."""
    cells = {("cold",): [40, 41, 42], ("flu",): [30, 31, 32], ("gout",): [50, 2]}
    given = [(cell, amount) for cell, amounts in cells.items() for amount in amounts]
    keys, amounts = [cell for cell, _ in given], [amount for _, amount in given]
    totals = {cell: sum(values) for cell, values in cells.items()}
    table = CountTable.of_cells(totals, ["illness"], given=(keys, [*range(8)], amounts), value="cost")
    rule = CellProtection(p=10)
    half = table.showing(np.array([HIDDEN, 123, 93, HIDDEN]))
    assert rule.check(half).ok
    wards = [("A",), ("A",), ("A",), ("A",), ("B",), ("B",), ("B",), ("B",)]
    by_ward: dict[Any, int] = {}
    for ward, amount in zip(wards, amounts, strict=True):
        by_ward[ward] = by_ward.get(ward, 0) + amount
    ward = CountTable.of_cells(by_ward, ["ward"], given=(wards, [*range(8)], amounts), value="cost")
    assert judge_together({"one": half, "two": ward}, {"one": [rule]}).ok is False
    hidden = ward.showing(np.array([HIDDEN, HIDDEN, ward.shown[2]]))
    assert judge_together({"one": half, "two": hidden}, {"one": [rule]}).ok
    persons = CountTable.of_cells({("cold",): 3, ("flu",): 3, ("gout",): 2}, ["illness"])
    assert judge_together({"one": half, "counts": persons}, {"one": [rule]}).ok


def records(values: list[str], **options: Any) -> PublishedRecords:
    facts = {"illness": {"role": "quasi", **options.pop("facts", {})}}
    return PublishedRecords(pa.table({"illness": values}), facts, one_row_each=True, **options)


def test_records_beside_counts() -> None:
    """Exact cells, sets and withheld persons; what cannot be read is undecided."""
    exact = ["cold"] * 30 + ["flu"] * 20
    assert judge_together({"one": HALF}, {"one": [RULE]}, records={"r": records(exact)}).ok
    three = records([*exact, *["gout"] * 3])
    assert judge_together({"one": HALF}, {"one": [RULE]}, records={"r": three}).ok is False  # 3 or more: not 1 or 2
    known = records([*exact, *["gout"] * 3], withheld=0)
    assert judge_together({"one": HALF}, {"one": [RULE]}, records={"r": known}).ok is False
    sets = records(["{cold,gout}"] * 33 + ["flu"] * 20, withheld=0)
    assert judge_together({"one": HALF}, {"one": [RULE]}, records={"r": sets}).ok is False  # 30 of the 33 are shown
    wide = illness([HIDDEN, HIDDEN, 20, HIDDEN])
    assert judge_together({"one": wide}, {"one": [RULE]}, records={"r": sets}).ok
    assert judge_together({"one": wide}, {"one": [RULE]}, records={"r": records(["*"] * 53, withheld=0)}).ok
    means = records(["1.5"] * 53, facts={"style": "mean"})
    assert judge_together({"one": HALF}, {"one": [RULE]}, records={"r": means}).ok is None
    assert judge_together({"one": HALF}, {"one": [RULE]}, records={"r": records(["x"] * 53)}).ok is None
    twice = PublishedRecords(pa.table({"illness": exact}), {"illness": {"role": "quasi"}}, one_row_each=False)
    found = judge_together({"one": HALF}, {"one": [RULE]}, records={"r": twice})
    assert found.ok is None
    assert "publish one of the two" in found.note


@pytest.mark.parametrize(
    ("spec", "values", "texts"),
    [
        (None, ["20", "25", "31"], ["[20-25]", "[20-25]", "31"]),
        ("prefix", ["021", "025", "310"], ["02*", "02*", "310"]),
        (None, ["2020-01-31", "2020-03-01", "2021-01-01"], ["[2020-01-01..2020-12-31]"] * 2 + ["2021-01-01"]),
    ],
)
def test_generalised_cells_cover_what_they_say(spec: Any, values: list[str], texts: list[str]) -> None:
    """Two of a kind, then one: the third is known, the first two only together."""
    table = CountTable.of_cells({(value,): 1 for value in values}, ["x"])
    hidden = table.showing(np.full(table.size, HIDDEN))
    facts = {"x": {"role": "quasi"} | ({"hierarchy": spec} if spec else {})}
    trees = {"x": from_spec(spec, None)} if spec else {}
    rule = CellProtection(threshold=2)
    made = PublishedRecords(pa.table({"x": texts}), facts, one_row_each=True, trees=trees, withheld=0)
    assert judge_together({"one": hidden}, {"one": [rule]}, records={"r": made}).value == 1 + 2
    open_ended = PublishedRecords(pa.table({"x": texts}), facts, one_row_each=True, trees=trees)
    assert judge_together({"one": hidden}, {"one": [rule]}, records={"r": open_ended}).ok


def test_rounded_tables_are_judged_against_persons_inside_too() -> None:
    rows = [("0", "0", "0")] * 4 + [("1", "1", "1")] * 7 + [("0", "1", "1")] * 2
    rule = CellProtection(threshold=5)
    tables = {}
    for names in (("a", "b"), ("b", "c")):
        table = tabulate(frame(rows), list(names), subject="who")
        tables["".join(names)] = ControlledRounding(base=10).protect(table, [rule], KEY).data
    found = judge_together(tables, {name: [rule] for name in tables})
    assert found.ok is not None
    assert found.details.readers > 1


def test_too_much_is_undecided_and_says_what_to_do() -> None:
    names = ("a", "b", "c")
    tables = {}
    for one, other in (("a", "b"), ("b", "c"), ("a", "c")):
        cells = {(f"{one}{i}", f"{other}{j}"): 3 + (i * j) % 5 for i in range(30) for j in range(30)}
        table = CountTable.of_cells(cells, [one, other])
        tables[one + other] = table.showing(np.where(table.leaves, HIDDEN, table.shown))
    found = judge_together(tables, {name: [RULE] for name in tables})
    assert found.ok is None
    assert "publish one table of all dimensions" in found.note
    assert len(names) == found.details.tables
