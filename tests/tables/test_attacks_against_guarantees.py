"""What is guaranteed holds against attacks that are carried out, whatever mechanism made the release.

A simulated success rate may lie above a bound p by its sampling error. The error granted is four standard errors of a
share of p among as many targets: less than one test in thirty thousand would pass that by chance, and seeds are fixed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.attack_simulation import Simulated
from sharewell.errors import Infeasible
from sharewell.hierarchy import Intervals, Prefixes
from sharewell.keys import Key
from sharewell.protocols import Protected
from sharewell.tables import (
    AlphaKAnonymity,
    BottomUp,
    DeltaPresence,
    GBalance,
    HAffiliation,
    Homogeneity,
    KAnonymity,
    KMember,
    LDiversity,
    Linkage,
    Mondrian,
    MultiRecordLinkage,
    MultiRecordPartitioning,
    OptimalRecoding,
    Prosecutor,
    RecordShare,
    RecursiveLDiversity,
    Table,
    TopDown,
    Uniqueness,
)
from sharewell.tables.engine.cell_matching import fitting, people_like

ERRORS = 4
KEY = Key(b"a secret of the tests, thirty-two bytes")
MECHANISMS: dict[str, Callable[[], Any]] = {
    "mondrian": Mondrian,
    "mondrian, withholding": lambda: Mondrian(suppress=0.2),
    "bottom-up": BottomUp,
    "top-down": TopDown,
    "k-member": KMember,
    "optimal-recoding": lambda: OptimalRecoding(suppress=0.3),
}


def visits(seed: int, rows: int, persons: int) -> pa.Table:
    """Records of persons, some of whom come often; some values depend on age, so that classes are not alike."""
    draw = np.random.default_rng(seed)
    who = np.minimum(draw.integers(persons, size=rows), draw.integers(persons, size=rows))
    age, zips = draw.integers(20, 60, size=persons), draw.integers(4, size=persons)
    illness = np.array(["asthma", "flu", "gout", "hiv", "measles"])
    ill = (age[who] // 20 + draw.integers(4, size=rows)) % 5
    return pa.table(
        {
            "who": [f"person-{w}" for w in who],
            "age": [str(a) for a in age[who]],
            "zip": [["02139", "02138", "94110", "94112"][z] for z in zips[who]],
            "illness": illness[ill].tolist(),
        }
    )


def opened(frame: pa.Table) -> Table:
    trees = {"zip": Prefixes(), "age": Intervals(width=10, levels=2)}
    return Table.of(frame, quasi=["age", "zip"], sensitive=["illness"], subject="who", hierarchies=trees)


def within(simulated: Simulated | None, bound: float) -> bool:
    if simulated is None:
        return True
    return simulated.share <= bound + ERRORS * math.sqrt(bound * (1 - bound) / simulated.targets) + 1e-9


def protect(name: str, original: Table, must: Sequence[Any]) -> Protected[Table] | None:
    try:
        return MECHANISMS[name]().protect(original, must, KEY)  # type: ignore[no-any-return]
    except Infeasible:
        return None


sizes = {"seed": st.integers(0, 10_000), "rows": st.integers(1, 120), "persons": st.integers(1, 60)}


@pytest.mark.parametrize("mechanism", list(MECHANISMS))
@settings(max_examples=20, deadline=None)
@given(k=st.integers(1, 6), **sizes)
def test_k_anonymity_bounds_linkage(mechanism: str, k: int, seed: int, rows: int, persons: int) -> None:
    frame = visits(seed, rows, persons)
    original = opened(frame)
    protected = protect(mechanism, original, [KAnonymity(k)])
    if protected is None:
        return
    truth = protected.truth(original)
    found = Prosecutor().mount(protected.data, truth)
    assert found.value <= 1 / k
    assert within(found.details.simulated, 1 / k)
    _, first = np.unique(frame["who"].to_pylist(), return_index=True)  # one line for each person
    listed = Linkage(frame.take(first)).mount(protected.data, truth)
    unique = Uniqueness().mount(protected.data, truth)
    assert listed.value <= 1 / k, "everybody released is on the list, so that at least k people fit"
    assert within(listed.details.risk.simulated, 1 / k)
    assert k == 1 or (unique.value, unique.details.risk.simulated.successes) == (0.0, 0)


@pytest.mark.parametrize("mechanism", list(MECHANISMS))
@settings(max_examples=15, deadline=None)
@given(share=st.sampled_from(["1/4", "1/3", "1/2", "2/3"]), **sizes)
def test_shares_of_values_bound_homogeneity(mechanism: str, share: str, seed: int, rows: int, persons: int) -> None:
    original = opened(visits(seed, rows, persons))
    bound = int(share[0]) / int(share[2])
    for must in ([HAffiliation(share)], [AlphaKAnonymity(share, 2)]):
        protected = protect(mechanism, original, must)
        if protected is not None:
            found = Homogeneity().mount(protected.data, protected.truth(original))
            assert found.value <= bound + 1e-12
            assert within(found.details.risk.simulated, bound)


@pytest.mark.parametrize("mechanism", list(MECHANISMS))
@settings(max_examples=15, deadline=None)
@given(least=st.integers(2, 4), c=st.sampled_from([1, 2, 3]), **sizes)
def test_diversity_bounds_homogeneity(mechanism: str, least: int, c: int, seed: int, rows: int, persons: int) -> None:
    """Of n persons with one value each at most n − least + 1 have the same; recursively, r1 < c·(n − r1)."""
    frame = visits(seed, rows, persons)
    _, first = np.unique(frame["who"].to_pylist(), return_index=True)
    original = opened(frame.take(first))
    protected = protect(mechanism, original, [LDiversity(least)])
    if protected is not None:
        found = Homogeneity().mount(protected.data, protected.truth(original))
        largest = int(protected.data.classes.persons.max())
        assert found.value <= 1 - (least - 1) / largest + 1e-12
        assert within(found.details.risk.simulated, found.details.risk.average)
    protected = protect(mechanism, original, [RecursiveLDiversity(c, 2)])
    if protected is not None:
        found = Homogeneity().mount(protected.data, protected.truth(original))
        assert found.value < c / (c + 1)
        assert within(found.details.risk.simulated, c / (c + 1))


@pytest.mark.parametrize("mechanism", [*MECHANISMS, "multi-record-partitioning"])
@settings(max_examples=15, deadline=None)
@given(share=st.sampled_from(["1/3", "1/2", "2/3"]), **sizes)
def test_shares_of_records_bound_multiple_records(
    mechanism: str, share: str, seed: int, rows: int, persons: int
) -> None:
    """The record share by itself, and g-balance by √(1 − g). Pseudonyms are bounded by neither, but never help less."""
    original = opened(visits(seed, rows, persons))
    bound = int(share[0]) / int(share[2])
    for must, most in (([RecordShare(share)], bound), ([GBalance(share)], math.sqrt(1 - bound))):
        if mechanism == "multi-record-partitioning":
            try:
                protected = MultiRecordPartitioning().protect(original, must, KEY)
            except Infeasible:
                continue
        else:
            found_one = protect(mechanism, original, must)
            if found_one is None:
                continue
            protected = found_one
        truth = protected.truth(original)
        plain = MultiRecordLinkage().mount(protected.data, truth)
        assert plain.value <= most + 1e-12
        assert within(plain.details.risk.simulated, most)
        named = MultiRecordLinkage(pseudonyms=True).mount(protected.data, truth)
        assert named.value >= plain.value - 1e-12
        assert within(named.details.risk.simulated, float(named.value))


@settings(max_examples=25, deadline=None)
@given(delta=st.sampled_from(["1/4", "1/2", "3/4"]), seed=st.integers(0, 10_000), rows=st.integers(1, 60))
def test_presence_bounds_guesses_about_presence(delta: str, seed: int, rows: int) -> None:
    """For drawn people of the population who fit a class: the attacker says that they are in the data."""
    people = visits(seed, 200, 100)
    _, first = np.unique(people["who"].to_pylist(), return_index=True)
    people = people.take(first)
    original = opened(people.take(np.random.default_rng(seed).permutation(len(first))[:rows]))
    try:
        protected = OptimalRecoding().protect(original, [DeltaPresence(people, delta)], KEY)
    except Infeasible:
        return
    released, classes = protected.data, protected.data.classes
    listed = [people_like(column, people[column.name]) for column in released.quasi]
    cells = np.stack([column.codes[classes.order[classes.starts[:-1]]] for column in released.quasi])
    assert original.subject is not None
    inside = [original.subject.texts[code] for code in original.subject.codes[protected.rows]]
    names = np.array(people["who"].to_pylist())
    right = np.concatenate([np.isin(names[fit], inside) for _, fit in fitting(released.quasi, listed, cells)])
    bound = int(delta[0]) / int(delta[2])
    assert right.mean() <= bound + 1e-12
