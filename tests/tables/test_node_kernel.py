"""The compiled judge of a lattice's nodes says of every class what the criteria themselves say."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sharewell import DataError
from sharewell.hierarchy import Tree
from sharewell.tables import (
    AlphaKAnonymity,
    BetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    EntropyLDiversity,
    EpsilonMAnonymity,
    GBalance,
    JournalistRisk,
    KAnonymity,
    KMap,
    LDiversity,
    MarketerRisk,
    OptimalRecoding,
    ProsecutorRisk,
    RecursiveLDiversity,
    SampleUniqueness,
    Table,
    TCloseness,
)
from sharewell.tables.engine.generalization_levels import Ladder
from sharewell.tables.engine.protection.lattice import rollup
from sharewell.tables.engine.protection.lattice.compiled_judges import CERTAIN
from sharewell.tables.engine.protection.lattice.node_losses import LossChoice
from sharewell.tables.engine.protection.lattice.nodes import Nodes
from sharewell.tables.engine.protection.lattice.rollup import TableTuples
from sharewell.tables.engine.protection.lattice.suppressed_classes import NodeJudge

pytest.importorskip("numba")

ILLNESSES = ["10", "12", "13", "20", "31", "32"]
CRITERIA: list[Any] = [
    KAnonymity(3),
    ProsecutorRisk("1/4"),
    LDiversity(3),
    EntropyLDiversity(2, unit="record"),
    EntropyLDiversity("5/2", unit="record"),
    EntropyLDiversity(2, estimator="grassberger", unit="record"),
    RecursiveLDiversity(2, 2, unit="record"),
    RecursiveLDiversity("3/2", 3, unit="record"),
    BetaLikeness(1, unit="record"),
    BetaLikeness(2, enhanced=True, unit="record"),
    BetaLikeness(1, column="illness", counts=dict.fromkeys([*ILLNESSES, "40", ""], 5), unit="record"),
    DeltaDisclosure(1, unit="record"),
    AlphaKAnonymity("1/2", 2, unit="record"),
    AlphaKAnonymity("1/3", 1, ["10", "20"], unit="record"),
    EpsilonMAnonymity(1, 2, unit="record"),
    TCloseness("3/10", unit="record"),
    TCloseness("1/5", distance="ordered", unit="record"),
    TCloseness("1/4", distance="hierarchical", unit="record"),
    TCloseness("2/5", column="illness", counts=dict.fromkeys([*ILLNESSES, "40", ""], 5), unit="record"),
]


CELLS = [cell for i, cell in enumerate(itertools.product(range(5), range(4), range(2))) for _ in range(7 + 5 * i % 11)]
PEOPLE = pa.table({name: [f"{name}{cell[j]}" for cell in CELLS] for j, name in enumerate("abc")})
"""Between 7 and 17 people for each combination of values."""
OTHERS = PEOPLE.slice(0, 250)
ABOUT_PEOPLE: list[list[Any]] = [
    [KMap(PEOPLE, 60, unit="record")],
    [KMap(PEOPLE, 12, unit="record", covers="partly"), KAnonymity(2)],
    [JournalistRisk(PEOPLE, "1/60", unit="record")],
    [DeltaPresence(PEOPLE, "1/5", unit="record")],
    [DeltaPresence(PEOPLE, "1/4", min="1/20", unit="record", accept_overlap=True)],
    [DeltaPresence(PEOPLE, "1/6", unit="record", covers="partly"), LDiversity(3)],
    [KMap(PEOPLE, 60, unit="record"), DeltaPresence(OTHERS, "1/3", unit="record", covers="partly")],
    [KMap(PEOPLE, 60, unit="record"), EntropyLDiversity(2, unit="record")],
]
ABOUT_ALL: list[list[Any]] = [
    [ProsecutorRisk("1/4", share="1/10", unit="record")],
    [ProsecutorRisk("1/3", share="1/3", unit="record"), LDiversity(2)],
    [ProsecutorRisk("1/3", share="1/5", unit="record"), EntropyLDiversity(2, unit="record")],
    [JournalistRisk(PEOPLE, "1/50", share="1/10", unit="record")],
    [JournalistRisk(PEOPLE, "1/50", share="1/4", unit="record"), KMap(PEOPLE, 30, unit="record")],
    [MarketerRisk("1/5", unit="record")],
    [MarketerRisk("1/3", unit="record"), BetaLikeness(2, unit="record")],
    [SampleUniqueness("1/20", unit="record")],
    [MarketerRisk("1/25", population=PEOPLE, unit="record")],
    [SampleUniqueness("1/10", unit="record"), MarketerRisk("1/3", unit="record")],
]
WITH_OTHERS: list[list[Any]] = [
    [GBalance("2/5"), KAnonymity(2)],
    [GBalance("2/5"), BetaLikeness(2, unit="record"), LDiversity(2)],
    [GBalance("1/2"), KMap(PEOPLE, 40, unit="record"), ProsecutorRisk("1/3", share="1/5", unit="record")],
]
"""g-balance has no compiled judge."""


def table(seed: int) -> Table:
    """Small classes of few values, some of which are missing, so that every criterion has classes at its bound."""
    draw = np.random.default_rng(seed)
    rows = 60
    values = [*ILLNESSES, None] if seed % 2 else ILLNESSES
    frame = pa.table(
        {
            "a": [f"a{i}" for i in draw.integers(0, 5, rows).tolist()],
            "b": [f"b{i}" for i in draw.integers(0, 4, rows).tolist()],
            "c": [f"c{i}" for i in draw.integers(0, 2, rows).tolist()],
            "illness": pa.array([values[i] for i in draw.choice(len(values), rows).tolist()], pa.string()),
        }
    )
    tree = Tree([(value, f"{value[0]}x", "*") for value in [*ILLNESSES, "40"]])
    return Table.of(frame, quasi=["a", "b", "c"], sensitive=["illness"], hierarchies={"illness": tree})


def space(of: Table) -> TableTuples:
    return TableTuples(of, [Ladder.of(column) for column in of.quasi], of.sensitive)


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda one: str(one)[:60])
def test_it_says_what_the_criterion_says(criterion: Any, monkeypatch: pytest.MonkeyPatch, full_size: bool) -> None:
    decided = 0
    for seed in range(6 if full_size else 3):
        data = table(seed)
        plain = space(data)
        monkeypatch.setattr(rollup, "_LARGE", 0)
        monkeypatch.setenv("SHAREWELL_COMPILE", "1")
        compiled = space(data)
        monkeypatch.undo()
        judges = [NodeJudge([criterion], 10**9, False, one) for one in (compiled, plain)]
        assert judges[0]._packed is not None
        assert judges[1]._packed is None
        for node in itertools.product(range(2), repeat=3):
            kernel, twin = (
                (one.at(node), judge.at(one.classes(one.at(node)), {}))
                for one, judge in zip((compiled, plain), judges, strict=True)
            )
            by_tuple = [
                dict(zip(of.class_of_tuple(grouping).tolist(), range(len(of.records)), strict=True))
                for of, (grouping, _) in ((compiled, kernel), (plain, twin))
            ]
            said = [
                {
                    tuples[c]: (int(verdict), int(grouping.records[c]))
                    for c, verdict in enumerate(found.verdicts.tolist())
                }
                for tuples, (grouping, found) in zip(by_tuple, (kernel, twin), strict=True)
            ]
            assert said[0] == said[1], (seed, node)
            assert kernel[1].persons == twin[1].persons
            assert kernel[1].persons_below == twin[1].persons_below
            decided += len(kernel[1].failing)
    assert decided, "no class fails, so that nothing was compared"


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda one: str(one)[:60])
@pytest.mark.parametrize("compiled", [False, True])
def test_every_lower_node_withholds_as_many_records_of_a_class_as_is_said(
    criterion: Any, compiled: bool, monkeypatch: pytest.MonkeyPatch, full_size: bool
) -> None:
    monkeypatch.setattr(rollup, "_LARGE", 0 if compiled else 10**9)
    said = 0
    for seed in range(6 if full_size else 3):
        of = space(table(seed))
        judge = NodeJudge([criterion, KAnonymity(2)], 10**9, False, of)
        nodes = {node: of.at(node) for node in itertools.product(range(2), repeat=3)}
        suppressed = {node: judge.at(of.classes(grouping), {}) for node, grouping in nodes.items()}
        withheld = {
            node: (suppressed[node].verdicts > 0)[of.class_of_tuple(grouping)] * of.records
            for node, grouping in nodes.items()
        }
        for node, grouping in nodes.items():
            least, said = suppressed[node].least, said + int(suppressed[node].least.sum())
            assert suppressed[node].persons_below == least.sum()
            for lower in itertools.product(*(range(level + 1) for level in node)):
                here = np.bincount(of.class_of_tuple(grouping), weights=withheld[lower], minlength=grouping.count)
                assert (here >= least).all(), (seed, node, lower)
    assert said, "nothing was said of any class"


def test_a_class_none_of_whose_parts_can_hold_is_withheld_at_every_lower_node() -> None:
    """That of two values, where three are asked for; in the other one a single value is too frequent."""
    frame = pa.table({"a": ["x"] * 4 + ["y"] * 7, "illness": [*"0011", *"0000012"]})
    data = Table.of(frame, quasi=["a"], sensitive=["illness"])
    of = space(data)
    found = NodeJudge([RecursiveLDiversity(2, 3, unit="record")], 100, False, of).at(of.classes(of.at((0,))), {})
    assert sorted(zip(of.at((0,)).records.tolist(), found.verdicts.tolist(), strict=True)) == [(4, CERTAIN), (7, 1)]
    assert found.persons_below == 4 + 4, "of the five zeros one may stay beside one of the rarest"


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("l", ["3/2", 2, "5/2", 3])
def test_no_part_of_a_class_reaches_an_entropy_with_fewer_records_withheld(
    l: Any,  # noqa: E741 - the name the literature gives it
    compiled: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Against every way to leave some records of a class: never more than needed, and often just that many."""
    monkeypatch.setattr(rollup, "_LARGE", 0 if compiled else 10**9)
    draw, exact, compared = np.random.default_rng(7), 0, 0
    for _ in range(60):
        counts = draw.integers(0, [16, 9, 4, 3]).tolist()
        values = [str(value) for value, count in enumerate(counts) for _ in range(count)]
        frame = pa.table({"a": ["x"] * len(values) + ["y"] * 8, "illness": [*values, *"00112233"]})
        of = space(Table.of(frame, quasi=["a"], sensitive=["illness"]))
        classes, judge = of.at((0,)), NodeJudge([EntropyLDiversity(l, unit="record")], 100, False, of)
        found = judge.at(of.classes(classes), {})
        left = [part for part in itertools.product(*(range(count + 1) for count in counts)) if reaches(part, l)]
        fewest = sum(counts) - max(map(sum, left), default=0)
        assert found.persons_below <= fewest, counts
        if fewest:
            assert found.persons_below > 0
            compared, exact = compared + 1, exact + (found.persons_below == fewest)
    assert exact > 0.4 * compared > 0


