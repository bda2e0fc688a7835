"""Every criterion about sensitive values against its definition in plain Python, on random small tables."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import sensitive_definitions as plain
from hypothesis import given, settings
from hypothesis import strategies as st
from sensitive_definitions import Distribution, Row, Rows

from sharewell.errors import Infeasible
from sharewell.hierarchy import Tree
from sharewell.tables import (
    AlphaKAnonymity,
    BetaLikeness,
    DeltaDisclosure,
    EntropyLDiversity,
    EpsilonMAnonymity,
    GBalance,
    HAffiliation,
    Mondrian,
    PersonalisedPrivacy,
    RangeDiversity,
    RecordShare,
    RecursiveLDiversity,
    Table,
    TCloseness,
)
from sharewell.tables.engine.checks import distributions

F = Fraction
row = st.builds(
    Row,
    who=st.none() | st.sampled_from("pqrs"),
    cell=st.sampled_from("abc"),
    number=st.none() | st.sampled_from(["1", "2", "2.5", "4", "10"]),
    leaf=st.none() | st.sampled_from(list(plain.TREE)),
    guard=st.none() | st.sampled_from(["flu", "lower", "chest"]),
)
NODES = [Row(None, "z", "1", leaf, "") for leaf in plain.TREE]
"""All leaves occur, so that every node is known to the hierarchy as compiled."""
Judge = Callable[[Rows, Rows, bool], bool]
"""(a class, the table, whether persons are counted) → does it hold?"""


def table(rows: Rows, subject: bool, quasi: str = "cell") -> Table:
    columns = {name: [getattr(r, name) for r in rows] for name in ("who", quasi, "number", "leaf", "guard")}
    frame = pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})
    return Table.of(
        frame,
        quasi=[quasi],
        sensitive=["number", "leaf", "guard"],
        subject="who" if subject else None,
        drop=[] if subject else ["who"],
        hierarchies={"leaf": Tree(list(plain.TREE.values()))},
    )


def counted(judge: Callable[[Distribution, Distribution], bool], column: str = "leaf", known: bool = False) -> Judge:
    """It must hold in every way of weighing records, each time against the whole table weighed alike."""

    def holds(rows: Rows, every: Rows, person: bool) -> bool:
        ways = [plain.distributions(part, column, person, known) for part in (rows, every)]
        return all(judge(here, whole) for here, whole in zip(*ways, strict=True))

    return holds


def grassberger(l: Fraction) -> Judge:  # noqa: E741
    """Corrected over records; over persons, who are no counts, as it is."""

    def holds(rows: Rows, every: Rows, person: bool) -> bool:
        here = plain.distributions(rows, "leaf", person, known=True)
        enough = len(here[0]) >= l and plain.grassberger(rows, "leaf") > math.log(l)
        several = person and any(len(one) > 1 for one in _owned(rows))
        return enough and all(plain.entropy_holds(one, l) for one in (here[1:] if several else ()))

    return holds


def _owned(rows: Rows) -> list[Rows]:
    found: dict[Any, Rows] = defaultdict(list)
    for r in rows:
        found[r.who].append(r)
    return list(found.values())


def closeness(t: Fraction, distance: str) -> tuple[Any, Judge]:
    column = "number" if distance == "ordered" else "leaf"
    apart = {"equal": plain.equal_apart, "ordered": plain.ordered_apart, "hierarchical": plain.hierarchical_apart}
    judge = counted(lambda v, every: plain.transport(v, every, apart[distance](every)) <= t, column)
    return lambda unit: TCloseness(t, distance=distance, column=column, unit=unit), judge  # type: ignore[arg-type]


def spread(rho: Fraction) -> tuple[Any, Judge]:
    def judge(rows: Rows, every: Rows, person: bool) -> bool:
        numbers = [plain.number(r.number) for r in every if r.number is not None]
        return plain.span(rows, min(numbers, default=F(0)), max(numbers, default=F(0))) >= rho

    return lambda unit: RangeDiversity(rho, column="number"), judge


def affiliation(h: Fraction) -> tuple[Any, Judge]:
    return (
        lambda unit: HAffiliation(h, column="leaf", unit=unit),
        lambda rows, every, person: max(plain.shares(rows, "leaf", person).values()) <= h,
    )


def alpha_k(alpha: Fraction, k: int, values: list[str]) -> tuple[Any, Judge]:
    def judge(rows: Rows, every: Rows, person: bool) -> bool:
        there = len({r.who for r in rows} - {None}) if person else len(rows)
        ways = [plain.shares(rows, "leaf", one) for one in ({True, False} if person else {False})]
        return there >= k and all(found.get(value, 0) <= alpha for found in ways for value in values)

    return lambda unit: AlphaKAnonymity(alpha, k, values=values, column="leaf", unit=unit), judge  # type: ignore[arg-type]


thirds = st.sampled_from([F(1, 4), F(1, 3), F(1, 2), F(2, 3), F(3, 4), F(1)])
CASES: dict[str, st.SearchStrategy[tuple[Any, Judge]]] = {
    "alpha-k": st.builds(alpha_k, thirds, st.integers(1, 3), st.lists(st.sampled_from(list(plain.TREE)), max_size=2)),
    "beta": st.sampled_from([F(1, 4), F(1, 2), F(1), F(3, 2)]).map(
        lambda b: (
            lambda unit: BetaLikeness(b, column="leaf", unit=unit),
            counted(lambda v, every: plain.beta_holds(v, every, b, False)),
        )
    ),
    "beta enhanced": st.sampled_from([F(1, 2), F(1), F(3)]).map(
        lambda b: (
            lambda unit: BetaLikeness(b, enhanced=True, column="leaf", unit=unit),
            counted(lambda v, every: plain.beta_holds(v, every, b, True)),
        )
    ),
    "delta": st.sampled_from([F(1, 2), F(1), F(3, 2), F(2)]).map(
        lambda d: (
            lambda unit: DeltaDisclosure(d, column="leaf", unit=unit),
            counted(lambda v, every: plain.delta_holds(v, every, d)),
        )
    ),
    "entropy": st.sampled_from([F(1), F(3, 2), F(2), F(3), F(4)]).map(
        lambda l: (  # noqa: E741
            lambda unit: EntropyLDiversity(l, column="leaf", unit=unit),
            counted(lambda v, every: plain.entropy_holds(v, l), known=True),
        )
    ),
    "grassberger": st.sampled_from([F(6, 5), F(2), F(3)]).map(
        lambda l: (  # noqa: E741
            lambda unit: EntropyLDiversity(l, estimator="grassberger", column="leaf", unit=unit),
            grassberger(l),
        )
    ),
    "epsilon-m": st.tuples(st.sampled_from([F(0), F(1, 2), F(1), F(3, 2), F(3)]), st.integers(1, 3)).map(
        lambda em: (
            lambda unit: EpsilonMAnonymity(em[0], em[1], column="number", unit=unit),
            counted(lambda v, every: plain.near(v, em[0]) <= F(1, em[1]), "number"),
        )
    ),
    "h": thirds.map(affiliation),
    "personalised": thirds.map(
        lambda most: (
            lambda unit: PersonalisedPrivacy("guard", most, column="leaf", unit=unit),
            lambda rows, every, person: plain.guarded(rows, person) <= most,
        )
    ),
    "range": thirds.map(spread),
    "range of a tree": thirds.map(
        lambda rho: (
            lambda unit: RangeDiversity(rho, column="leaf"),
            lambda rows, every, person: plain.covered(rows) >= rho,
        )
    ),
    "recursive": st.tuples(st.sampled_from([F(1, 2), F(1), F(3, 2), F(3)]), st.integers(1, 3)).map(
        lambda cl: (
            lambda unit: RecursiveLDiversity(cl[0], cl[1], column="leaf", unit=unit),
            counted(lambda v, every: plain.recursive_holds(v, cl[0], cl[1]), known=True),
        )
    ),
    "t": st.builds(closeness, thirds, st.sampled_from(["equal", "ordered", "hierarchical"])),
}
RECORDS: dict[str, st.SearchStrategy[tuple[Any, Judge]]] = {
    "g": st.sampled_from([F(0), F(1, 4), F(1, 2), F(5, 8)]).map(
        lambda g: (lambda unit: GBalance(g), lambda rows, every, subject: plain.balance(rows, subject) >= g)
    ),
    "record share": thirds.map(
        lambda most: (
            lambda unit: RecordShare(most),
            lambda rows, every, subject: F(max(plain.owned(rows, subject)), len(rows)) <= most,
        )
    ),
}
EVERY = CASES | RECORDS
UNSAFE = ("delta", "epsilon-m", "grassberger", "personalised")
many = st.builds(
    lambda who, cell, leaves, numbers: [
        Row(who, cell, n, leaf, None) for leaf, n in zip(leaves, numbers, strict=False)
    ],
    who=st.sampled_from("pq"),
    cell=st.sampled_from("abc"),
    leaves=st.lists(st.sampled_from(list(plain.TREE)), min_size=3, max_size=9),
    numbers=st.lists(st.sampled_from(["1", "2", "2.5", "4", "10"]), min_size=3, max_size=9),
)
"""One person with many records, and so with many values, in one class."""
several = st.builds(list.__add__, st.lists(row, min_size=1, max_size=14), st.just([]) | many)
short = st.sampled_from([distributions._SHORT, 1])
"""Whole numbers so large that decimals are tried first; or all of them, so that every case is."""
criteria = pytest.mark.parametrize("name", list(EVERY))
units = st.sampled_from(["person", "record"])


def groups(rows: Rows) -> list[Rows]:
    found: dict[Any, Rows] = defaultdict(list)
    for r in rows:
        found[r.cell].append(r)
    return list(found.values())


def counts_persons(name: str, subject: bool, unit: str) -> bool:
    return subject and (unit == "person" or name in RECORDS)


@criteria
@settings(max_examples=40, deadline=None)
@given(data=st.data(), rows=several, subject=st.booleans(), unit=units, short=short)
def test_it_is_what_its_definition_says(
    name: str, data: st.DataObject, rows: Rows, subject: bool, unit: str, short: int
) -> None:
    make, judge = data.draw(EVERY[name])
    rows = rows + NODES
    expected = [judge(group, rows, counts_persons(name, subject, unit)) for group in groups(rows)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distributions, "_SHORT", short)
        found = make(unit).check(table(rows, subject))
    profile = getattr(found.details, "profile", found.details)
    assert (found.ok, profile.failing) == (all(expected), expected.count(False))


@pytest.mark.parametrize("name", [n for n in EVERY if n not in UNSAFE])
@settings(max_examples=40, deadline=None)
@given(data=st.data(), rows=several, subject=st.booleans(), unit=units)
def test_what_holds_in_two_classes_holds_in_their_union_where_it_says_so(
    name: str, data: st.DataObject, rows: Rows, subject: bool, unit: str
) -> None:
    """`disjoint_union_safe` says it of classes that share no person, `union_safe` of all."""
    make, _ = data.draw(EVERY[name])
    criterion = make(unit)
    assert criterion.disjoint_union_safe
    if not criterion.union_safe:
        rows = [Row(r.who and r.who + r.cell, r.cell, r.number, r.leaf, r.guard) for r in rows]
    opened = table(rows + NODES, subject)
    kept = opened.classes.select(np.flatnonzero(criterion.holds(opened.classes)))
    if kept.count < 2:
        return
    union = opened.as_classes(kept.order, np.array([0, len(kept.order)]))
    assert criterion.holds(union).all()


TWO = [Row(who, "a", "1", "flu", None) for who in "12"] + [Row(who, "a", "1", "cold", None) for who in "34"]
TWO += [Row(who, "b", "1", "flu", None) for who in "56"] + [Row(who, "b", "1", "cold", None) for who in "34"]
EVEN = {"flu": 1, "cold": 1}


def of(cell: str, numbers: str = "", leaves: tuple[str, ...] = (), guard: str | None = None) -> Rows:
    given = [("1", leaf) for leaf in leaves] or [(number, "flu") for number in numbers.split()]
    return [Row(None, cell, number, leaf, guard if i == 0 else None) for i, (number, leaf) in enumerate(given)]


@pytest.mark.parametrize(
    ("criterion", "rows"),
    [
        (EntropyLDiversity(2, column="leaf"), TWO),
        (RecursiveLDiversity(F(3, 2), 2, column="leaf"), TWO),
        (AlphaKAnonymity(F(1, 2), 2, column="leaf"), TWO),
        (HAffiliation(F(1, 2), column="leaf"), TWO),
        (TCloseness(F(0), column="leaf", counts=EVEN), TWO),
        (BetaLikeness(F(1, 4), column="leaf", counts=EVEN), TWO),
        (
            EntropyLDiversity(2, estimator="grassberger", column="leaf", unit="record"),
            of("a", leaves=("flu", "cold")) + of("b", leaves=("flu", "cold")),
        ),
        (
            DeltaDisclosure(F(3, 2), column="leaf", counts={"flu": 1, "cold": 3}, unit="record"),
            of("a", leaves=("flu", "cold")) + of("b", leaves=("cold",) * 14),
        ),
        (EpsilonMAnonymity(1, 2, column="number", unit="record"), of("a", "1 100") + of("b", "0 2")),
        (
            PersonalisedPrivacy("guard", F(1, 2), column="leaf", unit="record"),
            of("a", leaves=("flu", "cold"), guard="flu") + of("b", leaves=("flu", "flu")),
        ),
    ],
    ids=lambda x: getattr(x, "name", ""),
)
def test_where_it_does_not_say_so_a_union_may_fail(criterion: Any, rows: Rows) -> None:
    opened = table(rows, subject=True)
    assert criterion.holds(opened.classes).tolist() == [True, True]
    union = opened.as_classes(np.arange(opened.rows), np.array([0, opened.rows]))
    assert criterion.holds(union).tolist() == [False]
    assert not criterion.union_safe


wide = st.lists(
    st.builds(lambda r, age: Row(r.who, str(age), r.number, r.leaf, r.guard), row, st.integers(20, 45)),
    min_size=6,
    max_size=24,
)


@criteria
@settings(max_examples=15, deadline=None)
@given(data=st.data(), rows=wide, subject=st.booleans(), unit=units)
def test_mondrian_publishes_what_holds_or_refuses(
    name: str, data: st.DataObject, rows: Rows, subject: bool, unit: str
) -> None:
    make, judge = data.draw(EVERY[name])
    rows = [*rows, *(Row(None, "30", "1", leaf, None) for leaf in plain.TREE)]
    try:
        released = Mondrian().protect(table(rows, subject), [make(unit)])
    except Infeasible:
        return
    cells = released.data.arrow["cell"].to_pylist()
    shown = [
        Row(rows[i].who, cell, rows[i].number, rows[i].leaf, rows[i].guard)
        for i, cell in zip(released.rows.tolist(), cells, strict=True)
    ]
    assert all(judge(group, shown, counts_persons(name, subject, unit)) for group in groups(shown))
