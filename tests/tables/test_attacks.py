"""Attacks on tables against brute force, and their simulation against what was computed."""

from __future__ import annotations

import datetime
from collections import defaultdict
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell import registry
from sharewell.cells import Any as AnyCell
from sharewell.cells import Exact, Interval, Node, Prefix, Set, Suppressed, parse
from sharewell.errors import DataError, Infeasible
from sharewell.hierarchy import Dates, Hierarchy, Ordered, Prefixes
from sharewell.io.sources import Source
from sharewell.protocols import Truth
from sharewell.roles import Role, Schema
from sharewell.tables import Homogeneity, KAnonymity, Linkage, Mondrian, Prosecutor, Table
from sharewell.testing import check_attack

TREES: dict[str, Hierarchy] = {"zip": Prefixes(), "born": Dates(), "ward": Ordered(["east", "north", "south", "west"])}


def covers(text: str | None, value: str | None, hierarchy: Hierarchy | None) -> bool:
    """Does a published cell cover a value? Written from the table in the docstring of sharewell.cells alone."""
    shown, value = parse(text or "", nodes=hierarchy is not None), value or ""
    match shown:
        case AnyCell():
            return True
        case Suppressed():
            return False
        case Exact(exact):
            return exact == value
        case Set(members):
            return value in members
        case _ if hierarchy is not None:
            return value != "" and (text or "") in hierarchy.chain(value)
        case Prefix(start):
            return value != "" and value.startswith(start)
        case Node(label):
            return label == value
        case Interval(low, high):
            return _between(low, value, high)
    raise AssertionError


def _between(low: str, value: str, high: str) -> bool:
    for read in (int, datetime.date.fromisoformat):
        try:
            return read(low) <= read(value) <= read(high)  # type: ignore[operator]
        except ValueError:
            continue
    return False


def published(cells: dict[str, list[str | None]], trees: dict[str, Hierarchy] | None = None) -> Table:
    frame = pa.table({name: pa.array(values, pa.string()) for name, values in cells.items()})
    return Table.from_arrow(frame, Schema(dict.fromkeys(cells, Role.QUASI)), trees or {}, published=True)


number_cells = st.sampled_from(["*", "1", "3", "[1-3]", "[2-9]", "[-5..3]", "{1,9}", "", "{,3}", "1*"])
word_cells = st.sampled_from(["*", "a", "ab", "a*", "ab*", "{a,b}", "{,b}", "", "\\*", "\\[1-2]", "{\\,,*}", "[1-2]"])
day_cells = st.sampled_from(["*", "2019-01-31", "[2019-01-31..2019-03-04]", "[0001-01-01..9999-12-31]", "", "20*"])
number_values = st.none() | st.sampled_from(["1", "2", "3", "9", "-5", "-0", "19", "1_0", "nan", "inf", "2019-02-01"])
word_values = st.none() | st.sampled_from(["a", "ab", "abc", "b", "*", "[1-2]", ",", "1", "2"])
day_values = st.none() | st.sampled_from(["2019-01-31", "2019-03-04", "2019-03-05", "1900-01-01", "737000"])


@settings(max_examples=150)
@given(
    cells=st.lists(st.tuples(number_cells, word_cells, day_cells), min_size=1, max_size=12),
    people=st.lists(st.tuples(number_values, word_values, day_values), min_size=1, max_size=25),
)
def test_the_people_who_fit_are_those_that_every_cell_covers(cells: list[Any], people: list[Any]) -> None:
    """N of each class by brute force: linkage is 1/N for the worst of them."""
    names = ("number", "word", "day")
    shown = dict(zip(names, (list(column) for column in zip(*cells, strict=True)), strict=True))
    listed = pa.table(
        {name: pa.array(column, pa.string()) for name, column in zip(names, zip(*people, strict=True), strict=True)}
    )
    rows = cells
    fits = [
        sum(all(covers(cell, value, None) for cell, value in zip(row, person, strict=True)) for person in people)
        for row in rows
    ]
    found = Linkage(listed).mount(published(shown))
    assert found.value == max((1 / n for n in fits if n), default=None)  # nobody at all is undecided, never 0
    assert found.details.unmatched_records == fits.count(0)
    assert found.details.unique_records == fits.count(1)
    assert found.details.people == len(people)
    assert (found.details.risk is None) == (not any(fits))
    if any(fits):
        assert found.details.risk.average == pytest.approx(sum(1 / n if n else 0 for n in fits) / len(fits))


