"""Every node of a lattice, grouped, judged and scored by code that shares nothing with the search."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.hierarchy import Tree
from sharewell.tables import (
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
    PopulationUniqueness,
    ProsecutorRisk,
    RecursiveLDiversity,
    SampleUniqueness,
    Table,
)
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.population_uniques import ClassSizes
from sharewell.tables.engine.unique_persons import ESTIMATORS

Chains = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class EvenSize(ClassCriterion):
    """A criterion that no law of classes helps with: neither larger classes nor unions keep it."""

    name: ClassVar[str] = "even-size"
    sense: ClassVar[Any] = "≤"
    union_safe: ClassVar[bool] = False

    @property
    def bound(self) -> int:
        return 0

    def worst(self, classes: Classes) -> NDArray[np.number]:
        return np.where(classes.sizes % 3 == 2, 1, 0)


def holds(criterion: Any, rows: list[dict[str, Any]], everything: list[dict[str, Any]], people: int) -> bool:
    """The definitions, one class at a time, of which so many people fit."""
    if isinstance(criterion, KMap):
        return people >= criterion.k
    if isinstance(criterion, DeltaPresence):
        return criterion.min <= Fraction(len(rows), people) <= criterion.max
    persons = len({row["who"] for row in rows}) if "who" in rows[0] else len(rows)
    known = Counter(row["ill"] for row in rows if row["ill"] is not None)
    if isinstance(criterion, KAnonymity):
        return persons >= criterion.k
    if isinstance(criterion, LDiversity):
        return len(known) >= criterion.l
    if isinstance(criterion, EvenSize):
        return len(rows) % 3 != 2
    if isinstance(criterion, EntropyLDiversity):
        total = sum(known.values())
        entropy = -sum(n / total * math.log(n / total) for n in known.values()) if total else 0
        return len(known) >= criterion.l and entropy >= math.log(criterion.l) - 1e-9
    if isinstance(criterion, RecursiveLDiversity):
        falling = sorted(known.values(), reverse=True)
        return len(known) >= criterion.l and falling[0] < criterion.c * sum(falling[criterion.l - 1 :])
    whole, here = (Counter(row["ill"] for row in some) for some in (everything, rows))
    shares = {v: (Fraction(here[v], len(rows)), Fraction(whole[v], len(everything))) for v in here}
    if isinstance(criterion, AlphaKAnonymity):
        return len(rows) >= criterion.k and all(share <= criterion.alpha for share, _ in shares.values())
    if isinstance(criterion, BetaLikeness):
        most = {
            v: min(float(criterion.beta), -math.log(p)) if criterion.enhanced else criterion.beta
            for v, (_, p) in shares.items()
            if p < 1
        }
        return all(
            float(share) <= float(p * (1 + Fraction(most[v]))) + 1e-12 for v, (share, p) in shares.items() if p < 1
        )
    if isinstance(criterion, DeltaDisclosure):
        return all(
            Fraction(1, 2) ** criterion.delta < share / p < Fraction(2) ** criterion.delta
            for share, p in shares.values()
        )
    if criterion.distance == "ordered":
        values = sorted(whole)
        running = [
            sum(here[v] for v in values[: i + 1]) / len(rows) - sum(whole[v] for v in values[: i + 1]) / len(everything)
            for i in range(len(values))
        ]
        return sum(map(abs, running)) / max(1, len(values) - 1) <= float(criterion.t) + 1e-12
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
    others: list[dict[str, Any]] = field(default_factory=list)
    """People of the population who are not in the table."""

    def population(self) -> pa.Table:
        everybody = [*self.rows, *self.others]
        return pa.table({name: pa.array([row[name] for row in everybody], pa.string()) for name in self.chains})

    def labels(self, row: dict[str, Any], levels: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.chains[n][row[n] or ""][level] for n, level in zip(self.chains, levels, strict=True))


def puzzle(seed: int, with_population: bool = False) -> Puzzle:
    draw = np.random.default_rng(seed)
    columns = [f"q{j}" for j in range(draw.integers(1, 5))]
    chains = {name: random_tree(draw, name) for name in columns}
    size = int(draw.integers(1, 40))
    several = draw.random() < 0.3 and not with_population
    rows: list[dict[str, Any]] = []
    for _ in range(size):
        row: dict[str, Any] = {c: list(chains[c])[int(draw.integers(len(chains[c])) * draw.random())] for c in columns}
        row["ill"] = ["flu", "asthma", "gout", "acne"][int(4 * draw.random() ** 2)]
        if several:
            row["who"] = f"p{draw.integers(size)}"
        rows.append(row)
    trees: dict[str, Any] = {name: Tree(list(chains[name].values())) for name in columns}
    flat = columns[-1] if draw.random() < 0.4 and not with_population else None
    if flat:
        del trees[flat]
        for row in rows:
            row[flat] = None if draw.random() < 0.2 else row[flat]
        values = {row[flat] for row in rows}
        chains[flat] = {str(v or ""): (str(v or ""), "*") for v in values}
    frame = pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in rows[0]})
    subject = "who" if several else None
    table = Table.of(frame, quasi=columns, sensitive=["ill"], subject=subject, hierarchies=trees)
    more = int(draw.integers(0, 3 * size)) if with_population else 0
    others = [{c: list(chains[c])[int(draw.integers(len(chains[c])))] for c in columns} for _ in range(more)]
    return Puzzle(rows, chains, table, others)


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
            groups[given.labels(row, levels)].append(i)
        people = Counter(given.labels(row, levels) for row in [*given.rows, *given.others])
        kept = kept_of(given, must, levels, groups, people, (loss, aggregate))
        gone = [i for label, members in groups.items() if label not in kept for i in members]
        lost = {given.rows[i].get("who", i) for i in gone}
        if not kept or len(lost) > int(suppress * len(owners)) or without_class(must, people, kept):
            continue
        sizes = [(len(members), label in kept) for label, members in groups.items()]
        score = score_of(given, names, levels, set(gone), sizes, loss, aggregate, balance)
        rank = (score, sum(levels), levels)
        if best is None or rank < best:
            best = rank
    return None if best is None else (best[0], best[2])


def without_class(must: Sequence[Any], people: Counter[Any], kept: set[Any]) -> bool:
    """A least presence asks that everybody fit a published class."""
    return any(getattr(criterion, "min", 0) for criterion in must) and any(label not in kept for label in people)


def kept_of(
    given: Puzzle,
    must: Sequence[Any],
    levels: tuple[int, ...],
    groups: dict[Any, list[int]],
    people: Counter[Any],
    choice: tuple[str, str],
) -> set[Any]:
    """The classes that are published: those that hold, less the riskiest until all hold together."""
    alone = [one for one in must if not isinstance(one, OVERALL) or isinstance(one, InstanceDisclosure)]
    kept = {
        label
        for label, members in groups.items()
        if all(holds(one, [given.rows[i] for i in members], given.rows, people[label]) for one in alone)
    }
    asked = [pair for criterion in must for pair in overall(given, criterion, groups, people)]
    while kept:
        unmet = [(risk, fine) for risk, fine in asked if not fine(kept)]
        if not unmet:
            break
        risk, fine = unmet[0]
        order = sorted(
            kept,
            key=lambda x: (-risk(x), len(groups[x]), class_loss(given, levels, groups[x], *choice), groups[x][0]),
        )
        low, high = 0, len(order)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if fine(set(order[middle:])) else (middle + 1, high)
        kept = set(order[low:])
    return kept


OVERALL = (MarketerRisk, SampleUniqueness, PopulationUniqueness, InstanceDisclosure, ProsecutorRisk, JournalistRisk)
Risk = Callable[[Any], Any]
Fine = Callable[[set[Any]], bool]


def overall(
    given: Puzzle, criterion: Any, groups: dict[Any, list[int]], people: Counter[Any]
) -> list[tuple[Risk, Fine]]:
    """What a criterion asks of all classes together: the risk of a person in a class, and does it hold for these?"""
    persons = {label: len({given.rows[i].get("who", i) for i in members}) for label, members in groups.items()}

    def worst(kept: set[Any], risk: Risk) -> list[Any]:
        """The risk of each person, in the worst of their classes."""
        found: dict[Any, Any] = {}
        for x in kept:
            for who in {given.rows[i].get("who", i) for i in groups[x]}:
                found[who] = max(found.get(who, 0), risk(x))
        return list(found.values())

    def average_of_persons(risk: Risk, bound: Fraction) -> tuple[Risk, Fine]:
        return risk, lambda kept: bool(kept) and sum(worst(kept, risk)) <= bound * len(worst(kept, risk))

    if isinstance(criterion, MarketerRisk):
        among = persons if criterion.population is None else people
        return [average_of_persons(lambda x: Fraction(1, among[x]), criterion.max)]
    if isinstance(criterion, ProsecutorRisk | JournalistRisk):
        size = persons if isinstance(criterion, ProsecutorRisk) else people

        def few_at_risk(kept: set[Any]) -> bool:
            at_risk = worst(kept, lambda x: Fraction(1, size[x]) > criterion.max)
            return bool(kept) and sum(at_risk) <= criterion.share * len(at_risk)

        return [(lambda x: Fraction(Fraction(1, size[x]) > criterion.max, size[x]), few_at_risk)]
    if isinstance(criterion, SampleUniqueness):
        return [average_of_persons(lambda x: Fraction(persons[x] == 1), criterion.max)]
    if isinstance(criterion, InstanceDisclosure):
        found = []
        if criterion.average is not None:
            found.append(average_of_persons(lambda x: Fraction(persons[x], people[x]), criterion.average))
        if criterion.reidentification is not None:
            found.append(average_of_persons(lambda x: Fraction(1, people[x]), criterion.reidentification))
        return found
    if isinstance(criterion, PopulationUniqueness):

        def estimated(kept: set[Any]) -> bool:
            if not kept:
                return False
            sizes = ClassSizes.of(np.array([persons[x] for x in kept]))
            classes_of = Counter(who for x in kept for who in {given.rows[i].get("who", i) for i in groups[x]})
            alone_in = Counter(given.rows[groups[x][0]].get("who", groups[x][0]) for x in kept if persons[x] == 1)
            # The estimators know one class a person: the population is blown up to as many memberships.
            every = criterion.population_size * classes_of.total() // len(classes_of)
            uniques = ESTIMATORS[criterion.estimator](sizes, every).uniques
            if uniques is None:
                return False
            if classes_of.total() == len(classes_of):
                return uniques / criterion.population_size <= float(criterion.max)
            chance = uniques * sizes.total / every / max(1, len([x for x in kept if persons[x] == 1]))
            unique = sum(min(number * chance, max(1.0, chance)) for number in alone_in.values())
            return unique / len(classes_of) <= float(criterion.max)

        return [(lambda x: Fraction(1, persons[x]), estimated)]
    return []


def class_loss(given: Puzzle, levels: tuple[int, ...], members: list[int], loss: str, aggregate: str) -> Any:
    """What a class loses by generalisation alone, as far as the loss says."""
    if loss != "loss":
        return 0
    row, parts = given.rows[members[0]], []
    for (_, chains), label, level in zip(given.chains.items(), given.labels(row, levels), levels, strict=True):
        covered = sum(chain[level] == label for chain in chains.values())
        parts.append(len(members) * covered / len(chains))
    if aggregate == "rank":
        return sorted(parts, reverse=True)
    if aggregate == "maximum":
        return max(parts)
    return math.prod(part + 1 for part in parts) if aggregate == "geometric-mean" else sum(parts)


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
