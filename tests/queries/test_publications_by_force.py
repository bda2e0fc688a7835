"""Publications against the definition: all small tables, each with one person more, less or replaced.

Noise is taken away and choices are made in every way there is. What is published must then be the same for every table:
whatever else depended on the data would have been published without being paid for. What noise hides, and how probable
each way is, must be within the stated loss: in sum over the scale (Laplace), in squared length over twice the squared
scale (Gauss), and by the probabilities of each choice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations_with_replacement, product

import numpy as np
import pyarrow as pa
import pytest
from tiny_tables import Row, bins, exponential, permute_and_flip

from sharewell.io.sources import Source
from sharewell.opendp_noise import VectorNoise
from sharewell.queries.data import ConfidentialTable, Domain, Neighbours, Values
from sharewell.queries.engine.protection.budget_terms import PrivateChoice
from sharewell.queries.engine.protection.publication import Publication
from sharewell.queries.mechanisms.consistent_tree import ConsistentTree
from sharewell.queries.mechanisms.data_cube import DataCube
from sharewell.queries.mechanisms.diffgen import DiffGen
from sharewell.queries.mechanisms.noisy_marginals import NoisyMarginals
from sharewell.queries.mechanisms.privelet import Privelet

Ways = tuple[int, ...]


@dataclass
class Run:
    """One publication: its numbers before noise with their scales, the scores of its choices, and what was shown."""

    ways: Ways
    numbers: list[tuple[float, np.ndarray]] = field(default_factory=list)
    scores: list[tuple[PrivateChoice, tuple[int, ...]]] = field(default_factory=list)
    shown: object = None


def runs(mechanism: Publication, table: ConfidentialTable, patch: pytest.MonkeyPatch) -> dict[Ways, Run]:
    """Every way in which the choices can fall."""
    found: dict[Ways, Run] = {}
    ways: list[int] = []
    while True:
        run = _run(mechanism, table, tuple(ways), patch)
        sizes = [len(scores) for _, scores in run.scores]
        ways += [0] * (len(sizes) - len(ways))
        run.ways = tuple(ways)
        found[run.ways] = run
        while ways and ways[-1] + 1 == sizes[len(ways) - 1]:
            ways.pop()
        if not ways:
            return found
        ways[-1] += 1


def _run(mechanism: Publication, table: ConfidentialTable, ways: Ways, patch: pytest.MonkeyPatch) -> Run:
    run = Run(ways)

    def add(noise: VectorNoise, counts: np.ndarray) -> np.ndarray:
        run.numbers.append((noise.scale, counts.copy()))
        return np.arange(len(counts), dtype=np.int64) ** 2 % 11  # anything but what the data say

    def among(choice: PrivateChoice, scores: Sequence[int]) -> int:
        run.scores.append((choice, tuple(scores)))
        return ways[len(run.scores) - 1] if len(run.scores) <= len(ways) else 0

    patch.setattr(VectorNoise, "add", add)
    patch.setattr(PrivateChoice, "among", among)
    released = mechanism.protect(table, [])
    keys = {name: list(labels) for name, labels in released.data.keys.items()}
    run.shown = (keys, released.data.counts.tolist(), released.data.spent, asdict(released.details))
    return run


def _assert_stated(choice: PrivateChoice, moves: Sequence[int], more_rows: bool) -> None:
    """No score moves farther than the choice is made for; where it says so, more rows lower none."""
    assert max(map(abs, moves)) <= choice.moved
    assert not (choice.monotone and more_rows) or min(moves) >= 0


def loss(here: Run, there: Run, pure: bool, more_rows: bool) -> float:
    """Of seeing this one way: by the definitions alone. `more_rows`: there are the rows that are here, and more."""
    total = 0.0
    for (scale, mine), (other_scale, other) in zip(here.numbers, there.numbers, strict=True):
        assert scale == other_scale
        apart = (mine - other).astype(float)
        total += abs(apart).sum() / scale if pure else (apart**2).sum() / (2 * scale**2)
    signed = 0.0
    for way, (choice, mine), (_, other) in zip(here.ways, here.scores, there.scores, strict=True):
        if pure:
            law = exponential if choice.rule == "exponential" else permute_and_flip
            lost = math.log(law(mine, choice.scale)[way] / law(other, choice.scale)[way])
            signed += lost
        else:  # Gumbel noise: the range of the scores' moves, squared, over 8
            moved = np.subtract(mine, other)
            lost = ((moved.max() - moved.min()) / choice.scale) ** 2 / 8
            total += lost
        assert abs(lost) <= choice.loss * (1 + 1e-9)
        _assert_stated(choice, [b - a for a, b in zip(mine, other, strict=True)], more_rows)
    return total + abs(signed)


def people(domains: Mapping[str, Domain], rows_per_person: int) -> tuple[list[tuple[Row, ...]], list[tuple[Row, ...]]]:
    """Others, and all that one person may have; of few cells, one row more than counts, too.

    Others are nobody or somebody; where scores are entropies, also two who are unlike: one more row may then lower some
    scores and raise others.
    """
    cells = list(product(*(range(len(one.labels)) for one in domains.values())))
    others: list[tuple[Row, ...]] = [(), (cells[-1],)]
    if "ill" in domains:
        others.append((cells[0], cells[len(cells) // 2]))
    most = rows_per_person + (len(cells) <= 4)
    own = [one for n in range(most + 1) for one in combinations_with_replacement(cells, n)]
    return others, own


def table(
    others: Sequence[Row], own: Sequence[Row], domains: Mapping[str, Domain], rows_per_person: int, kind: Neighbours
) -> ConfidentialTable:
    rows = [*others, *own]
    columns = {
        name: pa.array([_cell(domain, row[i]) for row in rows], pa.string())
        for i, (name, domain) in enumerate(domains.items())
    }
    who = pa.array([f"p{i}" for i in range(len(others))] + ["z"] * len(own), pa.string())
    return ConfidentialTable(Source.of(pa.table({**columns, "who": who})), domains, "who", rows_per_person, kind)


def _cell(domain: Domain, place: int) -> str:
    return str(domain.labels[place]) if isinstance(domain, Values) else str(place)


def pairs(own: Sequence[tuple[Row, ...]], kind: Neighbours) -> Iterator[tuple[int, int]]:
    """With or without the person's rows; or with any rows for any others."""
    for i, j in product(range(len(own)), repeat=2):
        if i != j and (kind == "change-one" or not own[i]):
            yield i, j


