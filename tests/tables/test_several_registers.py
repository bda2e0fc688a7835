"""Several lists of people, and lists that lack some: N is never more than the people who truly exist."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sharewell
from sharewell.errors import DataError, Infeasible
from sharewell.tables import (
    DeltaPresence,
    InstanceDisclosure,
    InstancePartitioning,
    JournalistRisk,
    KMap,
    Linkage,
    MarketerRisk,
    OptimalRecoding,
    Table,
)

PEOPLE = st.lists(st.sampled_from([1, 2, 3]), min_size=1, max_size=12)
CELLS = st.sampled_from(["[1-2]", "[3-3]"])


def listed(people: list[tuple[str, int]], name: str = "id") -> pa.Table:
    return pa.table({"age": pa.array([age for _, age in people], pa.int64()), name: [who for who, _ in people]})


def published(ages: list[int]) -> Table:
    cells = ["3" if age == 3 else "[1-2]" for age in ages]
    return Table.of(pa.table({"age": cells}), quasi=["age"], published=True)


@settings(max_examples=200, deadline=None)
@given(PEOPLE, st.data())
def test_no_more_people_are_counted_than_exist(ages: list[int], data: st.DataObject) -> None:
    """Lists are parts of a true population, and so is the release; who is on which list is drawn."""
    people = [(f"p{i}", age) for i, age in enumerate(ages)]
    parts = [[one for one in people if data.draw(st.booleans())] for _ in range(3)]
    released = [age for _, age in people if data.draw(st.booleans())]
    if not released:
        return
    shown = published(released)
    true = {cell: sum((age == 3) == (cell == "3") for age in ages) for cell in ("3", "[1-2]")}
    occurring = {"3" if age == 3 else "[1-2]" for age in released}
    n = {cell: sum((age == 3) == (cell == "3") for age in released) for cell in occurring}
    lists = [listed(part) for part in parts]
    for comparable in (True, False):
        more: dict[str, Any] = {"covers": "partly", "subject": "id", "comparable": comparable}
        found = KMap(lists, 1, **more).check(shown)
        joined = [set(part) for part in parts]
        counted = [set().union(*joined)] if comparable else joined
        fit = {c: max(sum((age == 3) == (c == "3") for _, age in one) for one in counted) for c in occurring}
        assert found.value == min(max(fit[cell], n[cell]) for cell in occurring)
        assert found.value <= min(true[cell] for cell in occurring)
        presence = DeltaPresence(lists, 1, **more).check(shown)
        assert presence.value == max(Fraction(n[c], max(fit[c], n[c])) for c in occurring)
        assert presence.value >= max(Fraction(n[c], true[c]) for c in occurring)
        least = DeltaPresence(lists, 1, min="1/100", **more)
        assert not least.check(shown).ok, "a lower bound of N shows no minimum"


@settings(max_examples=200, deadline=None)
@given(PEOPLE, st.data())
def test_lists_that_number_people_each_in_its_own_way_count_nobody_twice(ages: list[int], data: st.DataObject) -> None:
    """Unless it is claimed, names of two lists are not taken to mean the same: N stays at most what it truly is."""
    people = [(f"p{i}", age) for i, age in enumerate(ages)]
    parts = [[one for one in people if data.draw(st.booleans())] for _ in range(data.draw(st.integers(2, 5)))]
    lists = [listed([(f"{i}-{who}", age) for who, age in part]) for i, part in enumerate(parts)]
    named = data.draw(st.sampled_from([{"subject": "id"}, {}]))
    found = KMap(lists, 1, covers="partly", **named).check(published(ages))
    true = [sum(age == 3 for age in ages), sum(age < 3 for age in ages)]
    assert found.value == min(one for one in true if one)
    assert "nobody knows who is on two of them" in found.note


def test_who_is_on_two_lists_counts_once_in_any_spelling() -> None:
    first = listed([("Ann", 1), ("Bob", 2)])
    second = listed([("ann ", 1), ("Cid", 1)])
    shown = published([1])
    joined = KMap([first, second], 1, subject="id", comparable=True).check(shown)
    assert joined.value == 3
    assert "2 lists are claimed to give a person the same identifier" in joined.note
    assert KMap([first, second], 1, subject="id").check(shown).value == 2
    moved = listed([("Ann", 3), ("Cid", 1)])
    both = DeltaPresence([first, moved], 1, subject="id", comparable=True).check(published([1, 3]))
    assert both.details.overlapping_people == 1
    assert both.ok is None, "Ann fits both classes"


def test_lists_may_write_dates_differently() -> None:
    first = pa.table({"born": ["1980-01-31", "1981-02-01"], "id": ["a", "b"]})
    second = pa.table({"born": ["31.01.1980", "24.12.1980"], "id": ["c", "d"]})
    frame = pa.table({"born": ["[1980-01-01..1980-12-31]"]})
    shown = Table.of(frame, quasi=["born"], published=True)
    assert KMap([first, second], 1, subject="id", comparable=True).check(shown).value == 3


def test_coverage_raises_nothing_and_finds_lists_that_do_not_match() -> None:
    people = listed([(f"p{i}", 1) for i in range(8)])
    shown = published([1] * 10)
    found = KMap(people, 10, covers="partly", coverage="4/5").check(shown)
    assert (found.value, found.ok) == (10, True)
    assert "N raised to n" in found.note
    with pytest.raises(DataError, match="lacks at least 2 of 10 released person"):
        KMap(people, 10, covers="partly", coverage="9/10").check(shown)
    odd = pa.table({"age": ["one"] * 8, "id": list("abcdefgh")})
    assert JournalistRisk(odd, 1, covers="partly").check(shown).value == Fraction(1, 10)
    with pytest.raises(DataError, match="write their values alike"):
        JournalistRisk(odd, 1, covers="partly", coverage="1/2").check(shown)


@pytest.mark.parametrize("comparable", [True, False])
def test_each_list_is_held_against_its_own_coverage(comparable: bool) -> None:
    most, few = listed([(f"p{i}", 1) for i in range(8)]), listed([(f"p{i}", 1) for i in range(4)])
    more: dict[str, Any] = {"covers": "partly", "subject": "id", "comparable": comparable}
    shown = published([1] * 10)
    assert KMap([most, few], 10, coverage=["4/5", "2/5"], **more).check(shown).value == 10
    assert KMap([most, few], 10, coverage="4/5", **more).check(shown).value == 10
    with pytest.raises(DataError, match="lacks at least 6 of 10 released person"):
        KMap([most, few], 10, coverage=["4/5", "1/2"], **more).check(shown)
    with pytest.raises(ValueError, match="one for each of 2 lists"):
        KMap([most, few], 10, coverage=["4/5"], **more)


def test_an_attacker_uses_the_list_that_leaves_the_fewest_people() -> None:
    """Four of one age on the first list, two on the second, and nobody of the other age on either."""
    first, second = listed([(f"p{i}", 1) for i in range(4)]), listed([("p1", 1), ("p7", 1)])
    found = Linkage([first, second]).mount(published([1, 1, 3]))
    assert (found.value, found.details.people, found.details.unmatched_records) == (0.5, 4, 1)
    assert Linkage([first]).mount(published([1])).value == 0.25
    assert Linkage(second).mount(published([1])).value == 0.5


@pytest.mark.parametrize(
    ("wrong", "match"),
    [
        ({"coverage": "1/2"}, "covers: partly"),
        ({"covers": "partly", "coverage": "1"}, "coverage"),
        ({"population": [listed([("a", 1)])] * 2, "comparable": True}, "subject must name"),
        ({"population": [listed([("a", 1)])] * 2, "comparable": True, "count": "age"}, "subject must name"),
        ({"population": []}, "at least one list"),
    ],
)
def test_what_cannot_be_asked_for(wrong: Any, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        KMap(**({"population": listed([("a", 1)]), "k": 1} | wrong))


def test_lists_must_have_the_columns() -> None:
    first, other = listed([("a", 1)]), pa.table({"height": [1], "id": ["a"]})
    with pytest.raises(DataError, match="lacks the quasi column"):
        KMap([first, other], 1, subject="id").check(published([1]))
    with pytest.raises(DataError, match="there is no column 'id'"):
        KMap([first, listed([("a", 1)], "key")], 1, subject="id").check(published([1]))
    assert MarketerRisk("1/2", population=[first, listed([("a", 1), ("b", 1)])]).check(published([1])).value == 0.5
    with pytest.raises(DataError, match="lacks released people"):
        KMap([first, first], 1, subject="id").check(published([1, 1]))


@pytest.mark.parametrize("comparable", [True, False])
@pytest.mark.parametrize("mechanism", [OptimalRecoding(), InstancePartitioning()], ids=lambda one: one.name)
def test_mechanisms_count_on_all_lists(mechanism: Any, comparable: bool) -> None:
    rng = np.random.default_rng(3)
    people = [(f"p{i}", int(age)) for i, age in enumerate(rng.integers(20, 60, 400))]
    lists = [listed([one for one in people if rng.random() < 0.7]) for _ in range(2)]
    table = Table.of(listed(people[:60], "who"), quasi=["age"], subject="who")
    criterion = InstanceDisclosure(lists, "1/2", covers="partly", subject="id", comparable=comparable)
    released = mechanism.protect(table, [criterion])
    assert criterion.check(released.data).ok
    if mechanism.name == "optimal-recoding":
        impossible = DeltaPresence(lists[0], 1, min="1/100", covers="partly")
        with pytest.raises(Infeasible):
            mechanism.protect(table, [impossible])


POLICY = """\
sharewell: 1
release: {name: registers}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {who: subject, age: {role: quasi, hierarchy: {intervals: {width: 10, levels: 3}}}, ill: sensitive}
    require:
      - k-map:
          population: [{csv: one.csv}, {csv: two.csv, columns: {id: key}}, {csv: three.csv}, {csv: four.csv}]
          subject: id
          comparable: true
          k: 5
    attacks:
      - linkage: {population: [{csv: one.csv}, {csv: two.csv}]}
    using: optimal-recoding
write: {csv: out}
"""


def test_a_release_names_all_lists(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    people = [(f"p{i}", int(age)) for i, age in enumerate(rng.integers(20, 60, 300))]
    pyarrow.csv.write_csv(listed(people[:200]), tmp_path / "one.csv")
    pyarrow.csv.write_csv(listed(people[100:], "key"), tmp_path / "two.csv")
    pyarrow.csv.write_csv(listed(people[:50]), tmp_path / "three.csv")
    pyarrow.csv.write_csv(listed(people[250:]), tmp_path / "four.csv")
    source = listed(people[::10], "who").append_column("ill", pa.array(["flu", "gout", "burn"] * 10))
    pyarrow.csv.write_csv(source, tmp_path / "people.csv")
    (tmp_path / "policy.yaml").write_text(POLICY)
    done = sharewell.release(tmp_path / "policy.yaml")
    assert sharewell.verify(done.directory).ok
    told = {str(one.tier) for one in sharewell.verify(done.directory / "public").findings["people"]}
    assert "attested" in told, "only who has all lists can count on them"
    (tmp_path / "two.csv").write_text("age,key\n30,p1\n")
    assert {str(one.tier) for one in sharewell.verify(done.directory).findings["people"]} <= {"attested", "recipient"}
