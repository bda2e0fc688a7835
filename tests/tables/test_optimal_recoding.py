"""Optimal recoding against brute force: every node of the lattice, grouped and scored by code that shares nothing."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from sharewell.cells import Any as AnyCell
from sharewell.cells import Exact, Interval, Node, Prefix, parse
from sharewell.errors import Infeasible, PolicyError
from sharewell.hierarchy import Dates, Intervals, Prefixes, Tree
from sharewell.tables import (
    NCP,
    DeltaPresence,
    EntropyLDiversity,
    KAnonymity,
    KMap,
    LDiversity,
    MarketerRisk,
    OptimalRecoding,
    PopulationUniqueness,
    SampleUniqueness,
    Table,
    TCloseness,
)
from sharewell.tables.classes import Classes
from sharewell.tables.criteria.by_class import ByClass
from sharewell.tables.ladders import Ladder, publish_levels
from sharewell.tables.mechanisms import optimal_recoding
from sharewell.tables.mechanisms.losses import AGGREGATES, USUAL
from sharewell.testing import check_mechanism

Chains = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class EvenSize(ByClass):
    """A criterion that no law of classes helps with: neither larger classes nor unions keep it."""

    name: ClassVar[str] = "even-size"
    sense: ClassVar[Any] = "≤"
    union_safe: ClassVar[bool] = False

    @property
    def bound(self) -> int:
        return 0

    def worst(self, classes: Classes) -> NDArray[np.number]:
        return np.where(classes.sizes % 3 == 2, 1, 0)


def holds(criterion: Any, rows: list[dict[str, Any]], everything: list[dict[str, Any]]) -> bool:
    """The definitions, one class at a time."""
    persons = len({row["who"] for row in rows}) if "who" in rows[0] else len(rows)
    values = Counter(row["ill"] for row in rows if row["ill"] is not None)
    if isinstance(criterion, KAnonymity):
        return persons >= criterion.k
    if isinstance(criterion, LDiversity):
        return len(values) >= criterion.l
    if isinstance(criterion, EvenSize):
        return len(rows) % 3 != 2
    if isinstance(criterion, EntropyLDiversity):
        total = sum(values.values())
        entropy = -sum(n / total * math.log(n / total) for n in values.values()) if total else 0
        return len(values) >= criterion.l and entropy >= math.log(criterion.l) - 1e-9
    whole, here = (Counter(row["ill"] for row in some) for some in (everything, rows))
    gap = sum(abs(here[v] / len(rows) - whole[v] / len(everything)) for v in whole) / 2
    return gap <= float(criterion.t) + 1e-12


def random_tree(draw: np.random.Generator, name: str) -> Chains:
    """Leaves under random parents, level by level."""
    leaves = [f"{name}{i}" for i in range(draw.integers(2, 6))]
    chains = {leaf: [leaf] for leaf in leaves}
    labels = leaves
    for level in range(draw.integers(0, 3)):
        parents = {label: f"{name}-{level}-{draw.integers(max(1, len(labels) // 2 + 1))}" for label in labels}
        for chain in chains.values():
            chain.append(parents[chain[-1]])
        labels = sorted(set(parents.values()))
    return {leaf: (*chain, "*") for leaf, chain in chains.items()}


@dataclass
class Puzzle:
    """A small table with its trees; `chains` of a column without a tree are value → *."""

    rows: list[dict[str, Any]]
    chains: dict[str, Chains]
    table: Table


def puzzle(seed: int) -> Puzzle:
    draw = np.random.default_rng(seed)
    columns = [f"q{j}" for j in range(draw.integers(1, 5))]
    chains = {name: random_tree(draw, name) for name in columns}
    size = int(draw.integers(1, 40))
    several = draw.random() < 0.3
    rows: list[dict[str, Any]] = []
    for _ in range(size):
        row: dict[str, Any] = {c: list(chains[c])[int(draw.integers(len(chains[c])) * draw.random())] for c in columns}
        row["ill"] = ["flu", "asthma", "gout", "acne"][int(4 * draw.random() ** 2)]
        if several:
            row["who"] = f"p{draw.integers(size)}"
        rows.append(row)
    trees: dict[str, Any] = {name: Tree(list(chains[name].values())) for name in columns}
    flat = columns[-1] if draw.random() < 0.4 else None
    if flat:
        del trees[flat]
        for row in rows:
            row[flat] = None if draw.random() < 0.2 else row[flat]
        values = {row[flat] for row in rows}
        chains[flat] = {str(v or ""): (str(v or ""), "*") for v in values}
    frame = pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in rows[0]})
    subject = "who" if several else None
    table = Table.of(frame, quasi=columns, sensitive=["ill"], subject=subject, hierarchies=trees)
    return Puzzle(rows, chains, table)


def brute_force(
    given: Puzzle, must: Sequence[Any], suppress: float, loss: str, aggregate: str, balance: float
) -> tuple[Any, tuple[int, ...]] | None:
    """The best (loss, levels) over every node."""
    names = list(given.chains)
    heights = [len(next(iter(given.chains[name].values()))) for name in names]
    owners = {row.get("who", i) for i, row in enumerate(given.rows)}
    best: tuple[Any, int, tuple[int, ...]] | None = None
    for levels in itertools.product(*map(range, heights)):
        groups: dict[Any, list[int]] = defaultdict(list)
        for i, row in enumerate(given.rows):
            groups[tuple(given.chains[n][row[n] or ""][level] for n, level in zip(names, levels, strict=True))].append(
                i
            )
        classes = [[given.rows[i] for i in members] for members in groups.values()]
        fine = [all(holds(criterion, one, given.rows) for criterion in must) for one in classes]
        gone = [i for members, good in zip(groups.values(), fine, strict=True) if not good for i in members]
        lost = {given.rows[i].get("who", i) for i in gone}
        if not any(fine) or len(lost) > int(suppress * len(owners)):
            continue
        sizes = [(len(one), good) for one, good in zip(classes, fine, strict=True)]
        score = score_of(given, names, levels, set(gone), sizes, loss, aggregate, balance)
        rank = (score, sum(levels), levels)
        if best is None or rank < best:
            best = rank
    return None if best is None else (best[0], best[2])


def score_of(
    given: Puzzle,
    names: list[str],
    levels: tuple[int, ...],
    gone: set[int],
    sizes: list[tuple[int, bool]],
    loss: str,
    aggregate: str,
    balance: float,
) -> Any:
    """Rounded to nine digits, so that equal losses compare equal."""
    rows, withheld, published = len(given.rows), min(1, 2 * balance), min(1, 2 * (1 - balance))
    if loss == "discernibility":
        return sum(n * n if good else n * rows for n, good in sizes)
    if loss == "class-size":
        kept = sum(good for _, good in sizes) * withheld + (published if gone else 0)
        return round(rows / kept, 9) if kept else math.inf
    parts = []
    for name, level in zip(names, levels, strict=True):
        chains = given.chains[name]
        label = {value: chain[level] for value, chain in chains.items()}
        if loss == "height":
            parts.append(float(level))
        elif loss == "precision":
            raw = level / (len(next(iter(chains.values()))) - 1)
            parts.append(((rows - len(gone)) * raw * published + len(gone) * withheld) / rows)
        elif loss == "entropy":
            values = Counter(row[name] or "" for row in given.rows)
            labels = Counter(label[row[name] or ""] for row in given.rows)
            total = -sum(n * math.log2(n / labels[label[v]]) for v, n in values.items()) * published
            lost = Counter(label[given.rows[i][name] or ""] for i in gone)
            parts.append(total - withheld * sum(n * math.log2(n / len(gone)) for n in lost.values()))
        else:
            covered = Counter(label.values())
            total = 0.0
            for i, row in enumerate(given.rows):
                share = covered[label[row[name] or ""]] / len(chains)
                total += share + withheld * (1 - share) if i in gone else published * share
            least = published * rows / len(chains)
            parts.append(max(0.0, (total - least) / (rows - least)) if rows > least else 0.0)
    if aggregate == "rank":
        return tuple(round(part, 9) for part in sorted(parts, reverse=True))
    whole = {
        "sum": sum(parts),
        "arithmetic-mean": sum(parts) / len(parts),
        "geometric-mean": math.prod(part + 1 for part in parts) ** (1 / len(parts)) - 1,
        "maximum": max(parts),
    }
    return round(whole[aggregate], 9)


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
    [],
]
CHOICES = [("loss", a) for a in AGGREGATES] + [(n, USUAL.get(n)) for n in ("entropy", "precision", "height")]
CHOICES += [("discernibility", None), ("class-size", None)]


@pytest.mark.parametrize("part", range(8))
def test_the_best_node_is_that_of_brute_force(part: int) -> None:
    """400 tables in 8 parts: trees, losses, criteria and limits at random."""
    infeasible = 0
    for seed in range(part * 50, part * 50 + 50):
        draw = np.random.default_rng(seed + 10_000)
        given, must = puzzle(seed), MIXES[int(draw.integers(len(MIXES)))]
        loss, aggregate = CHOICES[int(draw.integers(len(CHOICES)))]
        suppress = [0.0, 0.1, 0.3, 1.0][int(draw.integers(4))]
        balance = [0.5, 0.5, 0.2, 0.8, 0.0, 1.0][int(draw.integers(6))]
        expected = brute_force(given, must, suppress, loss, aggregate or "", balance)
        mechanism = OptimalRecoding(suppress, loss, aggregate, balance=balance)
        if expected is None:
            infeasible += 1
            with pytest.raises(Infeasible):
                mechanism.protect(given.table, must)
            continue
        details = mechanism.protect(given.table, must).details
        assert details.loss == pytest.approx(expected[0], abs=2e-9), (seed, details)
        assert details.proven
        assert details.suppressed_persons <= suppress * len({r.get("who", i) for i, r in enumerate(given.rows)})
        if len(given.chains) > 1 and loss == "height":  # whole numbers: no rounding between equal losses
            assert tuple(details.levels.values()) == expected[1], (seed, details)
    assert infeasible < 25


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
    with pytest.raises(PolicyError, match="published cells already"):
        OptimalRecoding().protect(OptimalRecoding().protect(table, []).data, [])


def test_without_quasi_columns_all_rows_are_one_class() -> None:
    table = Table.of(pa.table({"x": ["a", "b"]}), quasi=[], keep=["x"])
    assert OptimalRecoding().protect(table, [KAnonymity(2)]).details.classes == 1


def test_most_nodes_are_never_looked_at() -> None:
    """Tagging and floors: on a table of 2000 people fewer than a third of the nodes."""
    details = OptimalRecoding(suppress=0.02).protect(opened(people(3, 2000)), [KAnonymity(5)]).details
    assert details.proven
    assert details.checked < details.nodes / 3
