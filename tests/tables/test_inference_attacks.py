"""Attacks that infer: minimality, deFinetti and accidental identifiers, against brute force from their definitions."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import Infeasible
from sharewell.protocols import Truth
from sharewell.tables import (
    AccidentalIdentifiers,
    AlphaKAnonymity,
    DeFinetti,
    KAnonymity,
    LDiversity,
    Minimality,
    Mondrian,
    Noise,
    Table,
    TopDown,
)
from sharewell.tables.attacks.minimality import Belief
from sharewell.testing import check_attack

FRAME = pa.table(
    {
        "who": ["anna", "anna", "bert", "carl", "dora", "dora", "emil"],
        "age": ["young", "young", "young", "aged", "aged", "aged", "aged"],
        "illness": ["influenza", "asthma", "asthma", "asthma", "influenza", "measles", "measles"],
        "ward": ["north", "north", "south", "north", "north", "south", "south"],
    }
)


def opened(frame: Any, **more: Any) -> Table:
    return Table.of(frame, quasi=["age"], sensitive=["illness"], subject="who", keep=["ward"], **more)


@pytest.mark.parametrize("attack", [AccidentalIdentifiers(), DeFinetti(), DeFinetti(rounds=1)])
def test_they_keep_the_contract(attack: Any) -> None:
    check_attack(attack, opened, FRAME)
    assert attack.mount(opened(FRAME.slice(0, 0))).value is None


# Several records a person, few values: small enough for every order of every class.
people = st.lists(
    st.tuples(st.sampled_from("ABCDE"), st.sampled_from([20, 30, 40]), st.sampled_from("xyz"), st.sampled_from("pqr")),
    min_size=3,
    max_size=6,
)


def as_table(rows: list[tuple[str, int, str, str]], subject: bool = True) -> Table:
    who, age, ill, ward = (list(column) for column in zip(*rows, strict=True))
    frame = pa.table({"who": who, "age": age, "ill": ill, "ward": ward})
    named = {"subject": "who"} if subject else {"drop": ["who"]}
    return Table.of(frame, quasi=["age"], sensitive=["ill"], keep=["ward"], **named)  # type: ignore[arg-type]


def content(table: Table) -> list[tuple[str, ...]]:
    columns = (*table.quasi, *table.sensitive)
    return sorted(zip(*([c.texts[code] for code in c.codes] for c in columns), strict=True))


def posterior(rows: list[Any], released: Any, mechanism: Any, must: list[Any], subject: bool) -> float | None:
    """By definition: all orders of the values in each class, those that give the release, the share with a value."""
    classes = released.data.classes
    parts = [released.rows[classes.order[a:b]].tolist() for a, b in pairwise(classes.starts)]
    worlds: list[list[Any]] = [list(rows)]
    for part in parts:
        values = set(permutations([rows[i][2] for i in part]))
        worlds = [
            [(*row[:2], dict(zip(part, order, strict=True)).get(i, row[2]), row[3]) for i, row in enumerate(world)]
            for world in worlds
            for order in values
        ]
    left = []
    for world in worlds:
        try:
            again = mechanism.protect(as_table(world, subject), must)
        except Infeasible:
            continue
        if content(again.data) == content(released.data):
            left.append(world)
    chances = [0.0]
    for part in parts:
        if len({rows[i][2] for i in part}) > 1:
            persons = {rows[i][0] if subject else str(i) for i in part}
            for person in persons:
                own = [i for i in part if (rows[i][0] if subject else str(i)) == person]
                for value in {rows[i][2] for i in part}:
                    chances.append(sum(any(world[i][2] == value for i in own) for world in left) / len(left))
    return max(chances)


@settings(max_examples=25, deadline=None)
@given(people, st.booleans(), st.sampled_from(["l", "alpha"]), st.sampled_from([Mondrian(), TopDown()]))
def test_minimality_is_the_share_of_worlds_that_give_the_release(
    rows: list[Any], subject: bool, rule: str, mechanism: Any
) -> None:
    table = as_table(rows, subject)
    must = [LDiversity(2)] if rule == "l" else [AlphaKAnonymity("2/3", 1, ["x"])]
    try:
        released = mechanism.protect(table, must)
    except Infeasible:
        return
    found = Minimality(worlds=10_000, rows=10**9).knowing(mechanism, must).mount(released.data, released.truth(table))
    expected = posterior(rows, released, mechanism, must, subject)
    if found.value is None:
        assert "nothing to learn" in found.note
    else:
        assert found.value == pytest.approx(expected, abs=1e-6)
        assert found.details.error == 0
        assert found.details.consistent >= 1


@pytest.mark.parametrize(
    ("age", "ill", "who", "value"),
    [
        ([1, 2, 3, 3], "nHnH", ["p1", "p2", "p1", "p1"], 1),  # three of four records: one of them has H
        ([2, 3, 7, 7, 7, 7], "HnnHnn", list("abcdef"), 3 / 4),  # n in the class of people alike
        ([7, 7, 7, 7], "HnnH", ["a", "a", "a", "b"], 1),  # alike, but for the number of records
    ],
)
def test_minimality_counts_all_records_of_a_person_and_all_classes(
    age: list[int], ill: str, who: list[str], value: float
) -> None:
    frame = pa.table({"age": age, "ill": list(ill), "who": who})
    table, must = Table.of(frame, quasi=["age"], sensitive=["ill"], subject="who"), [KAnonymity(2)]
    released = Mondrian().protect(table, must)
    found = Minimality(worlds=500).knowing(Mondrian(), must).mount(released.data, released.truth(table))
    assert found.value == pytest.approx(value)


def test_one_class_after_the_other_where_all_worlds_are_too_many() -> None:
    """The classic case beside many other classes: still certain, and the note says how many classes were attacked."""
    ages = [1, 1, 2, 2, 2, 2, 2] + [100 * i + j for i in range(1, 9) for j in range(6)]
    ill = ["HIV"] * 2 + ["none"] * 5 + ["HIV", "none", "flu", "none", "flu", "none"] * 8
    table = Table.of(pa.table({"age": ages, "ill": ill}), quasi=["age"], sensitive=["ill"])
    must = [AlphaKAnonymity("1/2", 2, ["HIV"])]
    released = Mondrian().protect(table, must)
    found = Minimality(worlds=60).knowing(Mondrian(), must).mount(released.data, released.truth(table))
    assert found.value == 1
    assert found.details.raised > 0
    assert found.details.worlds <= 60
    assert found.details.classes <= found.details.possible


def test_sampled_worlds_say_how_sure_they_are() -> None:
    random = np.random.default_rng(5)
    frame = pa.table({"age": random.integers(20, 80, 60), "ill": random.choice(list("abcde"), 60)})
    table, must = Table.of(frame, quasi=["age"], sensitive=["ill"]), [KAnonymity(20)]
    released = Mondrian().protect(table, must)
    attack = Minimality(worlds=40).knowing(Mondrian(), must)
    found = attack.mount(released.data, released.truth(table))
    assert found.details.error > 0
    assert "95 % confidence" in found.note
    assert found.details.consistent == found.details.worlds  # k-anonymity does not look at values
    assert found.value == pytest.approx(found.details.by_class)
    assert found.details.raised == 0
    shuffled = frame.take(pa.array(random.permutation(60)))
    other = Table.of(shuffled, quasi=["age"], sensitive=["ill"])
    again = Mondrian().protect(other, must)
    assert attack.mount(again.data, again.truth(other)).value == found.value


def test_mechanisms_are_compared_by_what_they_give_away() -> None:
    from sharewell.pipeline.compare import compare

    people = pa.table({"district": [1, 1, 2, 2, 2, 2, 2], "illness": ["HIV"] * 2 + ["none"] * 5})
    table, must = Table.of(people, quasi=["district"], sensitive=["illness"]), [AlphaKAnonymity("1/2", 1, ["HIV"])]
    found = compare(table, [must], [Mondrian()], risk=Minimality())
    assert [point.risk for point in found.points] == [1.0]


def test_what_cannot_be_re_run_is_undecided_and_says_why() -> None:
    table = as_table([("A", 20, "x", "p"), ("B", 30, "y", "p"), ("C", 20, "y", "p"), ("D", 40, "x", "q")])
    must = [LDiversity(2)]
    released = Mondrian().protect(table, must)
    truth = released.truth(table)
    cases = {
        "mechanism is not given": Minimality().mount(released.data, truth),
        "original is not given": Minimality().knowing(Mondrian(), must).mount(released.data),
        "bounds all re-runs to 20 rows": Minimality(rows=20).knowing(Mondrian(), must).mount(released.data, truth),
        "does not reproduce the release": Minimality().knowing(Mondrian(), [LDiversity(1)]).mount(released.data, truth),
        "false values on purpose": Minimality().knowing(Noise({"age": 1}), must).mount(released.data, truth),
    }
    for words, found in cases.items():
        assert found.value is None
        assert found.note.startswith("undecided: ")
        assert words in found.note


@settings(max_examples=60, deadline=None)
@given(people, st.booleans())
def test_accidental_identifiers_by_definition(rows: list[Any], subject: bool) -> None:
    table = as_table(rows, subject)
    found = AccidentalIdentifiers().mount(table)
    persons = [row[0] if subject else str(i) for i, row in enumerate(rows)]
    total = len(set(persons))
    columns = {"age": 1, "ill": 2, "ward": 3}
    columns = {name: i for name, i in columns.items() if total == 1 or len({row[i] for row in rows}) > 1}
    alone: dict[tuple[str, ...], set[str]] = {(): set()}
    for k in (1, 2, 3):
        for names in combinations(columns, k):
            if names != ("age",):
                shown = [tuple(row[columns[name]] for name in names) for row in rows]
                who = {cells: {p for p, s in zip(persons, shown, strict=True) if s == cells} for cells in shown}
                alone[names] = {min(group) for group in who.values() if len(group) == 1}
    for k in (1, 2, 3):
        most = max(len(singled) for names, singled in alone.items() if len(names) <= k)
        assert found.details.by_size[k] == pytest.approx(most / total)
    assert found.details.by_any == pytest.approx(len(set().union(*alone.values())) / total)
    assert found.value == found.details.by_size[3]


def test_accidental_identifiers_of_large_tables_say_what_was_left_out() -> None:
    frame = pa.table({f"c{i}": np.arange(40) % (i + 2) for i in range(12)} | {"age": ["a"] * 40})
    kept = [f"c{i}" for i in range(12)]
    found = AccidentalIdentifiers(combinations=20).mount(Table.of(frame, quasi=["age"], keep=kept))
    assert found.note == "20 of 298 combinations examined"


def test_withheld_rows_are_nobody() -> None:
    frame = pa.table({"age": ["[1-2]", "[1-2]", "**"], "ward": ["a", "a", None], "ill": ["x", "x", None]})
    table = Table.of(frame, quasi=["age"], sensitive=["ill"], keep=["ward"], published=True)
    if table.suppressed.any():
        assert AccidentalIdentifiers().mount(table).value == 0


def correlated(persons: int, records: int, seed: int = 3) -> Table:
    """Illness goes with the job; every person has the same illness in all records."""
    random = np.random.default_rng(seed)
    job = random.integers(0, 4, persons)
    ill = np.where(random.random(persons) < 0.8, job, random.integers(0, 4, persons))
    rows = np.repeat(np.arange(persons), records)
    frame = pa.table(
        {
            "who": [f"p{i:04}" for i in rows],
            "job": [f"job{i}" for i in job[rows]],
            "age": random.integers(20, 60, persons)[rows],
            "ill": [f"ill{i}" for i in ill[rows]],
        }
    )
    return Table.of(frame, quasi=["job", "age"], sensitive=["ill"], subject="who")


@pytest.mark.parametrize("records", [1, 3])
def test_definetti_learns_what_classes_hide(records: int) -> None:
    table = correlated(300, records)
    released = Mondrian().protect(table, [KAnonymity(8)])
    found = DeFinetti().mount(released.data, released.truth(table))
    assert found.details.by_class is not None
    assert found.value == found.details.right.share
    assert found.value >= found.details.by_class - 0.02
    blind = table.as_classes(np.arange(table.rows), np.array([0, table.rows]))
    from sharewell.tables.engine.published_cells import publish

    everybody, rows = publish(table, blind)  # one class: all that is learned is learned from nothing
    nothing = DeFinetti().mount(everybody, Truth(table, rows))
    assert nothing.value == pytest.approx(nothing.details.by_class)


def test_definetti_beats_the_classes_of_a_bucketisation() -> None:
    """Classes of four jobs each that differ in their shares: jobs give the illness away across classes."""
    random = np.random.default_rng(1)
    job = np.concatenate([random.permutation(np.r_[np.repeat(i % 4, 5), np.arange(4)]) for i in range(40)])
    group = np.repeat(np.arange(40), 9)
    ill = np.where(random.random(360) < 0.9, job, random.integers(0, 4, 360))
    cells = {"job": ["*"] * 360, "group": [str(g) for g in group], "ill": [f"ill{i}" for i in ill]}
    released = Table.of(pa.table(cells), quasi=["job", "group"], sensitive=["ill"], published=True)
    true = pa.table({**cells, "job": [f"job{i}" for i in job]})
    truth = Truth(Table.of(true, quasi=["job", "group"], sensitive=["ill"]), np.arange(360))
    found = DeFinetti().mount(released, truth)
    assert found.value > found.details.by_class + 0.2


@settings(max_examples=40, deadline=None)
@given(people)
def test_definetti_reports_the_largest_share_of_persons(rows: list[Any]) -> None:
    table = as_table(rows)
    found = DeFinetti().mount(table)
    largest = 0.0
    for age in {row[1] for row in rows}:
        here = [row for row in rows if row[1] == age]
        persons = {row[0] for row in here}
        for value in {row[2] for row in here}:
            largest = max(largest, len({row[0] for row in here if row[2] == value}) / len(persons))
    assert found.details.person_share == pytest.approx(largest)
    assert 0 <= found.value <= 1
    assert found.details.persons == len({(row[0], row[1]) for row in rows})


def test_definetti_of_large_tables_learns_from_drawn_classes() -> None:
    table = correlated(200, 1)
    released = Mondrian().protect(table, [KAnonymity(5)])
    found = DeFinetti(pairs=200).mount(released.data, released.truth(table))
    assert "records in drawn classes" in found.note
    assert found.details.persons < 200


def test_the_headline_of_minimality_is_the_column_that_is_known_best() -> None:
    """Though the mechanism tells nothing of it, and something of the first one."""
    table = Table.of(
        pa.table({"q": [1, 2], "first": ["a", "b"], "second": ["x", "y"]}), quasi=["q"], sensitive=["first", "second"]
    )
    belief = Belief((0.5, 0.9), (0.6, 0.9), (3, 0), 8, 2, 10, 5, 0.0)
    found = Minimality()._finding([belief], 1, 1, table.sensitive, 10, (0.0, 0.0))
    assert (found.column, found.value, found.details.raised) == ("second", 0.9, 0)
    assert [(part.column, part.value) for part in found.parts] == [("first", 0.6), ("second", 0.9)]
    (first, *_) = table.sensitive
    alone = Minimality()._finding([belief], 1, 1, [first], 10, (0.0,))
    assert (alone.column, alone.value) == (None, 0.6)