def people(seed: int, rows: int, persons: int) -> pa.Table:
    draw = np.random.default_rng(seed)

    def pick(values: list[str]) -> list[str | None]:
        return [None if draw.random() < 0.05 else values[draw.integers(len(values))] for _ in range(rows)]

    return pa.table(
        {
            "who": [f"person-{draw.integers(persons)}" if draw.random() > 0.05 else None for _ in range(rows)],
            "age": pick([str(a) for a in range(20, 40)]),
            "sex": pick(["female", "male", "*"]),
            "zip": pick(["02139", "02138", "02115", "94110", "021"]),
            "born": pick(["1980-01-31", "1980-02-01", "1981-12-24", "1900-01-01"]),
            "ward": pick(["east", "north", "south", "west"]),
        }
    )


def opened(frame: pa.Table) -> Table:
    return Table.of(frame, quasi=["age", "sex", "zip", "born", "ward"], subject="who", hierarchies=TREES)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), rows=st.integers(2, 50), k=st.integers(1, 6))
def test_the_people_who_fit_a_mondrian_release(seed: int, rows: int, k: int) -> None:
    """The same with hierarchies: every published class against a list, by brute force."""
    original, listed = opened(people(seed, rows, rows)), people(seed + 1, 40, 40)
    try:
        released = Mondrian().protect(original, [KAnonymity(k)]).data
    except Infeasible:
        return
    names = ("age", "sex", "zip", "born", "ward")
    fits = [
        sum(all(covers(row[n], person[n], TREES.get(n)) for n in names) for person in listed.to_pylist())
        for row in released.arrow.to_pylist()
    ]
    found = Linkage(listed.drop_columns(["who"])).mount(released)
    assert found.details.unmatched_records == fits.count(0)
    assert found.details.unique_records == fits.count(1)
    assert found.value == max((1 / n for n in fits if n), default=None)


def test_the_original_is_read_literally() -> None:
    """Before a release a `*` in the data is a value, not everybody."""
    original = Table.of(pa.table({"x": ["*", "[1-2]"]}), quasi=["x"])
    found = Linkage(pa.table({"x": ["*", "1", "2", "3"]})).mount(original)
    assert (found.value, found.details.unmatched_records) == (1.0, 1)


def test_numbers_beyond_floating_point_are_told_apart() -> None:
    low, high = 2**53, 2**53 + 1
    listed = pa.table({"x": [low - 1, low, high, high + 1]})
    assert Linkage(listed).mount(published({"x": [f"[{low}-{high}]"]})).value == 0.5


@pytest.mark.parametrize(
    "listed",
    [
        ["31/01/1980", "24/12/1981"],
        [datetime.date(1980, 1, 31), datetime.date(1981, 12, 24)],
        [datetime.datetime(1980, 1, 31), datetime.datetime(1981, 12, 24)],
    ],
    ids=["another form", "dates", "midnights"],
)
@pytest.mark.parametrize("tree", [None, Dates()], ids=["range", "tree"])
def test_a_list_may_write_dates_in_its_own_way(listed: list[Any], tree: Hierarchy | None) -> None:
    """Otherwise nobody would fit, and the risk would look like none."""
    shown = published({"born": ["1980-01" if tree else "[1980-01-01..1980-12-31]"]}, {"born": tree} if tree else {})
    found = Linkage(pa.table({"born": listed})).mount(shown)
    assert (found.value, found.details.unmatched_records) == (1.0, 0)


def test_ambiguous_dates_of_a_list_fit_nobody_and_that_is_told() -> None:
    found = Linkage(pa.table({"born": ["01/02/1980"]})).mount(published({"born": ["1980-02-01"]}))
    assert (found.value, found.details.unmatched_records) == (None, 1)
    assert found.note == (
        "undecided: none of 1 published record(s) fits anybody on the list — check how both write their values"
    )


def test_a_list_without_any_quasi_column_is_told() -> None:
    with pytest.raises(DataError) as caught:
        Linkage(pa.table({"name": ["SECRET"]})).mount(published({"age": ["1"], "sex": ["F"]}))
    told = "the frame — shares no quasi column with the release (age, sex) — map names with `columns:`"
    assert str(caught.value) == told


