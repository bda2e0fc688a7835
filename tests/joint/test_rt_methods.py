"""The search for the order of protection: all six methods, and the one that loses least."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeSets
from sharewell.errors import Infeasible
from sharewell.joint import NCP, KKmAnonymity, RTAnonymization, RTData
from sharewell.joint.engine.protection.rt_methods import METHODS, Trial, Tried, least_lossy
from sharewell.tables import Table

person = st.tuples(
    st.integers(20, 26) | st.none(), st.sampled_from(["F", "M", None]), st.sets(st.sampled_from("abcdef"), max_size=4)
)
people = st.lists(person, min_size=2, max_size=12)


def opened(rows: list[Any]) -> RTData:
    ages, sexes, codes = zip(*rows, strict=True)
    frame = pa.table({"age": pa.array(ages, pa.int64()), "sex": pa.array(sexes, pa.string())})
    return RTData.of(Table.of(frame, quasi=["age", "sex"]), CodeSets.of([sorted(one) for one in codes]))


def each_method(data: RTData, k: int, m: int, bound: float) -> dict[str, float]:
    """Joint NCP of every method that keeps its bound, one release at a time."""
    lost = {}
    for driver, merge in METHODS:
        try:
            found = RTAnonymization(bound, merge, driver).protect(data, [KKmAnonymity(k, m)])
        except Infeasible:
            continue
        value = NCP().score(data, found.data).value
        lost[f"{driver}-{merge}"] = 1.0 if value is None else float(value)
    return lost


@given(people, st.integers(1, 3), st.integers(1, 2), st.sampled_from([0.1, 0.4, 0.8]))
@settings(max_examples=40, deadline=None)
def test_the_search_takes_the_least_lossy_of_all_methods(rows: Any, k: int, m: int, bound: float) -> None:
    data = opened(rows)
    apart = each_method(data, k, m, bound)
    mechanism = RTAnonymization(bound, driver="search")
    if not apart:
        with pytest.raises(Infeasible):
            mechanism.protect(data, [KKmAnonymity(k, m)])
        return
    found = mechanism.protect(data, [KKmAnonymity(k, m)])
    assert KKmAnonymity(k, m).check(found.data).ok
    tried = {one.method: one for one in found.details.tried}
    assert list(tried) == [f"{driver}-{merge}" for driver, merge in METHODS]
    assert {name for name, one in tried.items() if one.loss is not None} == set(apart)
    assert all(one.refused for one in tried.values() if one.loss is None)
    (chosen,) = [one for one in tried.values() if one.chosen]
    assert chosen.loss == pytest.approx(min(one.loss for one in tried.values() if one.loss is not None))
    if data.codes.sets.items.size:
        assert chosen.loss == pytest.approx(min(apart.values()))
        assert NCP().score(data, found.data).value == pytest.approx(chosen.loss)


@given(people, st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_the_order_of_the_people_does_not_matter(rows: Any, random: Any) -> None:
    other = list(rows)
    random.shuffle(other)
    mechanism, must = RTAnonymization(0.9, driver="search"), [KKmAnonymity(2, 2)]
    try:
        one = mechanism.protect(opened(rows), must)
    except Infeasible:
        return
    two = mechanism.protect(opened(other), must)
    assert one.details == two.details
    texts = [sorted(map(str, found.data.arrow.to_pylist())) for found in (one, two)]
    assert texts[0] == texts[1]


def test_of_equal_losses_the_first_is_taken_and_refusals_are_told() -> None:
    def runs(loss: float) -> Any:
        return lambda method, least: Tried(Trial(method, loss, 0.0, loss), method)

    def fails(method: str, least: float) -> Any:
        raise Infeasible("some-mechanism — too few persons", relaxations=["a smaller k"])

    result, trials = least_lossy([("a", fails), ("b", runs(0.5)), ("c", runs(0.5 - 1e-12)), ("d", runs(0.6))])
    assert result == "b"
    assert [one.chosen for one in trials] == [False, True, False, False]
    assert trials[0].refused == "too few persons"
    with pytest.raises(Infeasible, match="too few"):
        least_lossy([("a", fails)])