ONE_CATEGORY: dict[str, Domain] = {"sex": Values(("F",))}
CASES: dict[str, tuple[type[Publication], dict[str, object], Mapping[str, Domain]]] = {
    "histogram": (NoisyMarginals, {}, bins(age=4)),
    "histogram of one bin": (NoisyMarginals, {}, bins(age=1)),
    "marginals": (NoisyMarginals, {"of": [["a"], ["b"], ["a", "b"]]}, bins(a=2, b=2)),
    "wavelet of four": (Privelet, {"transformed": ("age",)}, bins(age=4)),
    "wavelet of three": (Privelet, {"transformed": ("age",)}, bins(age=3)),
    "wavelet of one": (Privelet, {"transformed": ("age",)}, bins(age=1)),
    "wavelet of one category": (Privelet, {"transformed": ("sex",)}, ONE_CATEGORY),
    "wavelet both ways": (Privelet, {"transformed": ("age", "sex")}, {**bins(age=2), **ONE_CATEGORY}),
    "wavelet one way": (Privelet, {"transformed": ("a",)}, bins(a=2, b=2)),
    "tree of four": (ConsistentTree, {"branches": 2}, bins(age=4)),
    "tree of three": (ConsistentTree, {"branches": 2}, bins(age=3)),
    "wide tree": (ConsistentTree, {"branches": 4}, bins(age=4)),
    "tree of one": (ConsistentTree, {"branches": 2}, bins(age=1)),
    "cube": (DataCube, {}, bins(a=2, b=2)),
    "cube with a limit": (DataCube, {"limit": 1000.0}, {**bins(a=2), **ONE_CATEGORY}),
    "cube of single columns": (DataCube, {"ways": 1}, bins(a=2, b=2)),
    "diffgen": (DiffGen, {"target": "ill", "specialisations": 2}, bins(age=2, ill=2)),
    "diffgen of three bins": (DiffGen, {"target": "ill", "specialisations": 2}, bins(age=3, ill=2)),
    "diffgen of three bins by majority": (
        DiffGen,
        {"target": "ill", "specialisations": 2, "score": "majority", "choice": "exponential"},
        bins(age=3, ill=2),
    ),
    "diffgen of one category": (DiffGen, {"target": "ill", "specialisations": 1}, {**ONE_CATEGORY, **bins(ill=2)}),
}


@pytest.mark.parametrize(
    ("budget", "rows_per_person", "kind"),
    [
        ({"epsilon": 0.75}, 2, "add-remove"),
        ({"epsilon": 0.75}, 1, "change-one"),
        ({"rho": 0.125}, 2, "add-remove"),
        ({"rho": 0.125}, 1, "change-one"),
    ],
    ids=str,
)
@pytest.mark.parametrize("case", CASES)
def test_nobody_is_seen_beyond_the_stated_loss(
    case: str, budget: dict[str, float], rows_per_person: int, kind: Neighbours, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, options, domains = CASES[case]
    mechanism, [(unit, amount)] = make(**budget, **options), budget.items()  # type: ignore[arg-type]
    everyone, own = people(domains, rows_per_person)
    worst, public = 0.0, None
    for others in everyone:
        seen = [runs(mechanism, table(others, one, domains, rows_per_person, kind), monkeypatch) for one in own]
        for one in seen:
            shown = {ways: run.shown for ways, run in one.items()}
            public = shown if public is None else public
            assert shown == public, "published, though neither noise nor a paid choice hides it"
        for i, j in pairs(own, kind):
            more = kind == "add-remove"
            worst = max(worst, *(loss(one, seen[j][ways], unit == "epsilon", more) for ways, one in seen[i].items()))
    assert public is not None
    assert all(shown[2][unit] <= amount for shown in public.values())  # type: ignore[index]
    assert worst <= amount * (1 + 1e-9)
    assert worst >= amount / 20, "the test would notice"