def test_a_list_with_some_of_the_columns_is_used_and_they_are_named() -> None:
    shown = published({"age": ["40", "41"], "sex": ["F", "F"]})
    found = Linkage(pa.table({"years": [40, 40, 41]})).mount
    with pytest.raises(DataError, match="shares no quasi column"):
        found(shown)
    mapped = Linkage(Source(frame=pa.table({"years": [40, 40, 41]}), columns={"age": "years"})).mount(shown)
    assert (mapped.details.columns, mapped.value) == (("age",), 1.0)


def test_an_empty_list_decides_nothing() -> None:
    found = Linkage(pa.table({"age": pa.array([], pa.string())})).mount(published({"age": ["40"]}))
    assert (found.value, found.details.people, found.details.unmatched_records) == (None, 0, 1)


def test_two_people_fit_each_record() -> None:
    """Two of 40 in NW10 and two of 45 in NW15: two people fit each published record, although each is alone."""
    listed = pa.table({"age": [40, 40, 45, 45], "area": ["NW10", "NW10", "NW15", "NW15"]})
    assert Linkage(listed).mount(published({"age": ["40", "45"], "area": ["NW10", "NW15"]})).value == 0.5


@pytest.mark.parametrize("entry", list(registry.entries("tables", "attacks")), ids=lambda e: e.name)
def test_every_attack_keeps_the_contract(entry: registry.Entry) -> None:
    frame = people(5, 80, 30).select(["who", "age", "ward", "sex"])
    frame = frame.filter(frame["who"].is_valid())
    frame = pa.table(
        {name: pa.array([value or "" for value in frame[name].to_pylist()]) for name in frame.column_names}
    )
    attack = entry.load()
    evidence = {"population": frame.select(["age", "ward"]), "other": frame.select(["age", "ward", "sex"])}
    needs = {name: held for name, held in evidence.items() if name in attack.__dataclass_fields__}
    frame = frame.append_column("seen", pa.array([f"2020-01-{1 + i % 28:02}" for i in range(frame.num_rows)]))
    opened = lambda f: Table.of(f, quasi=["age", "ward"], sensitive=["sex"], subject="who", shift=["seen"])  # noqa: E731
    check_attack(attack(**needs), opened, frame)


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=1, max_size=30))
def test_homogeneity_is_the_share_of_the_most_frequent_value(rows: list[tuple[str, str]]) -> None:
    """Counted by hand, and the guesses carried out are right as often as the shares say, give or take the error."""
    frame = pa.table({"age": [a for a, _ in rows], "illness": [i for _, i in rows]})
    table = Table.of(frame, quasi=["age"], sensitive=["illness"])
    groups = [[i for a, i in rows if a == age] for age in {a for a, _ in rows}]
    shares = [max(map(group.count, group)) / len(group) for group in groups]
    found = Homogeneity().mount(table, truth=Truth(table, np.arange(len(rows))))
    assert found.value == max(shares)
    mean = sum(share * len(group) for share, group in zip(shares, groups, strict=True)) / len(rows)
    assert abs(found.details.risk.average - mean) < 1e-12
    assert abs(found.details.risk.simulated.share - mean) < 1e-12, "every record was drawn, so the count is exact"


# With the truth an attack is carried out, and its successes are counted.


def by_hand(original: list[dict[str, Any]], shown: list[dict[str, Any]], rows: list[int], target: int) -> float:
    """The chance of picking the target among the persons (within each class) of all classes that cover the target."""
    names = ("age", "sex", "zip", "born", "ward")
    classes: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    for row, source in zip(shown, rows, strict=True):
        if original[source]["who"] is not None:
            classes[tuple(row[n] for n in names)].add(original[source]["who"])
    known = original[rows[target]]
    fitting = [w for c, w in classes.items() if all(covers(c[i], known[n], TREES.get(n)) for i, n in enumerate(names))]
    return sum(known["who"] in who for who in fitting) / sum(map(len, fitting))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), rows=st.integers(2, 50), persons=st.integers(1, 40), k=st.integers(1, 5))
