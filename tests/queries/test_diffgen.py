"""DiffGen: its budget, what it publishes, and a brute-force check that no neighbouring table is told apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import pyarrow as pa
import pytest
from tiny_tables import Tiny, bins, confidential, exponential, neighbours, permute_and_flip

from sharewell.errors import PolicyError
from sharewell.io.sources import Source
from sharewell.queries.data import EVERY, ConfidentialTable, Range, Values
from sharewell.queries.engine.protection.budget_terms import PrivateChoice
from sharewell.queries.mechanisms import diffgen
from sharewell.queries.mechanisms.diffgen import DiffGen, Score


def people(rows: int = 400) -> ConfidentialTable:
    """Who is old is ill; weight and ward tell nothing."""
    table = pa.table(
        {
            "age": [20 + 60 * (i % 2) for i in range(rows)],
            "weight": [50 + i % 50 for i in range(rows)],
            "ward": ["abc"[i % 3] for i in range(rows)],
            "ill": ["yes" if i % 2 else "no" for i in range(rows)],
        }
    )
    domains = {
        "age": Range(0, 100),
        "weight": Range(0, 200),
        "ward": Values(("a", "b", "c")),
        "ill": Values(("yes", "no")),
    }
    return ConfidentialTable(Source.of(table), domains)


def test_the_budget_is_that_of_the_paper() -> None:
    """ε = 1, four specialisations, two ranges: 0.05 for each of ten choices, and noise of the scale 2."""
    released = DiffGen(epsilon=1.0, target="ill", columns=("age", "weight"), specialisations=4).protect(people(), [])
    assert released.details.choice_loss == pytest.approx(0.05, rel=1e-12)
    assert (released.details.choices, released.details.scale) == (10, 2.0)
    spent = released.data.spent
    assert [(term["what"], term["times"]) for term in spent["terms"]] == [
        ("specialisations", 4),
        ("splits of ranges", 6),
        ("class counts", 1),
    ]
    assert spent["epsilon"] == pytest.approx(1.0, abs=1e-12)


def test_without_ranges_no_budget_is_kept_for_splits() -> None:
    released = DiffGen(epsilon=1.0, target="ill", columns=("ward",), specialisations=5).protect(people(), [])
    assert (released.details.choices, released.details.choice_loss) == (5, pytest.approx(0.1))
    assert released.details.specialisations == 1  # the root, and then there is nothing finer


@pytest.mark.parametrize("score", ["information-gain", "majority"])
@pytest.mark.parametrize("choice", ["permute-and-flip", "exponential"])
def test_with_a_large_budget_the_telling_column_is_found(score: Score, choice: Literal["exponential"]) -> None:
    mechanism = DiffGen(epsilon=50.0, target="ill", specialisations=1, score=score, choice=choice)
    released = mechanism.protect(people(), [])
    if score == "majority":
        assert released.details.groups == {"age": 2, "weight": 1, "ward": 1}
        edge = str(released.data.keys["age"][0]).partition(", ")[2]
        assert edge in ("30)", "40)", "50)", "60)", "70)", "80)")
    assert set(released.data.keys["ill"]) == {"yes", "no", "other"}


def test_every_cell_is_published_and_every_group_is_explained() -> None:
    groups = {"ward": {"surgical": ["a", "b"]}}
    released = DiffGen(epsilon=5.0, target="ill", specialisations=6, groups=groups).protect(people(), [])
    cells = math.prod(released.details.groups.values()) * 3
    assert released.data.rows == cells == len(set(zip(*released.data.keys.values(), strict=True)))
    for column, labels in released.data.spent["labels"].items():
        known = people(1).domains[column].labels
        for label in set(released.data.keys[column]):
            assert label in known or set(labels[label]) <= set(known)
        shown = [inner for label in set(released.data.keys[column]) for inner in labels.get(label, [label])]
        assert sorted(shown) == sorted(known)


def test_few_rows_are_published_like_many() -> None:
    for rows in ([], [(1, 1)]):
        table = confidential(rows, bins(age=4, ill=2))
        released = DiffGen(epsilon=1.0, target="ill", specialisations=1).protect(table, [])
        assert (released.data.rows, released.details.groups) == (4, {"age": 2})
        one_bin = confidential(rows, bins(age=1, ill=2))
        only = DiffGen(epsilon=1.0, target="ill", specialisations=3).protect(one_bin, [])
        assert (only.data.keys["age"], only.details.specialisations) == ([EVERY, EVERY], 0)


def test_what_cannot_be_predicted_is_refused() -> None:
    for wrong, said in (
        ({"target": "zip"}, "zip"),
        ({"target": "ill", "columns": ("ill",)}, "no column to predict"),
        ({"target": "ill", "groups": {"zip": {}}}, "not predicted from"),
    ):
        with pytest.raises(PolicyError, match=said):
            DiffGen(epsilon=1.0, **wrong).protect(people(), [])  # type: ignore[arg-type]
    with pytest.raises(PolicyError, match="one class only"):
        DiffGen(epsilon=1.0, target="ill").protect(confidential([], bins(age=4, ill=1)), [])
    with pytest.raises(ValueError, match=r"^epsilon"):
        DiffGen(epsilon=math.nan, target="ill")


class Script:
    """Stands in for private choices: takes the ways that it is told, and computes their probability exactly."""

    def __init__(self, rule: str) -> None:
        self.definition = exponential if rule == "exponential" else permute_and_flip
        self.ways: list[int] = []
        self.sizes: list[int] = []
        self.chance = 1.0

    def among(self, choice: PrivateChoice, scores: Sequence[int]) -> int:
        way = self.ways[len(self.sizes)] if len(self.sizes) < len(self.ways) else 0
        self.sizes.append(len(scores))
        self.chance *= self.definition(scores, choice.scale)[way]
        return way


def outcomes(mechanism: DiffGen, table: ConfidentialTable, script: Script) -> dict[tuple[int, ...], float]:
    """Every sequence of choices, and how probable it is."""
    found: dict[tuple[int, ...], float] = {}
    script.ways = []
    while True:
        script.sizes, script.chance = [], 1.0
        mechanism._specialised(table, ["age"])
        ways = [*script.ways, *[0] * (len(script.sizes) - len(script.ways))]
        found[tuple(ways)] = script.chance
        while ways and ways[-1] + 1 == script.sizes[len(ways) - 1]:
            ways.pop()
        if not ways:
            return found
        script.ways = [*ways[:-1], ways[-1] + 1]


@pytest.mark.parametrize("score", ["information-gain", "majority"])
@pytest.mark.parametrize(("per_person", "kind"), [(1, "add-remove"), (2, "add-remove"), (1, "change-one")])
def test_no_neighbouring_tables_are_told_apart(
    score: Score,
    per_person: int,
    kind: Literal["add-remove", "change-one"],
    full_size: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All tables of one row over four bins and two classes, with all neighbours (or every fourth of those who differ by
    two rows): the probability of every sequence of
    choices, exactly, times what the noise on counts adds at worst, differs by e^ε at most."""
    epsilon, shape = 1.0, (4, 2)
    mechanism = DiffGen(epsilon=epsilon, target="ill", specialisations=2, score=score, choice="exponential")
    script = Script("exponential")
    monkeypatch.setattr(PrivateChoice, "among", lambda self, scores: script.among(self, scores))
    known: dict[Tiny, dict[tuple[int, ...], float]] = {}

    def chances(rows: Tiny) -> dict[tuple[int, ...], float]:
        if rows not in known:
            known[rows] = outcomes(mechanism, confidential(rows, bins(age=4, ill=2), per_person, kind), script)
        return known[rows]

    worst = 0.0
    for here, there in list(neighbours(shape, 1, per_person, kind))[:: 1 if full_size or per_person == 1 else 4]:
        a, b = chances(here), chances(there)
        assert sum(a.values()) == pytest.approx(1)
        assert a.keys() == b.keys()
        worst = max(worst, *(abs(math.log(a[way] / b[way])) for way in a))
    assert epsilon / 50 < worst <= epsilon / 2 * (1 + 1e-9)  # the other half is for the counts


