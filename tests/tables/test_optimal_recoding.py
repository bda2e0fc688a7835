"""Optimal recoding against brute force: every node of the lattice, grouped and scored by code that shares nothing."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, get_args

import numpy as np
import pyarrow as pa
import pytest
from every_node import EvenSize, Puzzle, brute_force, puzzle

from sharewell.cells import Any as AnyCell
from sharewell.cells import Exact, Interval, Node, Prefix, parse
from sharewell.errors import Infeasible, PolicyError
from sharewell.hierarchy import Dates, Intervals, Prefixes
from sharewell.tables import (
    NCP,
    AlphaKAnonymity,
    BetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    EntropyLDiversity,
    InstanceDisclosure,
    JournalistRisk,
    KAnonymity,
    KMap,
    LDiversity,
    MarketerRisk,
    OptimalRecoding,
    PopulationUniqueness,
    ProsecutorRisk,
    RecursiveLDiversity,
    SampleUniqueness,
    Table,
    TCloseness,
)
from sharewell.tables.engine.generalization_levels import Ladder, publish_levels
from sharewell.tables.engine.protection.lattice import rollup
from sharewell.tables.engine.protection.lattice.node_losses import USUAL, Aggregate
from sharewell.tables.mechanisms import optimal_recoding
from sharewell.testing import check_mechanism

MIXES: list[list[Any]] = [
    [KAnonymity(2)],
    [KAnonymity(4)],
    [LDiversity(2)],
    [KAnonymity(3), LDiversity(2)],
    [EvenSize()],
    [KAnonymity(2), EvenSize()],
    [EntropyLDiversity(2, unit="record")],
    [TCloseness(0.3, unit="record"), KAnonymity(2)],
    [TCloseness(0.2, unit="record")],
    [TCloseness(0.2, distance="ordered", unit="record")],
    [],
    [MarketerRisk("1/3")],
    [MarketerRisk("1/4"), KAnonymity(2)],
    [SampleUniqueness(0.1)],
    [SampleUniqueness(0), LDiversity(2)],
    [SampleUniqueness("1/5"), EvenSize()],
    [MarketerRisk("1/3"), SampleUniqueness("1/10"), TCloseness(0.4, unit="record")],
    [PopulationUniqueness("1/10", 200, "zayatz")],
    [PopulationUniqueness("1/20", 80, "zayatz"), MarketerRisk("1/2")],
    [EntropyLDiversity("3/2", unit="record"), KAnonymity(2)],
    [RecursiveLDiversity(2, 2, unit="record")],
    [BetaLikeness("3/2", unit="record")],
    [BetaLikeness(2, enhanced=True, unit="record"), KAnonymity(2)],
    [DeltaDisclosure(1, unit="record")],
    [AlphaKAnonymity("1/2", 2, unit="record")],
]
CHOICES = [("loss", a) for a in get_args(Aggregate)] + [(n, USUAL.get(n)) for n in ("entropy", "precision", "height")]
CHOICES += [("discernibility", None), ("class-size", None)]


def is_that_of_brute_force(given: Puzzle, must: list[Any], seed: int) -> bool:
    """A loss, an aggregate, a limit and a balance at random; is there a node at all?"""
    draw = np.random.default_rng(seed + 10_000)
    loss, aggregate = CHOICES[int(draw.integers(len(CHOICES)))]
    suppress = [0.0, 0.1, 0.3, 1.0][int(draw.integers(4))]
    balance = [0.5, 0.5, 0.2, 0.8, 0.0, 1.0][int(draw.integers(6))]
    expected = brute_force(given, must, suppress, loss, aggregate or "", balance)
    mechanism = OptimalRecoding(suppress, loss, aggregate, balance=balance)
    if expected is None:
        with pytest.raises(Infeasible):
            mechanism.protect(given.table, must)
        return False
    released = mechanism.protect(given.table, must)
    details = released.details
    assert details.loss == pytest.approx(expected[0], abs=2e-9), (seed, details)
    several = len({r.get("who", i) for i, r in enumerate(given.rows)})
    chosen = int(suppress * several) > 0 and any(getattr(one, "share", 0) or is_average_of(one) for one in must)
    assert details.proven is not chosen, "another choice of whom to withhold might be better"
    assert details.suppressed_persons <= suppress * len({r.get("who", i) for i, r in enumerate(given.rows)})
    if len(given.chains) > 1 and loss == "height":  # whole numbers: no rounding between equal losses
        assert tuple(details.levels.values()) == expected[1], (seed, details)
    for criterion in must:  # withheld rows are part of what these compare with
        assert (
            isinstance(criterion, TCloseness | BetaLikeness | DeltaDisclosure)
            or not criterion.check(released.data).failed
        ), (seed, criterion)
    return True


def is_average_of(criterion: object) -> bool:
    """Is it about all classes together, against a population? The riskiest classes need not be the best to withhold."""
    return isinstance(criterion, InstanceDisclosure) or (
        getattr(criterion, "population", None) is not None and (isinstance(criterion, MarketerRisk))
    )


@pytest.fixture(params=["numpy", "compiled"])
def some_seeds(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, full_size: bool
) -> Callable[[int], range]:
    """Fifty seeds in each part; or every third of them, one half in numpy, the other compiled.

    Small tables are left to numpy unless everything counts as large.
    """
    if request.param == "compiled":
        monkeypatch.setattr(rollup, "_LARGE", 0)
        monkeypatch.setenv("SHAREWELL_COMPILE", "1")
    first, step = (0, 1) if full_size else (3 if request.param == "compiled" else 0, 6)
    return lambda part: range(part * 50 + first, part * 50 + 50, step)


@pytest.mark.parametrize("part", range(8))
def test_the_best_node_is_that_of_brute_force(part: int, some_seeds: Callable[[int], range]) -> None:
    """400 tables in 8 parts, or every third of them: trees, losses, criteria and limits at random."""
    seeds = some_seeds(part)
    assert sum(is_that_of_brute_force(puzzle(seed), MIXES[seed % len(MIXES)], seed) for seed in seeds) > len(seeds) // 3


def about_people(people: pa.Table) -> list[list[Any]]:
    return [
        [KMap(people, 4)],
        [DeltaPresence(people, 0.5)],
        [DeltaPresence(people, 0.7, min=0.1)],
        [DeltaPresence(people, 0.6), KAnonymity(2)],
        [MarketerRisk("1/5", population=people)],
        [MarketerRisk("1/4", population=people), KAnonymity(2)],
        [InstanceDisclosure(people, 0.8, average=0.5)],
        [InstanceDisclosure(people, 1, reidentification="1/6")],
        [InstanceDisclosure(people, 0.9, average=0.6, reidentification="1/4"), LDiversity(2)],
        [KMap(people, 3), SampleUniqueness(0.2)],
        [DeltaPresence(people, 0.7), MarketerRisk("1/3"), TCloseness(0.5, unit="record")],
    ]


@pytest.mark.parametrize("part", range(4))
def test_the_best_node_for_a_population_is_that_of_brute_force(part: int, some_seeds: Callable[[int], range]) -> None:
    """200 tables beside a population, in 4 parts, or every third of them."""
    found, seeds = 0, some_seeds(part)
    for seed in seeds:
        given = puzzle(seed, with_population=True)
        mixes = about_people(given.population())
        found += is_that_of_brute_force(given, mixes[seed % len(mixes)], seed)
    assert found > len(seeds) // 3


@pytest.mark.parametrize("part", range(2))
def test_the_best_node_where_a_share_may_be_at_risk_is_that_of_brute_force(part: int) -> None:
    """A node whose classes fail is fine as long as few persons are in them, and one above it need not be."""
    found = 0
    for seed in range(part * 40, part * 40 + 40):
        given = puzzle(seed, with_population=seed % 2 == 0)
        most, share = ["1/2", "1/3", "1/5"][seed % 3], ["1/20", "1/10", "1/4"][seed % 5 % 3]
        must: list[Any] = [ProsecutorRisk(most, share=share)]
        if seed % 2 == 0:
            must = [JournalistRisk(given.population(), most, share=share)]
        must += [[], [KAnonymity(2)], [MarketerRisk("1/2")]][seed % 7 % 3]
        found += is_that_of_brute_force(given, must, seed)
    assert found > 15


TREES = {"age": Intervals(width=5, levels=3), "zip": Prefixes(), "born": Dates()}


def people(seed: int, rows: int) -> pa.Table:
    draw = np.random.default_rng(seed)

    def pick(values: Sequence[str]) -> list[str | None]:
        return [None if draw.random() < 0.05 else values[int(draw.integers(len(values)))] for _ in range(rows)]

    return pa.table(
        {
            "who": [f"person-{draw.integers(rows)}" for _ in range(rows)],
            "age": pick([str(age) for age in range(20, 60)]),
            "sex": pick(["female", "male"]),
            "zip": pick(["02139", "02138", "94110"]),
            "born": pick(["1980-01-31", "1980-02-01", "1981-12-24"]),
            "illness": pick(["influenza", "asthma", "diabetes", "*", "[1-2]"]),
        }
    )


def opened(frame: pa.Table) -> Table:
    return Table.of(frame, quasi=["age", "sex", "zip", "born"], sensitive=["illness"], subject="who", hierarchies=TREES)


def covers(name: str, text: str | None, value: str | None) -> bool:
    cell, value = parse(text or "", nodes=name in TREES), value or ""
    match cell:
        case AnyCell():
            return True
        case Exact(exact):
            return exact == value
        case Node(label):
            return value != "" and label in TREES[name].chain(value)
        case Interval() | Prefix():
            return value != "" and cell.text in TREES[name].chain(value)
    return False


@pytest.mark.parametrize("seed", range(12))
def test_what_it_publishes_covers_the_originals_and_satisfies_everything(seed: int) -> None:
    frame = people(seed, 60)
    suppress = (0.0, 0.2)[seed % 2]
    released = OptimalRecoding(suppress).protect(opened(frame), [KAnonymity(3), LDiversity(2)])
    published, originals = released.data.arrow.to_pylist(), frame.to_pylist()
    groups: dict[Any, list[int]] = defaultdict(list)
    for row, source in zip(published, released.rows.tolist(), strict=True):
        for name in ("age", "sex", "zip", "born"):
            assert covers(name, row[name], originals[source][name]), (name, row[name])
        assert row["illness"] == originals[source]["illness"]
        groups[tuple(row[name] for name in ("age", "sex", "zip", "born"))].append(source)
    for members in groups.values():
        assert len({originals[i]["who"] for i in members}) >= 3
        assert len({originals[i]["illness"] for i in members} - {None}) >= 2
    gone = set(range(60)) - set(released.rows.tolist())
    touched = {originals[i]["who"] for i in gone}
    assert len(touched) <= suppress * len({row["who"] for row in originals})
    assert (released.details.suppressed, released.details.suppressed_persons) == (len(gone), len(touched))
    assert released.details.classes == len(groups)


@pytest.mark.parametrize("suppress", [0.0, 0.3])
def test_it_keeps_the_contract(suppress: float) -> None:
    for seed in range(4):
        check_mechanism(OptimalRecoding(suppress), opened, people(seed, 40), [KAnonymity(2)])


def test_a_missing_value_stays_apart_until_the_top() -> None:
    table = Table.of(pa.table({"zip": ["02139", "02138", None, None]}), quasi=["zip"], hierarchies={"zip": Prefixes()})
    released = OptimalRecoding().protect(table, [KAnonymity(2)])
    assert released.data.arrow["zip"].to_pylist() == ["0213*", "0213*", None, None]
    assert OptimalRecoding().protect(table, [KAnonymity(3)]).data.arrow["zip"].to_pylist() == ["*"] * 4


def test_no_node_holds_and_it_says_why() -> None:
    table = Table.of(pa.table({"age": [1, 2, 3]}), quasi=["age"])
    with pytest.raises(Infeasible) as caught:
        OptimalRecoding().protect(table, [KAnonymity(4)])
    assert caught.value.blocking == ("k-anonymity ≥ 4: all rows as one class reach 3",)
    assert caught.value.relaxations == ("k-anonymity with bound 3",)
    with pytest.raises(Infeasible, match="everything would be suppressed"):
        OptimalRecoding(suppress=1.0).protect(table, [KAnonymity(4)])


def test_a_larger_share_to_suppress_is_proposed() -> None:
    """All rows as one class fail, but at the bottom two classes hold and one does not."""
    table = Table.of(pa.table({"age": [1, 1, 1, 2, 2, 2, 3, 3]}), quasi=["age"])
    with pytest.raises(Infeasible) as caught:
        OptimalRecoding().protect(table, [EvenSize()])
    assert any(relaxation.startswith("suppress 0.25") for relaxation in caught.value.relaxations)
    details = OptimalRecoding(suppress=0.25).protect(table, [EvenSize()]).details
    assert (details.levels, details.suppressed) == ({"age": 0}, 2)


def test_steps_end_the_search_and_it_says_so() -> None:
    table = opened(people(1, 60))
    full = OptimalRecoding().protect(table, [KAnonymity(2)]).details
    assert full.proven
    assert full.checked > 4
    for steps in (1, 3):
        few = OptimalRecoding(steps=steps).protect(table, [KAnonymity(2)]).details
        assert not few.proven
        assert few.loss >= full.loss


def test_a_lattice_too_large_is_walked_down_without_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    table = opened(people(2, 60))
    full = OptimalRecoding().protect(table, [KAnonymity(2)]).details
    monkeypatch.setattr(optimal_recoding, "MOST_NODES", 10)
    walked = OptimalRecoding().protect(table, [KAnonymity(2)]).details
    assert not walked.proven
    assert full.loss <= walked.loss < 1


def test_ties_go_to_fewer_steps_then_to_the_first_columns() -> None:
    """Either column may be given up: both cost the same, and the first one keeps its lower level."""
    table = Table.of(pa.table({"a": ["x", "y", "x", "y"], "b": ["u", "v", "v", "u"]}), quasi=["a", "b"])
    for name in ("loss", "entropy", "precision", "height", "discernibility", "class-size"):
        details = OptimalRecoding(loss=name).protect(table, [KAnonymity(2)]).details
        assert details.levels == {"a": 0, "b": 1}, name


def test_weights_say_which_column_matters() -> None:
    table = Table.of(pa.table({"a": ["x", "y", "x", "y"], "b": ["u", "v", "v", "u"]}), quasi=["a", "b"])
    details = OptimalRecoding(weights={"b": 2.0}).protect(table, [KAnonymity(2)]).details
    assert details.levels == {"a": 1, "b": 0}
    with pytest.raises(PolicyError, match="only quasi columns"):
        OptimalRecoding(weights={"c": 1.0}).protect(table, [KAnonymity(2)])


def population(rows: int) -> tuple[pa.Table, list[int]]:
    draw = np.random.default_rng(7)
    values = [f"021{i}{j}" for i in range(3) for j in range(3)] + ["94110"]
    frame = pa.table({"zip": draw.choice(values, rows).tolist(), "sex": draw.choice(["F", "M"], rows).tolist()})
    return frame, sorted(draw.choice(rows, rows // 3, replace=False).tolist())


def sampled() -> tuple[Table, pa.Table]:
    frame, sample = population(60)
    rows = frame.take(pa.array(sample))
    return Table.of(rows, quasi=["zip", "sex"], hierarchies={"zip": Prefixes()}), frame


def beyond_classes(frame: pa.Table) -> list[Any]:
    """Criteria that look at a population, or at all classes together."""
    return [
        KMap(frame, 6),
        DeltaPresence(frame, 0.4),
        DeltaPresence(frame, 0.5, min=0.1),
        MarketerRisk(0.2),
        SampleUniqueness(0.05),
        PopulationUniqueness(0.05, 60, "zayatz"),
    ]


@pytest.mark.parametrize("number", range(6))
def test_populations_and_averages_are_judged_at_every_node(number: int) -> None:
    """The criterion's own check of every node's cells is the brute force."""
    table, frame = sampled()
    criterion = beyond_classes(frame)[number]
    ladders = [Ladder.of(column) for column in table.quasi]
    every = np.arange(table.rows)
    fitting = []
    for levels in itertools.product(*(range(ladder.height + 1) for ladder in ladders)):
        published = publish_levels(table, ladders, levels, every)
        if criterion.check(published).ok:
            fitting.append(NCP().score(table, published).value)
    if not fitting:
        with pytest.raises(Infeasible):
            OptimalRecoding().protect(table, [criterion])
        return
    found = OptimalRecoding(aggregate="arithmetic-mean").protect(table, [criterion])
    assert criterion.check(found.data).ok
    assert found.details.loss == pytest.approx(min(fitting), abs=1e-9)


@pytest.mark.parametrize("number", range(6))
def test_with_rows_withheld_they_hold_too(number: int) -> None:
    table, frame = sampled()
    criterion = beyond_classes(frame)[number]
    strict = OptimalRecoding().protect(table, [criterion, KAnonymity(1)])
    found = OptimalRecoding(suppress=0.3).protect(table, [criterion, KAnonymity(1)])
    assert criterion.check(found.data).ok
    assert found.details.suppressed <= 0.3 * table.rows
    assert found.details.loss <= strict.details.loss


def test_bad_parameters_are_refused() -> None:
    for parameters in (
        {"suppress": 1.5},
        {"loss": "pain"},
        {"aggregate": "mode"},
        {"loss": "discernibility", "aggregate": "sum"},
        {"balance": 2.0},
        {"weights": {"a": -1.0}},
        {"steps": 0},
    ):
        with pytest.raises(ValueError, match=next(iter(parameters)) if len(parameters) == 1 else "aggregate"):
            OptimalRecoding(**parameters)  # type: ignore[arg-type]


def test_tables_without_rows_or_with_published_cells_are_refused() -> None:
    empty = Table.of(pa.table({"age": pa.array([], pa.string())}), quasi=["age"])
    with pytest.raises(Infeasible, match="no rows"):
        OptimalRecoding().protect(empty, [KAnonymity(2)])
    table = Table.of(pa.table({"age": [1, 1]}), quasi=["age"])
    with pytest.raises(PolicyError, match="published already"):
        OptimalRecoding().protect(OptimalRecoding().protect(table, []).data, [])


def test_without_quasi_columns_all_rows_are_one_class() -> None:
    table = Table.of(pa.table({"x": ["a", "b"]}), quasi=[], keep=["x"])
    assert OptimalRecoding().protect(table, [KAnonymity(2)]).details.classes == 1


def test_most_nodes_are_never_looked_at() -> None:
    """Tagging and floors: on a table of 2000 people fewer than a third of the nodes."""
    for suppress in (0.02, 1.0):
        details = OptimalRecoding(suppress=suppress).protect(opened(people(3, 2000)), [KAnonymity(5)]).details
        assert details.proven
        assert details.checked < details.nodes / 3