def test_the_simulated_prosecutor_is_as_lucky_as_by_hand(seed: int, rows: int, persons: int, k: int) -> None:
    frame = people(seed, rows, persons)
    original = opened(frame)
    try:
        protected = Mondrian().protect(original, [KAnonymity(k)])
    except Infeasible:
        return
    from sharewell.tables.engine.attackers.simulation import draw_rows, person_of

    truth = protected.truth(original)
    found = Prosecutor().mount(protected.data, truth)
    simulated = found.details.simulated
    targets = draw_rows(person_of(truth), np.ones(protected.data.rows, bool))
    shown = protected.data.arrow.to_pylist()
    chances = [by_hand(frame.to_pylist(), shown, protected.rows.tolist(), t) for t in targets.tolist()]
    assert simulated.targets == len(targets) == len(set(frame["who"].to_pylist()) - {None})
    spread = np.sqrt(sum(p * (1 - p) for p in chances)) / len(chances)
    assert simulated.error == pytest.approx(spread, abs=1e-9)
    assert abs(simulated.share - sum(chances) / len(chances)) <= 5 * spread + 1e-9
    assert max(chances) <= float(found.value or 0) + 1e-9, "nobody is easier to find than the worst case says"


@pytest.mark.parametrize("k", [2, 5, 20])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_simulation_stays_below_what_was_computed(seed: int, k: int) -> None:
    original = opened(people(seed, 3_000, 2_900))
    protected = Mondrian().protect(original, [KAnonymity(k)])
    found = Prosecutor().mount(protected.data, protected.truth(original))
    simulated = found.details.simulated
    assert simulated.targets == min(2_000, original.persons)
    assert simulated.share <= found.details.average + 4 * simulated.error
    assert simulated.share <= 1 / k + 4 * simulated.error
    assert found.note == ""


def test_without_the_truth_nothing_is_simulated_and_the_finding_says_so() -> None:
    table = opened(people(1, 50, 50))
    for found in (Prosecutor().mount(table), Linkage(people(1, 50, 50)).mount(table)):
        assert found.note.endswith("computed, not simulated")


def test_an_identity_release_is_found_out_every_time() -> None:
    """Unique originals, nothing protected: the simulated attacker is always right."""
    original = Table.of(
        pa.table({"age": list(range(40)), "who": [f"p{i}" for i in range(40)]}), quasi=["age"], subject="who"
    )
    truth = Truth(original, np.arange(40))
    assert Prosecutor().mount(original, truth).details.simulated.successes == 40
    listed = pa.table({"age": list(range(40)), "who": [f"p{i}" for i in range(40)]})
    found = Linkage(listed).mount(original, truth)
    assert (found.details.risk.simulated.successes, found.note) == (40, "")


def test_the_simulated_journalist_needs_a_list_with_the_subject() -> None:
    frame = people(3, 400, 390)
    original = opened(frame)
    protected = Mondrian().protect(original, [KAnonymity(4)])
    truth = protected.truth(original)
    found = Linkage(frame).mount(protected.data, truth)
    simulated = found.details.risk.simulated
    assert simulated.targets == original.persons
    assert simulated.share <= float(found.value or 0) + 4 * simulated.error
    blind = Linkage(frame.drop_columns(["who"])).mount(protected.data, truth)
    assert blind.details.risk.simulated is None
    assert blind.note.startswith("the list names no persons")
    assert blind.note.endswith("computed, not simulated")
    assert blind.value <= found.value  # rows of one person, taken for several, hide somebody


def test_withheld_and_nameless_rows_are_no_targets() -> None:
    original = Table.of(pa.table({"age": ["1", "1", "2"], "who": ["p", None, "q"]}), quasi=["age"], subject="who")
    marked = Table.from_arrow(
        pa.table({"age": ["1", "1", "<suppressed>"], "who": ["p", None, "q"]}), original.schema, {}, published=True
    )
    simulated = Prosecutor().mount(marked, Truth(original, np.arange(3))).details.simulated
    assert (simulated.targets, simulated.successes) == (1, 1)


def test_a_table_without_quasi_columns_is_one_class() -> None:
    original = Table.of(pd.DataFrame({"x": ["a", "b", "c", "d"]}), quasi=[], keep=["x"])
    found = Prosecutor().mount(original, Truth(original, np.arange(4)))
    assert found.value == 0.25
    assert found.details.simulated.targets == 4


def test_no_published_record_is_no_finding() -> None:
    empty = Table.of(pa.table({"age": pa.array([], pa.string())}), quasi=["age"])
    assert Prosecutor().mount(empty).value is None
    assert Linkage(pa.table({"age": ["1"]})).mount(empty).value is None
