"""Packing along a curve, and releases that grow."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.cells import Exact, Interval, Set, parse
from sharewell.cli import main
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.hierarchy import Tree
from sharewell.tables import (
    NCP,
    AppendSafe,
    KAnonymity,
    LDiversity,
    Mondrian,
    Packing,
    RecursiveLDiversity,
    Table,
    TCloseness,
)
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.protection.clustering import optimal_runs, space_filling_curves
from sharewell.testing import check_criterion, check_mechanism

TREE = Tree([["a", "ab", "*"], ["b", "ab", "*"], ["c", "cd", "*"], ["d", "cd", "*"]])


def table_of(rows: list[tuple[Any, ...]], who: list[str] | None = None, tree: bool = False) -> Table:
    """age (a number or missing), sex (a set), place (a set or a tree), illness."""
    age, sex, place, illness = zip(*rows, strict=True) if rows else ((), (), (), ())
    frame = {"age": pa.array(age, pa.int64()), "sex": pa.array(sex, pa.string())}
    frame |= {"place": pa.array(place, pa.string()), "illness": pa.array(illness, pa.string())}
    trees = {"place": TREE} if tree else {}
    if who is not None:
        frame["who"] = pa.array(who, pa.string())
    subject = None if who is None else "who"
    quasi = ["age", "sex", "place"]
    return Table.of(pa.table(frame), quasi=quasi, sensitive=["illness"], subject=subject, hierarchies=trees)


ages = st.one_of(st.none(), st.integers(0, 6), st.integers(0, 90))
record = st.tuples(ages, st.sampled_from(["F", "M"]), st.sampled_from("abcd"), st.sampled_from(["flu", "hiv", "gout"]))
records = st.lists(record, min_size=1, max_size=24)


@pytest.mark.parametrize(("dimensions", "bits"), [(1, 3), (2, 1), (2, 3), (3, 2), (4, 2)])
def test_hilbert_visits_every_cell_once_and_never_jumps(dimensions: int, bits: int) -> None:
    cells = np.array(list(itertools.product(range(1 << bits), repeat=dimensions))).T
    place = space_filling_curves._interleaved(space_filling_curves.hilbert(cells, bits), bits)
    assert sorted(place.tolist()) == list(range(cells.shape[1]))
    steps = np.abs(np.diff(cells[:, np.argsort(place)], axis=1)).sum(axis=0)
    assert (steps == 1).all()


def test_the_serpentine_changes_one_value_by_one_step() -> None:
    grid = [(age, sex, place, "flu") for age in range(5) for sex in "FM" for place in "abc"]
    table = table_of(grid)
    order = space_filling_curves.along("serpentine", table)
    codes = np.array([column.codes[order] for column in table.quasi])
    assert (np.abs(np.diff(codes, axis=1)).sum(axis=0) == 1).all()


@settings(max_examples=40, deadline=None)
@given(records, st.integers(1, 4), st.booleans(), st.sampled_from(["hilbert", "serpentine"]))
def test_cuts_are_the_best_there_are(rows: list[tuple[Any, ...]], least: int, tree: bool, curve: Any) -> None:
    table = table_of(rows[:12], tree=tree)
    if table.rows < least:
        return
    order = space_filling_curves.along(curve, table)

    def loss(starts: Any) -> float:
        parts = Classes(order, np.asarray(starts, dtype=np.intp), table.columns)
        return float(optimal_runs.loss_per_row(table, parts) @ parts.sizes)

    found, cost = optimal_runs.cut(table, order, least)
    assert np.diff(found).min() >= least
    inner = range(1, table.rows)
    every = (cuts for number in range(table.rows // least) for cuts in itertools.combinations(inner, number))
    fitting = ([0, *cuts, table.rows] for cuts in every)
    best = min(loss(starts) for starts in fitting if min(np.diff(starts)) >= least)
    assert loss(found) == pytest.approx(best, abs=1e-4)
    assert cost / optimal_runs.FULL == pytest.approx(best, abs=1e-4)


def test_the_compiled_twin_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(5)
    rows = [(int(a), "FM"[s], "abcd"[p], "flu") for a, s, p in draw.integers(0, [80, 2, 4], (700, 3))]
    table = table_of(rows, tree=True)
    order = space_filling_curves.along("serpentine", table)
    monkeypatch.setattr(optimal_runs, "_TOGETHER", 100)  # several parts
    for least in (1, 3, 40):
        found = []
        for threshold in (0, 10**9):
            monkeypatch.setattr(optimal_runs, "COMPILED_FROM", threshold)
            starts, cost = optimal_runs.cut(table, order, least)
            found.append((starts.tolist(), cost))
        assert found[0] == found[1]
        assert np.diff(found[0][0]).min() >= least


@settings(max_examples=60, deadline=None)
@given(records, st.sampled_from(["best", "hilbert", "serpentine"]), st.booleans(), st.data())
def test_every_criterion_holds_or_infeasible(
    rows: list[tuple[Any, ...]], curve: Any, tree: bool, data: st.DataObject
) -> None:
    who = data.draw(st.lists(st.sampled_from("ABCDEFGH"), min_size=len(rows), max_size=len(rows)))
    several = data.draw(st.booleans())
    table = table_of(rows, who if several else None, tree)
    choices = [[KAnonymity(2)], [KAnonymity(3), LDiversity(2)], [TCloseness(0.4)], [RecursiveLDiversity(2, 2)]]
    must: Any = data.draw(st.sampled_from(choices))
    try:
        released = Packing(curve).protect(table, must)
    except Infeasible:
        return
    for criterion in must:
        assert not criterion.check(released.data).failed
    assert released.data.rows == table.rows
    assert released.details.smallest == released.data.classes.sizes.min()


def test_it_keeps_the_contract() -> None:
    places = ["north", "south", "north", "east side", "south", "north", "east side", "south"]
    frame = pa.table({"age": [20, 23, 25, 27, 28, 29, None, 31], "place": places, "illness": ["gouty", "asthma"] * 4})
    for must in ([KAnonymity(2)], [KAnonymity(3), LDiversity(2)], [KAnonymity(9)]):
        check_mechanism(
            Packing(), lambda f: Table.of(f, quasi=["age", "place"], sensitive=["illness"]), frame, list(must)
        )


def test_bad_input() -> None:
    with pytest.raises(Infeasible, match="no rows"):
        Packing().protect(table_of([]), [KAnonymity(2)])
    with pytest.raises(ValueError, match="curve"):
        Packing("dragon")  # type: ignore[arg-type]
    bare = Table.of(pa.table({"x": [1, 2]}), quasi=[], rest="keep")
    assert Packing().protect(bare, [KAnonymity(2)]).data.rows == 2
    with pytest.raises(PolicyError, match="already"):
        Packing().protect(Packing().protect(table_of([(1, "F", "a", "flu")]), []).data, [])


def test_it_loses_less_than_mondrian_on_people_with_habits() -> None:
    draw = np.random.default_rng(3)
    age = draw.integers(18, 80, 3000)
    place = np.clip(draw.normal(age / 10, 1.5), 0, 9).astype(int)
    sex = draw.integers(0, 2, 3000)
    rows = [(int(a), "FM"[s], f"place {p}", "flu") for a, s, p in zip(age, sex, place, strict=True)]
    table = table_of(rows)
    packed, cut = (NCP().score(table, m.protect(table, [KAnonymity(10)]).data).value for m in (Packing(), Mondrian()))
    assert packed is not None
    assert cut is not None
    assert packed < cut


# --- releases that grow ---

K2 = {"k-anonymity": {"k": 2}}


def shown(table: Table) -> Counter[tuple[Any, ...]]:
    arrow = table.arrow
    return Counter(zip(*(arrow[name].to_pylist() for name in ("age", "sex", "place", "illness")), strict=True))


def covers(cell: str | None, value: Any, tree: bool) -> bool:
    """Does a published cell cover a value? Written anew here, for cells of these tests alone."""
    match parse(cell or "", nodes=tree):
        case Exact(text):
            return text == ("" if value is None else str(value))
        case Interval(low, high):
            return value is not None and int(low) <= int(value) <= int(high)
        case Set(members):
            return ("" if value is None else str(value)) in members
        case label if getattr(label, "label", None) in ("ab", "cd"):
            return value is not None and value in label.label  # type: ignore[union-attr]
    return cell == "*" or cell == value


def could_be(earlier: list[Any], later: list[Any], target: tuple[Any, ...]) -> set[int]:
    """By brute force: the later rows that may be a newcomer's, over every way in which earlier rows may come again.

    An earlier row may be any later one with the same sensitive value and cells that share some value with its own.
    """
    grid = list(itertools.product(range(7), "FM", "abcd"))
    values = [{g for g in grid if all(covers(c, v, False) for c, v in zip(row[:3], g, strict=True))} for row in later]
    before = [{g for g in grid if all(covers(c, v, False) for c, v in zip(row[:3], g, strict=True))} for row in earlier]
    found: set[int] = set()

    def place(number: int, used: frozenset[int]) -> None:
        if number == len(earlier):
            free = [j for j in range(len(later)) if j not in used]
            found.update(j for j in free if target in values[j])
            return
        for j in range(len(later)):
            if j not in used and later[j][3] == earlier[number][3] and before[number] & values[j]:
                place(number + 1, used | {j})

    place(0, frozenset())
    return found


small = st.tuples(st.integers(0, 6), st.sampled_from("FM"), st.sampled_from("abcd"), st.sampled_from(["flu", "hiv"]))


@settings(max_examples=25, deadline=None)
@given(st.lists(small, min_size=2, max_size=4), st.lists(small, min_size=0, max_size=3), st.booleans())
def test_no_attacker_singles_out_a_newcomer(first: list[Any], joined: list[Any], diverse: bool) -> None:
    must = [KAnonymity(2), *([LDiversity(2)] if diverse else [])]
    try:
        earlier = Packing().protect(table_of(first), must)
    except Infeasible:
        return
    later = Packing().append(earlier, table_of(joined), must).data
    rows = [list(shown(t).elements()) for t in (earlier.data, later)]
    published = joined if later.rows > earlier.data.rows else []
    for *target, _ in published:
        candidates = could_be(rows[0], rows[1], tuple(target))
        assert len(candidates) >= 2
        assert len({rows[1][j][3] for j in candidates}) >= (2 if diverse else 1)


def test_releasing_everything_anew_gives_a_newcomer_away() -> None:
    """Mondrian before and after one woman joins: her value is the difference, and the check refuses it."""
    first = [(2, "F", "a", "flu"), (2, "F", "a", "flu"), (5, "M", "d", "flu"), (5, "M", "d", "flu")]
    everybody = [*first, (2, "F", "a", "hiv")]
    earlier, later = (Mondrian().protect(table_of(rows), [KAnonymity(2)]).data for rows in (first, everybody))
    rows = [list(shown(t).elements()) for t in (earlier, later)]
    assert [rows[1][j][3] for j in could_be(rows[0], rows[1], (2, "F", "a"))] == ["hiv"]
    finding = AppendSafe(earlier.arrow, holding=K2).check(later)
    assert finding.ok is False
    assert finding.details.newcomers == 1
    waits = Packing().append(earlier, table_of(everybody[4:]), [KAnonymity(2)])
    assert (waits.data.rows, waits.details.waiting) == (4, 1)
    assert AppendSafe(earlier.arrow, holding=K2).check(waits.data).ok


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(record, min_size=0, max_size=10), min_size=2, max_size=4), st.data())
def test_every_pair_of_versions_is_safe(batches: list[list[Any]], data: st.DataObject) -> None:
    """Several batches, with those who wait given again; every version against every earlier one."""
    choices: list[tuple[list[Any], dict[str, Any]]] = [
        ([KAnonymity(2)], K2),
        ([KAnonymity(2), LDiversity(2)], {**K2, "l-diversity": {"l": 2}}),
        ([RecursiveLDiversity(2, 2)], {"recursive-l-diversity": {"c": 2, "l": 2}}),
    ]
    must, holding = data.draw(st.sampled_from(choices))
    tree = data.draw(st.booleans())
    try:
        versions = [Packing().protect(table_of(batches[0], tree=tree), must).data]
    except Infeasible:
        return
    waiting: list[Any] = []
    for batch in batches[1:]:
        waiting = [*waiting, *batch]
        appended = Packing().append(versions[-1], table_of(waiting, tree=tree), must)
        assert appended.details.waiting in (0, len(waiting))
        waiting = waiting[len(waiting) - appended.details.waiting :]
        versions.append(appended.data)
    for version in versions:
        for criterion in must:
            assert not criterion.check(version).failed
    for earlier, later in itertools.combinations(versions, 2):
        assert not shown(earlier) - shown(later)
        assert not AppendSafe(earlier.arrow, holding=holding).check(later).failed
        new = Counter(row[:3] for row in (shown(later) - shown(earlier)).elements())
        assert min(new.values(), default=2) >= 2


@settings(max_examples=60, deadline=None)
@given(st.lists(small, max_size=6), st.lists(small, min_size=1, max_size=6))
def test_the_check_is_the_difference_of_two_multisets(first: list[Any], then: list[Any]) -> None:
    frames = [table_of(rows).arrow.cast(pa.schema([(n, pa.string()) for n in ("age", "sex", "place", "illness")]))
              for rows in (first, then)]  # fmt: skip
    later = Table.of(frames[1], quasi=["age", "sex", "place"], sensitive=["illness"], published=True)
    finding = AppendSafe(frames[0], holding=K2).check(later)
    before, after = (Counter((str(a), s, p, i) for a, s, p, i in rows) for rows in (first, then))
    classes = Counter(row[:3] for row in (after - before).elements())
    gone = (before - after).total()
    failing = sum(size < 2 for size in classes.values())
    assert (finding.details.newcomers, finding.details.not_there_again) == ((after - before).total(), gone)
    assert finding.value == gone + failing
    assert finding.ok is (gone + failing == 0)


def test_the_check_keeps_the_contract() -> None:
    earlier = pa.table({"age": ["[20-29]"] * 2, "illness": ["asthma", "gouty"]})
    frame = pa.table({"age": ["[20-29]"] * 2 + ["[30-39]"] * 2, "illness": ["asthma", "gouty"] * 2})
    for supplement in (False, True):
        check_criterion(
            AppendSafe(earlier, K2, supplement),
            lambda f: Table.of(f, quasi=["age"], sensitive=["illness"], published=True),
            frame,
        )


def test_mistakes_in_what_must_hold_are_told_at_once() -> None:
    earlier = pa.table({"age": ["1"]})
    with pytest.raises(ValueError, match="holding"):
        AppendSafe(earlier)
    with pytest.raises(ValueError, match="k-anonymity"):
        AppendSafe(earlier, holding={"k-anonymity": {"k": 0}})
    with pytest.raises(PolicyError, match="no criteria named"):
        AppendSafe(earlier, holding={"k-anonymty": {"k": 2}})
    with pytest.raises(PolicyError, match="class by class"):
        AppendSafe(earlier, holding={"append-safe": {}})
    with pytest.raises(DataError, match="sex"):
        AppendSafe(earlier, K2).check(table_of([(1, "F", "a", "flu")]))


def test_a_supplement_is_judged_alone_and_with_the_earlier_release() -> None:
    first, joined = [(3, "F", "a", "flu"), (3, "F", "a", "hiv")], [(5, "M", "b", "flu"), (5, "M", "b", "flu")]
    earlier, extra = (Packing().protect(table_of(rows), [KAnonymity(2)]).data for rows in (first, joined))
    assert not AppendSafe(earlier.arrow, K2, supplement=True).check(extra).failed
    l2 = {"l-diversity": {"l": 2}}
    assert AppendSafe(earlier.arrow, l2, supplement=True).check(extra).failed
    must = [AppendSafe(earlier.arrow, K2, supplement=True)]
    assert Packing().protect(table_of(joined), must).data.rows == 2  # type: ignore[arg-type]


def test_a_record_that_was_exchanged_is_seen_in_any_column() -> None:
    """One leaves and one joins, with the same cells and value: what no criterion looks at tells who is new."""

    def shown_as(ward: str, bed: int) -> Any:
        return pa.table(
            {"age": ["[20-29]"] * 2, "illness": ["flu"] * 2, "ward": ["A", ward], "beds": pa.array([[1], [bed]])}
        )

    for ward, bed, fine in (("B", 2, True), ("C", 2, False), ("B", 3, False)):
        later = Table.of(
            shown_as(ward, bed), quasi=["age"], sensitive=["illness"], keep=["ward", "beds"], published=True
        )
        finding = AppendSafe(shown_as("B", 2), K2).check(later)
        assert finding.ok is fine
        assert finding.details.not_there_again == (0 if fine else 1)


@pytest.mark.parametrize("style", ["low-high", "mean", "common", "range"])
def test_every_style_can_be_appended_to(style: str) -> None:
    def people(ages: list[int]) -> Table:
        return Table.of(pa.table({"age": ages}), quasi=["age"], styles={"age": style})

    earlier = Packing().protect(people([20, 23, 31, 39]), [KAnonymity(2)]).data
    later = Packing().append(earlier, people([50, 57]), [KAnonymity(2)]).data
    finding = AppendSafe(earlier.arrow, K2).check(later)
    assert finding.ok
    assert finding.details.newcomers == 2
    plain = Packing().protect(Table.of(pa.table({"age": [1, 2]}), quasi=["age"]), [KAnonymity(2)]).data
    if style == "mean":
        with pytest.raises(DataError, match="only one shows means in age"):
            Packing().append(plain, people([50, 57]), [KAnonymity(2)])


def test_a_misspelt_word_in_what_must_hold_is_refused() -> None:
    """`unit: persons` would count records, and `k: true` is 1."""
    earlier = pa.table({"age": ["1"]})
    wrong: Any
    for wrong in ({"k": 2, "unit": "persons"}, {"k": True}, {"k": 2.5}, 5):
        with pytest.raises(ValueError, match="holding: k-anonymity: "):
            AppendSafe(earlier, {"k-anonymity": wrong})
    with pytest.raises(ValueError, match="second file"):
        AppendSafe(earlier, {"t-closeness": {"t": "1/2", "column": "illness", "reference": {"csv": "all.csv"}}})


def test_newcomers_are_new_persons() -> None:
    rows = [(3, "F", "a", "flu"), (4, "F", "a", "hiv")]
    earlier = Packing().protect(table_of(rows, ["A", "B"]), [KAnonymity(2)])
    with pytest.raises(DataError, match="1 of 2 newcomer"):
        Packing().append(earlier, table_of(rows, ["B", "C"]), [KAnonymity(2)])
    fine = Packing().append(earlier, table_of(rows, ["C", "D"]), [KAnonymity(2)])
    assert fine.data.persons == 4
    with pytest.raises(DataError, match="who"):
        Packing().append(earlier, table_of(rows), [KAnonymity(2)])
    with pytest.raises(DataError, match="original values"):
        Packing().append(earlier, earlier.data, [KAnonymity(2)])


def test_several_records_a_person_need_pseudonyms_in_the_earlier_file() -> None:
    rows = [(3, "F", "a", "flu"), (4, "F", "a", "hiv"), (4, "F", "a", "hiv")]
    earlier = Packing().protect(table_of(rows, ["A", "B", "B"]), [KAnonymity(2)]).data
    later = Packing().append(earlier, table_of(rows, ["C", "D", "D"]), [KAnonymity(2)]).data
    with pytest.raises(DataError, match="does not identify persons"):
        AppendSafe(earlier.arrow, K2).check(later)
    told = earlier.arrow.append_column("who", pa.array(["A", "B", "B"]))
    assert AppendSafe(told, K2).check(later).ok


def test_a_reference_that_moves_is_infeasible_and_nobody_to_append_changes_nothing() -> None:
    half = [(i % 3, "F", "a", ["flu", "hiv"][i % 2]) for i in range(8)]
    earlier = Packing().protect(table_of(half), [TCloseness(0)])
    with pytest.raises(Infeasible, match="fail together"):
        Packing().append(earlier, table_of([(5, "M", "b", "gout")] * 4), [TCloseness(0)])
    same = Packing().append(earlier, table_of([]), [TCloseness(0)])
    assert shown(same.data) == shown(earlier.data)
    assert (same.details.waiting, same.details.earlier) == (0, 8)


POLICY = """\
sharewell: 1
release: {name: NAME}
datasets:
  people:
    kind: tables
    read: {csv: NAME.csv}
    columns: {who: subject, age: quasi, illness: sensitive}
    require:
      - k-anonymity: {k: 2}
