"""How many answers of a beacon are still yes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sharewell.genomes import BeaconAnswers, BeaconRelease, Genotypes, TrueAnswers

Calls = list[list[int]]


@given(st.lists(st.lists(st.integers(-1, 2), min_size=4, max_size=4), min_size=2, max_size=5), st.integers(0, 3))
def test_denied_alleles_are_those_that_are_lost(calls: Calls, carriers: int) -> None:
    people = Genotypes.of(calls)
    released = BeaconRelease(carriers=carriers).protect(people, must=[])
    found = TrueAnswers().score(people, released.data)
    carried = sum(any(row[i] > 0 for row in calls) for i in range(4))
    if not carried:
        assert found.value is None
        return
    assert found.value == (carried - released.details.denied) / carried
    assert found.details.denied == released.details.denied


def test_answers_about_other_snps_are_not_compared() -> None:
    people = Genotypes.of(np.array([[0, 1, 2], [1, 0, 0]]))
    other = BeaconAnswers.of(people).take([0])
    assert TrueAnswers().score(people, other).value is None
    assert TrueAnswers().score(people, people).value is None  # type: ignore[arg-type]
