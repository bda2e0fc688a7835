"""The clustering mechanisms, judged from their published cells by code that shares nothing with them."""

import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_mondrian import TREES, covers

from sharewell import compiled
from sharewell.errors import Infeasible, PolicyError
from sharewell.tables import NCP, BottomUp, KAnonymity, KMember, LDiversity, Mondrian, Table, TCloseness, TopDown
from sharewell.tables.engine.protection.clustering.cluster_space import ClusterSpace
from sharewell.tables.mechanisms import k_member
from sharewell.testing import check_mechanism

METHODS: tuple[Callable[..., Any], ...] = (KMember, BottomUp, TopDown)
QUASI = ("age", "sex", "zip", "born", "ward")
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)


def people(seed: int, rows: int, persons: int, towns: int = 3) -> pa.Table:
    """A messy little table: numbers, dates, prefixes, sets, missing cells, several records a person, a kept column."""
    draw = np.random.default_rng(seed)
    pick = lambda values: [None if draw.random() < 0.05 else values[draw.integers(len(values))] for _ in range(rows)]  # noqa: E731
    return pa.table(
        {
            "who": [f"person-{draw.integers(max(1, persons))}" for _ in range(rows)],
            "age": pick([str(a) for a in range(20, 60)]),
            "sex": pick([f"sex-{i}" for i in range(towns)]),
            "zip": pick(["02139", "02138", "02115", "94110", "94117", "021"]),
            "born": pick(["1980-01-31", "1980-02-01", "1981-12-24", "1900-01-01", "2100-12-31"]),
            "ward": pick(["east", "north", "south", "west"]),
            "illness": pick(["influenza", "asthma", "diabetes", "*", "[1-2]"]),
            "remark": pick(["noted", "unnoted"]),
        }
    )


def opened(frame: pa.Table) -> Table:
    subject = "who" if "who" in frame.column_names else None
    return Table.of(
        frame, quasi=list(QUASI), sensitive=["illness"], subject=subject, keep=["remark"], hierarchies=TREES
    )


@settings(max_examples=75, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(1, 90),
    persons=st.integers(1, 60),
    k=st.integers(1, 12),
    diverse=st.integers(1, 3),
    method=st.sampled_from(METHODS),
    block=st.sampled_from([None, 1, 20, 45]),
    towns=st.sampled_from([2, 80]),
)
def test_what_it_publishes_satisfies_everything_asked_for(
    seed: int, rows: int, persons: int, k: int, diverse: int, method: Any, block: int | None, towns: int
) -> None:
    """Grouped by hand: k persons and l values in every class, every cell covers its original, nobody is lost."""
    frame = people(seed, rows, persons, towns)
    try:
        released = method(block).protect(opened(frame), [KAnonymity(k), LDiversity(diverse)])
    except Infeasible:
        whole = {v for v in frame["illness"].to_pylist() if v is not None}
        assert len(set(frame["who"].to_pylist())) < k or len(whole) < diverse
        return
    published, originals = released.data.arrow.to_pylist(), frame.to_pylist()
    groups: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    assert released.rows.tolist() == list(range(rows))
    for row, cells in zip(originals, published, strict=True):
        for name in QUASI:
            assert covers(name, cells[name], row[name]), (name, cells[name])
        assert (cells["illness"], cells["remark"]) == (row["illness"], row["remark"])
    for i, cells in enumerate(published):
        groups[tuple(cells[name] for name in QUASI)].append(i)
    for members in groups.values():
        assert len({originals[i]["who"] for i in members}) >= k
        assert len({originals[i]["illness"] for i in members} - {None}) >= diverse
    assert released.details.classes == len(groups)
    assert released.details.smallest == min(map(len, groups.values()))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(10, 80),
    t=st.sampled_from(["1/5", "2/5"]),
    method=st.sampled_from(METHODS),
)
def test_a_criterion_that_a_union_may_break_holds_in_what_is_published(
    seed: int, rows: int, t: str, method: Any
) -> None:
    """t-closeness of persons: neither growing nor safe under union, and yet no class fails."""
    frame = people(seed, rows, rows // 2, towns=2)
    released = method(20).protect(opened(frame), [KAnonymity(2), TCloseness(t)]).data
    assert KAnonymity(2).check(released).ok
    assert TCloseness(t).check(released).ok
    visits = [(row["who"], row["illness"]) for row in frame.to_pylist()]
    groups: dict[tuple[Any, ...], list[Any]] = defaultdict(list)
    for visit, cells in zip(visits, released.arrow.to_pylist(), strict=True):
        groups[tuple(cells[name] for name in QUASI)].append(visit)
    for members in groups.values():
        for weighed in (by_record, by_person):
            here, everyone = weighed(members), weighed(visits)
            gaps = (abs(here.get(ill, Fraction(0)) - share) for ill, share in everyone.items())
            assert sum(gaps, Fraction(0)) / 2 <= Fraction(t)


def by_record(visits: list[Any]) -> dict[Any, Fraction]:
    return {ill: Fraction(n, len(visits)) for ill, n in Counter(ill for _, ill in visits).items()}


def by_person(visits: list[Any]) -> dict[Any, Fraction]:
    """Everybody has weight 1, spread over their visits."""
    owned, found = Counter(who for who, _ in visits), dict[Any, Fraction]()
    for who, ill in visits:
        found[ill] = found.get(ill, Fraction(0)) + Fraction(1, owned[who] * len(owned))
    return found


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), rows=st.integers(1, 60), k=st.integers(1, 6), method=st.sampled_from(METHODS))
def test_it_keeps_the_contract(seed: int, rows: int, k: int, method: Any) -> None:
    check_mechanism(method(30), opened, people(seed, rows, rows), [KAnonymity(k)])