EARLIER    using: packing
write: {parquet: out}
"""
EARLIER = """\
      - append-safe:
          earlier: {parquet: out/first/public/people.parquet}
          holding: {k-anonymity: {k: 2}, l-diversity: {l: 2}}
          supplement: true
"""


def test_a_policy_releases_newcomers_as_a_supplement(tmp_path: Path) -> None:
    for name, begin, earlier in (("first", 0, ""), ("second", 20, EARLIER)):
        (tmp_path / f"{name}.yaml").write_text(POLICY.replace("NAME", name).replace("EARLIER", earlier))
        rows = [f"p{begin + i},{20 + i * 7 % 40},{['flu', 'gout'][i % 2]}" for i in range(12)]
        (tmp_path / f"{name}.csv").write_text("who,age,illness\n" + "\n".join(rows) + "\n")
        assert main(["release", str(tmp_path / f"{name}.yaml")]) == 0
    assert main(["verify", str(tmp_path / "out" / "second"), "--with", str(tmp_path / "out" / "first" / "public")]) == 0
    certificate = json.loads((tmp_path / "out" / "second" / "public" / "certificate.json").read_text())
    findings = certificate["datasets"]["people"]["findings"]
    assert [finding["name"] for finding in findings if finding["ok"]] == ["k-anonymity", "append-safe"]