def reaches(counts: tuple[int, ...], l: Any) -> bool:  # noqa: E741
    """n^n ≥ l^n · Π c^c, in whole numbers."""
    bound, n = Fraction(l), sum(counts)
    inside = math.prod(count**count for count in counts if count)
    return n > 0 and (n * bound.denominator) ** n >= bound.numerator**n * inside


def test_the_search_finds_the_same_with_and_without_compiled_code(
    monkeypatch: pytest.MonkeyPatch, full_size: bool
) -> None:
    """And looks at the same nodes: what is known about lower nodes is the same, too."""
    losses = ("loss", "discernibility", "class-size")
    for seed, criteria in enumerate([*([one] for one in CRITERIA), *ABOUT_PEOPLE, *ABOUT_ALL, *WITH_OTHERS]):
        for loss in losses if full_size else losses[seed % 3 :][:1]:
            details = []
            for large in (10**9, 0):
                monkeypatch.setattr(rollup, "_LARGE", large)
                monkeypatch.setenv("SHAREWELL_COMPILE", "1")
                mechanism = OptimalRecoding(suppress=0.9, loss=loss)
                details.append(mechanism.protect(table(seed), criteria).details)
            assert details[0] == details[1], criteria


@pytest.mark.parametrize("criteria", [*ABOUT_PEOPLE, *ABOUT_ALL, *WITH_OTHERS], ids=lambda many: str(many)[:90])
def test_people_and_risks_are_judged_as_by_the_criteria(
    criteria: list[Any], monkeypatch: pytest.MonkeyPatch, full_size: bool
) -> None:
    """Node by node: the classes withheld, the persons, and what is known of lower nodes."""
    failing = standing = 0
    for seed in range(6 if full_size else 3):
        both = []
        for large in (10**9, 0):
            monkeypatch.setattr(rollup, "_LARGE", large)
            monkeypatch.setenv("SHAREWELL_COMPILE", "1")
            nodes = Nodes(table(seed), criteria, LossChoice("loss", None, None, 0.5, True), 25)
            nodes.like_arx = True
            seen = {}
            for node in itertools.product(range(2), repeat=3):
                kept, classes = nodes.kept(node)
                looked = nodes.look(node, math.inf)
                below = looked.floors_below() if looked.floors_below is not None else None
                shown = None if below is None else np.asarray(below).tolist()
                seen[node] = (
                    kept.tolist() if looked.fits else len(kept),
                    classes,
                    *looked._replace(floors_below=None),
                    shown,
                )
                failing, standing = failing + (len(kept) < 60), standing + looked.fits
            both.append(seen)
            assert (nodes.withholding._packed is not None) == (large == 0)
            assert nodes.withholding.judges_overall == (large == 0 and criteria in ABOUT_ALL[:-2])
        assert both[0] == both[1], seed
    assert failing, "nothing was withheld, so that nothing was compared"
    assert standing, "no node fits, so that nothing was compared"


@pytest.mark.parametrize("criteria", ABOUT_PEOPLE[:1] + ABOUT_ALL[3:4], ids=lambda many: str(many)[:90])
@pytest.mark.parametrize("large", [10**9, 0])
def test_a_list_that_lacks_released_people_is_refused(
    criteria: list[Any], large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rollup, "_LARGE", large)
    monkeypatch.setenv("SHAREWELL_COMPILE", "1")
    [short] = [replace(one, population=PEOPLE.slice(0, 20)) for one in criteria]
    with pytest.raises(DataError, match="lacks released people: "):
        OptimalRecoding(suppress=0.9).protect(table(1), [short])
