"""Average presence, and uniqueness in a population, are of persons too: each counts once."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError, Infeasible
from sharewell.hierarchy import Intervals
from sharewell.tables import InstanceDisclosure, OptimalRecoding, PopulationUniqueness, Table, Uniqueness

F = Fraction


def visits(records: list[tuple[str | None, Any, str]], **more: Any) -> Table:
    who, q, ill = zip(*records, strict=True)
    frame = pa.table({"who": pa.array(who, pa.string()), "q": list(q), "ill": list(ill)})
    return Table.of(frame, quasi=["q"], sensitive=["ill"], subject="who", **more)


def frequent_visitors() -> list[tuple[str | None, Any, str]]:
    """Four of ten persons are alone; the other six visit twenty times each, always together."""
    alone: list[tuple[str | None, Any, str]] = [(f"a{i}", f"lone{i}", "flu") for i in range(4)]
    return alone + [(f"b{i}", f"c{s}", "flu") for i in range(6) for s in range(20)]


def listed(people: dict[Any, int]) -> pa.Table:
    """So many people, without names, for each quasi value."""
    return pa.table({"q": [q for q, n in people.items() for _ in range(n)]})


def test_frequent_visitors_do_not_hide_that_others_are_the_only_ones_who_fit() -> None:
    shown = visits(frequent_visitors())
    people = listed({f"lone{i}": 1 for i in range(4)} | {f"c{s}": 60 for s in range(20)})
    asked = InstanceDisclosure(people, 1, average="1/5", reidentification="1/5")
    presence, identity = asked.check(shown).parts
    assert (presence.value, presence.ok) == (F(46, 100), False)  # 4 · 1 + 6 · 1/10 of ten
    assert (identity.value, identity.ok) == (F(41, 100), False)  # 4 · 1 + 6 · 1/60


def presence(
    records: list[tuple[str | None, Any, str]], people: dict[Any, int], cases: tuple[str, ...], one: bool
) -> tuple[Fraction, Fraction] | None:
    """R and Q by definition: records without a person are all one person's, or each another's."""
    judged = [(i, who, q) for i, (who, q, ill) in enumerate(records) if ill in cases]
    r: dict[Any, Fraction] = {}
    identity: dict[Any, Fraction] = {}
    for i, who, q in judged:
        inside = len({other if other is not None else j for j, other, x in judged if x == q})
        named = {other for other, x, _ in records if x == q and other is not None}
        fitting = max(people[q], len(named), 1)
        person = who if who is not None else ("nobody" if one else i)
        r[person] = max(r.get(person, F(0)), F(min(inside, fitting), fitting))
        identity[person] = max(identity.get(person, F(0)), F(1, fitting))
    return (sum(r.values()) / len(r), sum(identity.values()) / len(identity)) if r else None  # type: ignore[return-value]


records = st.lists(
    st.tuples(st.sampled_from(["p", "q", "r", "s", None]), st.integers(0, 5), st.sampled_from(["flu", "HIV", "gout"])),
    min_size=1,
    max_size=14,
)
numbers = st.lists(st.integers(0, 9), min_size=6, max_size=6)
BOUNDS = st.sampled_from([F(1, 5), F(1, 3), F(1, 2), F(2, 3), F(9, 10)])


@settings(deadline=None, max_examples=70)
@given(records, numbers, st.sampled_from([("flu", "HIV", "gout"), ("HIV",), ("flu", "HIV")]), BOUNDS, BOUNDS)
def test_average_presence_by_definition(given: Any, sizes: Any, cases: Any, most: Fraction, other: Fraction) -> None:
    people = dict(enumerate(sizes))
    asked = InstanceDisclosure(
        listed(people), 1, covers="partly", case={"ill": list(cases)}, average=most, reidentification=other
    )
    both = [presence(given, people, cases, one) for one in (True, False)]
    parts = asked.check(visits(given)).parts
    if None in both:
        assert [part.ok for part in parts] == [None, None]
        return
    for part, bound, values in zip(parts, (most, other), zip(*both, strict=True), strict=True):  # type: ignore[arg-type]
        assert part.ok is all(value <= bound for value in values)
        assert part.value in values


def test_a_person_of_two_diseases_counts_once_in_the_averages() -> None:
    shown = visits([("p", 1, "HIV"), ("p", 1, "flu"), ("q", 2, "flu")])
    asked = InstanceDisclosure(listed({1: 4, 2: 2}), 1, bounds={"ill": {"HIV": "1/2"}}, average=1)
    assert asked.check(shown).parts[-1].value == F(3, 8)


@settings(deadline=None, max_examples=35)
@given(records, numbers, BOUNDS, st.sampled_from([0.0, 0.4]))
def test_what_optimal_recoding_publishes_meets_the_averages(given: Any, sizes: Any, most: Any, suppress: float) -> None:
    people = dict(enumerate(sizes))
    asked = InstanceDisclosure(listed(people), 1, covers="partly", average=most, accept_overlap=True)
    data = visits(given, hierarchies={"q": Intervals(width=2, levels=3)})
    try:
        made = OptimalRecoding(suppress=suppress).protect(data, [asked])
    except Infeasible:
        return
    assert asked.check(made.data).ok is True


def unique_share(records: list[tuple[str | None, Any, str]], people: int) -> Fraction:
    """By Zayatz, written down from the paper: probabilities of (person, class) pairs, summed over the pairs of each."""
    members = {q: {who for who, x, _ in records if x == q} for _, q, _ in records}
    persons, pairs = len({who for who, _, _ in records}), sum(map(len, members.values()))
    every = people * pairs // persons

    def thinned(size: int) -> Fraction:
        return F(size * comb(every - size, pairs - 1), comb(every, pairs))

    lone = sum(len(inside) == 1 for inside in members.values())
    if not lone:
        return F(0)
    weight = sum((thinned(len(inside)) for inside in members.values()), F(0))
    chance = F(1) if pairs == every else lone * thinned(1) / weight
    alone = {who: sum(inside == {who} for inside in members.values()) for who, _, _ in records}
    return sum((min(F(1), number * chance) for number in alone.values()), F(0)) / persons


named = st.lists(st.tuples(st.sampled_from("pqrst"), st.integers(0, 7), st.just("flu")), min_size=1, max_size=14)


@settings(deadline=None, max_examples=70)
@given(named, st.sampled_from([0, 1, 5, 40]))
def test_uniqueness_in_the_population_by_definition(given: Any, more: int) -> None:
    persons = len({who for who, _, _ in given})
    shown, expected = visits(given), float(unique_share(given, persons + more))
    asked = PopulationUniqueness("1/2", population_size=persons + more, estimator="zayatz")
    assert asked.check(shown).value == pytest.approx(expected, abs=1e-9)
    attack = Uniqueness(population_size=persons + more, estimator="zayatz").mount(shown)
    assert attack.details.in_population == pytest.approx(expected * persons, abs=1e-9)
    if not more:
        alone = {w for w, q, _ in given if {v for v, x, _ in given if x == q} == {w}}
        assert attack.details.in_population == pytest.approx(len(alone))


def test_frequent_visitors_do_not_hide_who_is_unique_in_the_population() -> None:
    shown = visits(frequent_visitors())
    assert PopulationUniqueness("1/20", population_size=10).check(shown).value == 0.4
    assert PopulationUniqueness("1/20", population_size=11, estimator="zayatz").check(shown).value > 0.1
    assert Uniqueness(population_size=10).mount(shown).value == 0.4
    for asked in (PopulationUniqueness("1/2", population_size=9).check, Uniqueness(population_size=9).mount):
        with pytest.raises(DataError, match="10 released where population_size is 9"):
            asked(shown)


def test_records_without_a_person_may_all_be_one_persons() -> None:
    """As persons of their own the nine would hide that one of four is alone."""
    three: list[tuple[str | None, Any, str]] = [("a", 1, "flu"), ("b", 2, "flu"), ("c", 2, "flu")]
    shown = visits([*three, *[(None, 2, "flu")] * 9])
    asked = PopulationUniqueness("1/5", population_size=12, estimator="zayatz")
    of_four = PopulationUniqueness("1/5", population_size=12, estimator="zayatz").check(visits([*three, ("d", 2, "x")]))
    assert asked.check(shown).value >= of_four.value


@settings(deadline=None, max_examples=25)
@given(records, st.sampled_from([0.0, 0.4]))
def test_what_optimal_recoding_publishes_is_not_unique(given: Any, suppress: float) -> None:
    asked = PopulationUniqueness("1/4", population_size=30, estimator="zayatz")
    data = visits(given, hierarchies={"q": Intervals(width=2, levels=3)})
    try:
        made = OptimalRecoding(suppress=suppress).protect(data, [asked])
    except Infeasible:
        return
    assert asked.check(made.data).ok is True
    assert len(np.unique(made.rows)) == made.data.rows
