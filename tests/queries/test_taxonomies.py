"""Taxonomies and cuts: what groups may be, scores by brute force, and how far one row moves them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tiny_tables import neighbours

from sharewell.errors import PolicyError
from sharewell.queries.data import Range, Values
from sharewell.queries.engine.protection.taxonomies import (
    UNIT,
    Cuts,
    information_gain,
    majority,
    most_gain,
    split,
    taxonomy,
)

WARDS = Values(("a", "b", "c", "d"))


def test_groups_may_be_nested_and_leave_values_out() -> None:
    tree = taxonomy("ward", WARDS, {"north": {"inner": ["a"], "outer": ["b"]}})
    assert [(child.label, child.places) for child in tree.children] == [
        ("north", (0, 1)),
        ("c", (2,)),
        ("d", (3,)),
        ("other", (4,)),
    ]
    assert [child.label for child in tree.children[0].children] == ["inner", "outer"]
    assert sorted(place for child in tree.children for place in child.places) == list(range(5))


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ({"x": ["a"], "y": ["a", "b"]}, "in two groups"),
        ({"x": ["nobody"]}, "none of its public ones"),
        ({"a": ["a", "b"]}, "named as another"),
        ({"*": ["a", "b"]}, "named as another"),
        ({"x": []}, "empty"),
        ({"x": "a"}, "list of values"),
    ],
)
def test_groups_that_make_no_tree_are_refused_without_a_value(groups: dict[str, object], said: str) -> None:
    with pytest.raises(PolicyError, match=said) as caught:
        taxonomy("ward", WARDS, groups)
    assert "nobody" not in str(caught.value)


def test_a_range_is_split_at_public_edges_alone() -> None:
    ages = Range(0, 100)
    root = taxonomy("age", ages)
    left, right = split(root, ages, 3)
    assert (left.label, right.label) == ("[0, 30)", "[30, 100]")
    assert split(right, ages, 1)[0].label == "[30, 40)"
    with pytest.raises(PolicyError, match="leave the groups out"):
        taxonomy("age", ages, {"x": ["[0, 10)"]})


def test_information_gain_is_entropy_less_that_of_the_parts() -> None:
    """9 and 5 of 14, in parts of 6, 2 and 3, 3: .04812703 bits."""
    assert information_gain([np.array([6, 2]), np.array([3, 3])]) / UNIT == pytest.approx(0.04812703, abs=2 / UNIT)
    assert information_gain([np.array([0, 0]), np.array([0, 0])]) == 0
    assert information_gain([np.eye(3, dtype=np.int64)[i] for i in range(3)]) in (most_gain(3), most_gain(3) - 1)


@pytest.mark.parametrize(("per_person", "kind"), [(1, "add-remove"), (2, "add-remove"), (1, "change-one")])
def test_no_score_moves_farther_than_is_said(per_person: int, kind: str) -> None:
    """All tables of at most two rows over three values and two classes, and all that one person makes of them."""
    moved_most = moved_gain = 0
    for here, there in neighbours((3, 2), 2, per_person, kind):  # type: ignore[arg-type]
        (a, gain_a), (b, gain_b) = _scores(here), _scores(there)
        moved_most = max(moved_most, *(abs(x - y) for x, y in zip(a, b, strict=True)))
        moved_gain = max(moved_gain, *(abs(x - y) for x, y in zip(gain_a, gain_b, strict=True)))
        if kind == "add-remove":  # more rows lower no majority
            assert all(x <= y for x, y in zip(a, b, strict=True))
    assert moved_most <= per_person * (2 if kind == "change-one" else 1)
    assert moved_gain <= most_gain(2)
    assert moved_gain > most_gain(2) / 2


def _scores(rows: tuple[tuple[int, ...], ...]) -> tuple[list[int], list[int]]:
    counts = np.zeros((3, 2), np.int64)
    for value, label in rows:
        counts[value, label] += 1
    ways = [[counts[:1].sum(0), counts[1:].sum(0)], [counts[:2].sum(0), counts[2:].sum(0)], list(counts)]
    return [majority(way) for way in ways], [information_gain(way) for way in ways]


def test_a_cut_becomes_finer_until_nothing_is_left() -> None:
    domains = {"ward": WARDS, "age": Range(0, 3, bins=3)}
    counts = {"ward": np.ones((5, 2), np.int64), "age": np.ones((3, 2), np.int64)}
    cuts = Cuts(domains, counts, majority, lambda scores: 0, lambda scores: 0)
    cuts.plant({name: taxonomy(name, domain) for name, domain in domains.items()})
    sizes = [cuts.cells]
    while cuts.refine(most_cells=100):
        sizes.append(cuts.cells)
    assert sizes == [1, 5, 10, 15]
    assert [node.label for node in cuts.nodes["age"]] == ["[0, 1)", "[1, 2)", "[2, 3]"]


def test_a_refinement_that_makes_too_many_cells_is_not_offered() -> None:
    domains = {"ward": WARDS, "age": Range(0, 3, bins=3)}
    counts = {"ward": np.ones((5, 2), np.int64), "age": np.ones((3, 2), np.int64)}
    cuts = Cuts(domains, counts, majority, lambda scores: 0, lambda scores: 0)
    cuts.plant({name: taxonomy(name, domain) for name, domain in domains.items()})
    while cuts.refine(most_cells=4):
        pass
    assert (len(cuts.nodes["ward"]), len(cuts.nodes["age"])) == (1, 3)
    assert math.prod(len(nodes) for nodes in cuts.nodes.values()) == cuts.cells