@every_method
def test_rows_that_differ_only_in_kept_columns_come_out_the_same_in_any_order(method: Any) -> None:
    """Many equal rows, no subject: which of two twins goes into which class must not depend on where they stand."""
    frame = people(3, 120, 40).drop_columns(["who"])
    frame = pa.concat_tables([frame, frame.set_column(frame.num_columns - 1, "remark", pa.array(["other"] * 120))])
    seen = set()
    for seed in range(8):
        shuffled = frame.take(pa.array(np.random.default_rng(seed).permutation(frame.num_rows)))
        released = method(60).protect(opened(shuffled), [KAnonymity(4)]).data.arrow.to_pylist()
        seen.add(tuple(sorted(str(sorted(row.items(), key=str)) for row in released)))
    assert len(seen) == 1


SLIDE = [(20, "M"), (23, "F"), (25, "M"), (27, "F"), (28, "F"), (29, "F")]
BEST = {(20, 25), (23, 27), (28, 29)}


def six(rows: Any) -> Table:
    return Table.of(pa.table({"age": [a for a, _ in rows], "sex": [s for _, s in rows]}), quasi=["age", "sex"])


@every_method
def test_the_textbooks_six_people(method: Any) -> None:
    """20/9 in sum: the optimum over all 41 partitions."""
    table = six(SLIDE)
    released = method().protect(table, [KAnonymity(2)]).data
    value = NCP().score(table, released).value
    assert value is not None
    assert abs(float(value) - 20 / 9 / 12) < 1e-12
    found = defaultdict(list)
    for (age, _), cell in zip(SLIDE, released.arrow.to_pydict()["age"], strict=True):
        found[cell].append(age)
    assert set(map(tuple, found.values())) == BEST


@every_method
def test_the_six_people_in_every_order(method: Any, full_size: bool) -> None:
    """The optimum is found in any of the 720 orders of the rows: by bottom-up in all of them, or in every seventh."""
    apart = (1 if method is BottomUp else 6) if full_size else (7 if method is BottomUp else 31)
    for rows in list(permutations(SLIDE))[::apart]:
        released = method().protect(six(rows), [KAnonymity(2)]).data
        assert set(released.arrow.to_pydict()["age"]) == {"[20-25]", "[23-27]", "[28-29]"}