def test_the_choices_of_both_halves_are_covered() -> None:
    """A replaced row moves the scores of both halves of an interval: their noise is twice as large."""

    def scales(kind: Literal["add-remove", "change-one"], score: Score) -> list[float]:
        table = confidential([], bins(age=4, ill=2), 1, kind)
        released = DiffGen(epsilon=1.0, target="ill", specialisations=2, score=score).protect(table, [])
        return [term["scale"] for term in released.data.spent["terms"]]

    once, twice = scales("add-remove", "information-gain"), scales("change-one", "information-gain")
    assert [b / a for a, b in zip(once, twice, strict=True)] == pytest.approx([1, 2, 2])
    once, twice = scales("add-remove", "majority"), scales("change-one", "majority")
    assert [b / a for a, b in zip(once, twice, strict=True)] == pytest.approx([2, 2, 2])


def test_counts_are_those_of_the_published_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    real = diffgen.noisy
    monkeypatch.setattr(diffgen, "noisy", lambda counts, *more: (counts, real(counts, *more)[1]))
    released = DiffGen(epsilon=1.0, target="ill", specialisations=5).protect(people(), [])
    assert released.data.counts.sum() == 400
    ill = [
        count for label, count in zip(released.data.keys["ill"], released.data.counts, strict=True) if label == "yes"
    ]
    assert sum(ill) == 200
    assert released.data.counts.min() >= 0
