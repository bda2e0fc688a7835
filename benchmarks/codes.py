"""Sets of codes: verification, linkage and Apriori anonymisation at size; linkage figures on public synthetic data."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv as pacsv

from benchmarks.house import Result
from sharewell.codes import CodeSets, KmAnonymity
from sharewell.codes.attacks.code_linkage import CodeLinkage
from sharewell.codes.mechanisms.apriori import Apriori
from sharewell.codes.sets import Sets
from sharewell.codes.trees import CodesTree
from sharewell.hierarchy import ICD10CM

SYNPUF = {"all": 94.5, "m=1": 1.2, "m=2": 17.4, "m=3": 44.3, "m=5": 84.7, "m=10": 99.8, "visit": 19.2}
"""Percent of the 928 persons of DE-SynPUF 1k (or of draws, 20 a person; or of visits) who are unique by their codes."""
POINTS = 1.5
"""Three standard errors of the difference of two such shares, in percentage points."""


def codes(data: Path | None, rows: int) -> Iterator[Result]:
    """A million patients with about ten of 12,000 codes each, and a tenth of them for what is slower."""
    yield from _synpuf(data)
    people = patients(rows)
    full = rows == 1_000_000
    first = patients(50_000)  # compiles, once on a machine
    KmAnonymity(5, 3).check(first)
    CodeLinkage().mount(first)
    Apriori().protect(patients(5_000), [KmAnonymity(5, 2)])
    for m, bar in ((2, 3), (3, 20)):
        seconds = _wall(lambda m=m: KmAnonymity(5, m).check(people))
        yield Result(f"verify 5^{m}-anonymity of {rows:,} patients, wall", seconds, "s", bar if full else None)
    seconds = sum(_wall(lambda m=m: CodeLinkage(m=m).mount(people)) for m in (1, 2, 3))
    yield Result(f"linkage of {rows:,} patients by 1, 2 and 3 codes, wall", seconds, "s", 60 if full else None)
    yield from _beside_dictionaries(min(rows, 20_000))
    some = patients(max(1, rows // 10))
    yield from _apriori(some, 0.0, 20 if full else None)
    yield from _apriori(some, 0.01, 20 if full else None)
    if full:
        yield from _apriori(people, 0.01, 300)


def patients(count: int, universe: int = 12_000, topics: int = 60, seed: int = 1) -> CodeSets:
    """Half of a patient's codes are drawn from all, half from the patient's topic; both with Zipf's frequencies."""
    draw = np.random.default_rng(seed)
    listed = np.array(ICD10CM().codes())
    names = listed[np.sort(draw.choice(len(listed), universe, replace=False))]
    chance = np.cumsum(1 / np.arange(1, universe + 1) ** 1.05)
    owner = np.repeat(np.arange(count), np.minimum(1 + draw.negative_binomial(2, 0.17, count), 70))
    rank = np.searchsorted(chance, draw.random(len(owner)) * chance[-1]).clip(max=universe - 1)
    turn = draw.integers(0, topics, count)[owner] * (universe // topics)
    code = draw.permutation(universe)[np.where(draw.random(len(owner)) < 0.5, (rank + turn) % universe, rank)]
    return _sets(owner, code, count, names)


def _sets(owner: Any, code: Any, count: int, names: Any) -> CodeSets:
    raw = Sets.of_pairs(owner, code, count)
    support = raw.supports(len(names))
    order = np.lexsort((names, -support))[: np.count_nonzero(support)]
    number = np.full(len(names), -1)
    number[order] = np.arange(len(order))
    kept = tuple(names[order].tolist())
    return CodeSets(raw.renumbered(number), kept, tuple((name,) for name in kept), hierarchy=ICD10CM())


def _synpuf(data: Path | None) -> Iterator[Result]:
    """How far our shares of unique persons are from those computed once by other code."""
    file = None if data is None else next(data.rglob("synpuf1k_conditions.csv"), None)
    if file is None:
        yield Result("DE-SynPUF 1k: skipped, needs --data with synpuf1k_conditions.csv", None)
        return
    frame = pacsv.read_csv(file)
    people = CodeSets.from_long(frame, subject="person_id", code="condition_concept_id", visit="start_date")
    for name, expected in SYNPUF.items():
        attack = CodeLinkage(m=int(name[2:])) if name.startswith("m=") else CodeLinkage(name)  # type: ignore[arg-type]
        unique = 100 * attack.mount(people).details.unique
        yield Result(f"DE-SynPUF 1k, unique by {name}", unique, "%")
        yield Result(f"DE-SynPUF 1k, unique by {name}, off by", abs(unique - expected), "pts", POINTS)


def _beside_dictionaries(count: int) -> Iterator[Result]:
    """The same check of pairs with a dictionary, as one would write it in a minute."""
    people = patients(count)
    records = [people.sets.row(row).tolist() for row in range(count)]

    def plainly() -> bool:
        pairs = Counter(pair for record in records for pair in itertools.combinations(record, 2))
        return min(pairs.values()) >= 5

    ours = _wall(lambda: KmAnonymity(5, 2).check(people))
    yield Result(f"verify 5²-anonymity of {count:,} patients: times quicker than dictionaries", _wall(plainly) / ours)


def _apriori(people: CodeSets, suppress: float, bar: float | None) -> Iterator[Result]:
    began = time.perf_counter()
    released = Apriori(suppress).protect(people, [KmAnonymity(5, 2)])
    seconds = time.perf_counter() - began
    assert KmAnonymity(5, 2).check(released.data).ok
    label = f"apriori of {people.records:,} patients, 5², up to {suppress:.0%} withheld"
    yield Result(f"{label}, wall", seconds, "s", bar)
    yield Result(f"{label}, NCP", 100 * _ncp(people, released.data.labels), "%")


def _wall(work: Any) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _ncp(people: CodeSets, labels: Any) -> float:
    """The mean share of all codes that a code's label covers; none if it is shown as it is, all if it is withheld."""
    tree = CodesTree.of(people)
    size = {name: int(weight) / len(tree.codes) for name, weight in zip(tree.names, tree.weights, strict=True)}
    support = people.sets.supports(len(people.names))
    lost = np.array([1.0 if (label := labels[name]) is None else size[label] for name in people.names])
    return float((lost * support).sum() / support.sum())
