"""What every kind of hierarchy must obey, on generated values."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.hierarchy import (
    ICD9CM,
    ICD10CM,
    Dates,
    Flat,
    Intervals,
    Levels,
    Ordered,
    Prefixes,
    SafeHarborZip,
    Tree,
    Zip,
)

ODD = st.sampled_from(["", " ", "*", "odd", "[1-2]", "021*", "0213*", "2015", "2015-2019", "2013-2017", "under 0", "-"])
DAYS = st.dates(date(1, 1, 1), date(9999, 12, 31)).map(date.isoformat)
MONTHS = st.dates(date(2014, 1, 1), date(2017, 12, 31)).map(date.isoformat)
CODES10 = ICD10CM().codes()
CODES9 = ICD9CM().codes()
TREE = [
    ["a", "x", "u", "*"],
    ["b", "x", "u", "*"],
    ["c", "y", "u", "*"],
    ["Other", "Other", "v", "*"],
    ["misc", "Other", "v", "*"],
    ["d", "v"],
    ["e"],
]

KINDS = {
    "date": (Dates(on_gap="root"), DAYS | MONTHS | MONTHS.map(lambda d: d[:7]) | MONTHS.map(lambda d: d + "T10:30")),
    "date-long": (Dates(spans=[4, 100], on_gap="root"), DAYS | MONTHS.map(lambda d: d[:4])),
    "intervals": (Intervals(on_gap="root"), st.integers(-50, 120).map(str)),
    "intervals-wide": (Intervals(width=3, levels=4, origin=1, on_gap="root"), st.integers(-(10**11), 10**11).map(str)),
    "decimals": (Intervals(width=0.5, whole=False, on_gap="root"), st.decimals(-9, 9, places=2).map(str)),
    "cuts": (Intervals(cuts=[[0, 18, 45, 65, 80], [0, 65]], on_gap="root"), st.integers(-5, 120).map(str)),
    "prefix": (Prefixes(), st.text("012*", min_size=1, max_size=5)),
    "prefix-3": (Prefixes(lengths=[3, 1]), st.text("012*", min_size=1, max_size=5)),
    "zip": (Zip(on_gap="root"), st.from_regex(r"\A0[0-3]\d{3}(-\d{4})?\Z")),
    "safe-harbor-zip": (SafeHarborZip(on_gap="root"), st.from_regex(r"\A0[0-3]\d{3}(-\d{4})?\Z")),
    "icd10cm": (
        ICD10CM(),
        st.sampled_from(CODES10)
        | st.sampled_from(CODES10).map(lambda c: c.replace(".", "").lower())
        | st.sampled_from(CODES10).map(lambda c: c + "9")
        | st.sampled_from(["E11", "E11.65", "E1165", "C4A.0", "C44", "C43-C44", "ch02", "ICD"]),
    ),
    "icd9cm": (ICD9CM(), st.sampled_from(CODES9) | st.sampled_from(["E812.0", "e8120", "042", "V91", "001-009"])),
    "tree": (Tree(TREE, on_gap="root"), st.sampled_from([*"abcdexyuv", "Other", "misc"])),
    "order": (Ordered(list("abcdef"), {"low": list("bc")}, on_gap="root"), st.sampled_from([*"abcdef", "low"])),
    "flat": (Flat(), st.text(max_size=3)),
}

kinds = pytest.mark.parametrize("kind", KINDS)


def compiled(kind: str, data: st.DataObject) -> tuple[object, Levels]:
    hierarchy, values = KINDS[kind]
    drawn = data.draw(st.lists(values | ODD, min_size=1, max_size=30, unique=True))
    return hierarchy, hierarchy.compile(drawn)


def labels_of(levels: Levels, position: int) -> list[str]:
    """The labels above a position, repeats left out."""
    column = [levels.labels[node] for node in levels.nodes[:, position]]
    return [label for i, label in enumerate(column) if i == 0 or label != column[i - 1]]


@kinds
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_every_node_covers_a_run_of_positions(kind: str, data: st.DataObject) -> None:
    """At each level equal nodes stand side by side, and the root covers all."""
    _, levels = compiled(kind, data)
    for row in levels.nodes:
        changes = 1 + int(np.count_nonzero(row[1:] != row[:-1]))
        assert changes == len(np.unique(row))
    assert {levels.labels[node] for node in levels.nodes[-1]} == {"*"}


@kinds
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_chain_and_compile_agree(kind: str, data: st.DataObject) -> None:
    """One value at a time gives the labels that many at once give."""
    hierarchy, levels = compiled(kind, data)
    for position, value in enumerate(levels.values):
        chain = hierarchy.chain(value)
        assert chain[-1] == "*"
        assert labels_of(levels, position) == [c for i, c in enumerate(chain) if i == 0 or c != chain[i - 1]]


@kinds
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_levels_nest(kind: str, data: st.DataObject) -> None:
    """A node has one parent: equal at one level means equal at every level above."""
    _, levels = compiled(kind, data)
    for lower, upper in pairwise(levels.nodes):
        assert len({*zip(lower.tolist(), upper.tolist(), strict=True)}) == len(np.unique(lower))


@kinds
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_lowest_common_is_the_first_shared_label(kind: str, data: st.DataObject) -> None:
    """Runs of positions meet where the chains of all values between them first share a label."""
    hierarchy, levels = compiled(kind, data)
    size = len(levels.values)
    low, high = (a.ravel() for a in np.triu_indices(size))
    chains = [hierarchy.chain(value) for value in levels.values]
    for i, j, node in zip(low, high, levels.lowest_common(low, high), strict=True):
        between = [set(chain) for chain in chains[i : j + 1]]
        assert levels.labels[node] == next(label for label in chains[i] if all(label in other for other in between))


@kinds
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_loss_lies_between_0_and_1_and_rises(kind: str, data: st.DataObject) -> None:
    """No label loses less than one below it, and the root loses all (unless there is but one leaf)."""
    _, levels = compiled(kind, data)
    loss = levels.loss(levels.nodes)
    assert loss.min() >= 0
    assert loss.max() <= 1
    assert (np.diff(loss, axis=0) >= 0).all()
    assert levels.domain == 1 or (loss[-1] == 1).all()


@kinds
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_siblings_do_not_exceed_their_parent(kind: str, data: st.DataObject) -> None:
    """A node has at least as many leaves as the disjoint nodes one level below it together."""
    _, levels = compiled(kind, data)
    if any("T" in value for value in levels.values):
        return  # instants of one day count as that day
    for lower, upper in pairwise(levels.nodes):
        for node in np.unique(upper):
            below = [int(n) for n in np.unique(lower[upper == node]) if n != node]
            assert levels.leaves[below].sum() <= levels.leaves[node]


@kinds
@given(data=st.data())
@settings(max_examples=20, deadline=None)
def test_the_order_of_values_does_not_matter(kind: str, data: st.DataObject) -> None:
    """The same values in another order, or twice, give the same arrays."""
    hierarchy, levels = compiled(kind, data)
    again = hierarchy.compile([*reversed(levels.values), levels.values[0]])
    assert again.values == levels.values
    assert again.labels == levels.labels
    assert (again.nodes == levels.nodes).all()
    assert (again.leaves == levels.leaves).all()


@kinds
def test_no_values_at_all(kind: str) -> None:
    """An empty column compiles to an empty table."""
    levels = KINDS[kind][0].compile([])
    assert levels.values == ()
    assert levels.domain == 0