@every_method
def test_what_is_refused(method: Any) -> None:
    """A whole table that fails, an empty one, a published one, and blocks of nothing."""
    with pytest.raises(Infeasible) as caught:
        method().protect(six(SLIDE), [KAnonymity(7)])
    assert caught.value.blocking == ("k-anonymity ≥ 7: all rows as one class reach 6",)
    with pytest.raises(Infeasible, match=f"{method.name} — the data has no rows"):
        method().protect(six([]), [KAnonymity(2)])
    with pytest.raises(PolicyError, match="published already"):
        method().protect(method().protect(six(SLIDE), [KAnonymity(2)]).data, [KAnonymity(2)])
    with pytest.raises(ValueError, match="block"):
        method(0)


@every_method
def test_without_quasi_columns_all_rows_are_one_class(method: Any) -> None:
    table = Table.of(pa.table({"x": ["a", "b"]}), quasi=[], keep=["x"])
    assert method().protect(table, [KAnonymity(2)]).details.classes == 1


@every_method
def test_equal_rows_lose_nothing(method: Any) -> None:
    table = Table.of(pa.table({"age": [30] * 12 + [50] * 9}), quasi=["age"])
    assert set(method().protect(table, [KAnonymity(4)]).data.arrow.to_pydict()["age"]) == {"30", "50"}


@every_method
def test_it_loses_less_than_mondrian(method: Any) -> None:
    table = opened(people(5, 900, 900))
    losses = [NCP().score(table, m.protect(table, [KAnonymity(5)]).data).value for m in (method(300), Mondrian())]
    assert losses[0] is not None
    assert losses[1] is not None
    assert losses[0] < losses[1]


def test_losses_are_those_of_the_measure() -> None:
    """What the boxes say a class loses is what NCP measures in the published cells (where none is missing)."""
    table = opened(people(8, 400, 400, towns=80).drop_null())
    released = Mondrian().protect(table, [KAnonymity(7)]).data
    whole = table.as_classes(np.arange(table.rows), np.array([0, table.rows]))
    space = ClusterSpace(table, whole)
    classes = released.classes
    losses = space.loss(space.boxes(classes.order, classes.starts)) / 2**32
    value = NCP().score(table, released).value
    assert value is not None
    assert abs(float(losses @ classes.sizes) / table.rows / len(QUASI) - float(value)) < 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_the_compiled_twin_gives_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    table = opened(people(seed, 350, 250, towns=(2, 60)[seed % 2]))
    must = [KAnonymity(3 + seed), LDiversity(2)]
    plain = KMember(100).protect(table, must)
    monkeypatch.setattr(k_member, "COMPILED_FROM", 0)
    monkeypatch.setenv("SHAREWELL_COMPILE", "1")  # else a machine that never compiled it goes on in numpy
    fast = KMember(100).protect(table, must)
    assert "sharewell.tables.engine.protection.clustering.k_member_kernel" in sys.modules
    assert fast.details == plain.details
    assert fast.data.arrow.equals(plain.data.arrow)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    rows=st.integers(12, 300),
    k=st.integers(1, 12),
    towns=st.sampled_from([2, 80]),
    block=st.sampled_from([1, 45, 300]),
)
def test_the_compiled_twin_grows_the_same_clusters(seed: int, rows: int, k: int, towns: int, block: int) -> None:
    """Numbers, dates, trees, sets and missing cells; many rows that are equal, and clusters that take whole blocks."""
    pytest.importorskip("numba")
    table, must = opened(people(seed, rows, 10 * rows, towns)), [KAnonymity(k, unit="record")]
    plain = KMember(block).protect(table, must)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(k_member, "COMPILED_FROM", 0)
        patch.setenv("SHAREWELL_COMPILE", "1")
        fast = KMember(block).protect(table, must)
    assert fast.details == plain.details
    assert fast.data.arrow.equals(plain.data.arrow)


def test_small_work_does_not_load_numba() -> None:
    code = (
        "import sys, pyarrow as pa; from sharewell.tables import KAnonymity, KMember, Table;"
        "KMember().protect(Table.of(pa.table({'age': list(range(500))}), quasi=['age']), [KAnonymity(5)]);"
        "print('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_without_numba_or_a_place_for_its_cache_the_twin_works(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> Any:
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(compiled.importlib, "import_module", refuse)
    compiled._kernel.cache_clear()
    assert compiled.numba_or_numpy(True, "anything:grow", len) is len
    compiled._kernel.cache_clear()
