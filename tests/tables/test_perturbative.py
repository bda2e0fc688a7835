"""Mechanisms that falsify data: what each one keeps, what it may not touch, and that nothing passes unchecked."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell import registry
from sharewell.cli import main
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.keys import Key
from sharewell.tables import MDAV, PRAM, KAnonymity, KMap, LDiversity, Noise, RankSwapping, Rounding, Table
from sharewell.tables.engine.protection.clustering.mdav_groups import (
    Points,
    form_twin,
    grouped,
    mismatch_weight,
    standardised,
)
from sharewell.testing import check_falsifying

KEY = Key(b"a key for the perturbation tests")
OTHER = Key(b"one more key, for the same tests")
NUMBERS = st.lists(st.one_of(st.none(), st.integers(-50, 50)), min_size=1, max_size=40)
FRAME = pa.table(
    {
        "who": [f"person-{i // 2}" for i in range(60)],
        "age": [20 + i * 7 % 50 for i in range(60)],
        "weight": [50 + (i * 37 % 400) / 10 for i in range(60)],
        "town": ["Aville", "Beville", "Ceville"] * 20,
        "born": [f"19{50 + i % 40}-0{1 + i % 9}-11" for i in range(60)],
        "income": [1000 * (i * 13 % 29) for i in range(60)],
        "illness": ["influenza", "asthma", "gastritis", "influenza"] * 15,
        "note": [f"kept {i % 7}" for i in range(60)],
    }
)


def opened(frame: Any) -> Table:
    return Table.of(
        frame,
        quasi=["age", "weight", "town", "born"],
        sensitive=["income", "illness"],
        subject="who",
        keep=["note"],
    )


@pytest.mark.parametrize(
    "mechanism",
    [
        Noise({"age": 0.2, "income": 0.5, "born": 0.1}),
        Noise({"age": 0.2, "weight": 0.2, "income": 0.2}, correlated=True),
        RankSwapping(["age", "income", "born"], 20),
        Rounding({"age": 5, "weight": 0.5, "income": 3000}),
        Rounding({"age": 5, "income": 3000}, random=True),
        PRAM({"town": 0.7, "illness": 0.6, "note": 0.5}),
        PRAM({"town": 0.7, "illness": 0.6}, invariant=True),
        MDAV(3),
        MDAV(4, columns=["age", "income", "illness", "note"]),
    ],
    ids=lambda m: f"{m.name}-{len(getattr(m, 'columns', None) or ())}",
)
def test_they_keep_the_contract(mechanism: Any) -> None:
    check_falsifying(mechanism, opened, FRAME)


def test_mdav_makes_persons_anonymous_where_all_quasi_columns_are_averaged() -> None:
    check_falsifying(MDAV(), opened, FRAME, [KAnonymity(4)])


@pytest.mark.parametrize("name", ["mdav", "noise", "pram", "rank-swapping", "rounding"])
def test_nothing_holds_by_construction_and_auto_never_takes_them(name: str) -> None:
    algorithm = registry.lookup("tables", "mechanisms", name)
    assert algorithm.engine == "check"
    assert algorithm.falsifies
    assert registry.compatible(algorithm, KAnonymity)


@pytest.mark.parametrize(
    "mechanism", [Noise({"income": 0.1}), RankSwapping(["income"]), Rounding({"income": 10}), PRAM({"illness": 0.5})]
)
def test_what_fails_a_criterion_is_not_returned(mechanism: Any) -> None:
    with pytest.raises(Infeasible, match=r"k-anonymity ≥ 2 persons: 1 reached"):
        mechanism.protect(opened(FRAME), [KAnonymity(2)], KEY)


def test_false_quasi_cells_are_not_held_against_people() -> None:
    """Somebody fits a false cell, but not its person: a criterion about a population would judge nothing."""
    people = FRAME.select(["age", "weight", "town", "born"])
    with pytest.raises(Infeasible, match="k-map would hold false cells against people: age"):
        Noise({"age": 0.1}).protect(opened(FRAME), [KMap(people, 1)], KEY)
    assert Noise({"income": 0.1}).protect(opened(FRAME), [KMap(people, 1)], KEY).data.rows == 60


# Noise


def numbers_of(released: Any, name: str) -> Any:
    return np.array([float(v) for v in released.data.arrow[name].to_pylist()])


def plain(n: int, rho: float = 0.8) -> tuple[Table, Any, Any]:
    rng = np.random.default_rng(5)
    x = rng.normal(50, 10, n)
    y = 3 * (rho * (x - 50) + np.sqrt(1 - rho**2) * rng.normal(0, 10, n)) + 100
    frame = pa.table({"g": ["a"] * n, "x": x.round(4), "y": y.round(4)})
    return Table.of(frame, quasi=["g"], sensitive=["x"], keep=["y"]), x, y


def test_noise_keeps_means_and_grows_variances_as_promised() -> None:
    n, amount = 20_000, 0.5
    table, x, y = plain(n)
    out = Noise({"x": amount, "y": amount}).protect(table, [], KEY)
    for name, true in (("x", x), ("y", y)):
        found = numbers_of(out, name)
        assert abs(found.mean() - true.mean()) < 5 * amount * true.std() / np.sqrt(n)
        assert found.var() / true.var() == pytest.approx(1 + amount**2, abs=0.05)
    weaker = np.corrcoef(numbers_of(out, "x"), numbers_of(out, "y"))[0, 1]
    assert weaker * (1 + amount**2) == pytest.approx(np.corrcoef(x, y)[0, 1], abs=0.03)  # how a recipient corrects


def test_correlated_noise_keeps_correlations() -> None:
    table, x, y = plain(20_000)
    out = Noise({"x": 0.5, "y": 0.5}, correlated=True).protect(table, [], KEY)
    assert np.corrcoef(numbers_of(out, "x"), numbers_of(out, "y"))[0, 1] == pytest.approx(
        np.corrcoef(x, y)[0, 1], abs=0.01
    )
    assert numbers_of(out, "x").var() / x.var() == pytest.approx(1.25, abs=0.05)
    with pytest.raises(ValueError, match="one amount"):
        Noise({"x": 0.5, "y": 0.4}, correlated=True)


def test_no_mechanism_moves_all_numbers_by_one_amount() -> None:
    """Five years added to each age are undone by one known age: such a shift is no protection, and is not offered."""
    ages = [20.0 + i for i in range(60)]
    table = Table.of(pa.table({"age": ages}), quasi=[], sensitive=["age"])
    ways = [
        Noise({"age": 0.1}),
        Noise({"age": 0.1}, correlated=True),
        RankSwapping(["age"], 10),
        MDAV(3, columns=["age"]),
    ]
    for one in (*ways, Rounding({"age": 5}), Rounding({"age": 5}, random=True)):
        moved = numbers_of(one.protect(table, [], KEY), "age") - ages
        assert len(set(moved.round(6))) > 2, one.name


def test_equal_values_of_one_person_get_the_same_noise() -> None:
    frame = pa.table({"who": ["a", "a", "a", "b", "b"], "g": ["x"] * 5, "income": [10.5, 10.5, 20.5, 10.5, 10.5]})
    table = Table.of(frame, quasi=["g"], sensitive=["income"], subject="who")
    found = numbers_of(Noise({"income": 1.0}).protect(table, [], KEY), "income")
    assert found[0] == found[1] != found[3] == found[4]


def test_keys_decide_and_the_amount_is_told_but_not_the_noise() -> None:
    table = opened(FRAME)
    first, second = (Noise({"income": 0.3}).protect(table, [], key) for key in (KEY, OTHER))
    assert first.data.arrow["income"] != second.data.arrow["income"]
    assert first.details.dictionary["income"]["share_of_standard_deviation"] == 0.3
    assert set(first.details.dictionary) == {"income"}


@settings(max_examples=30, deadline=None)
@given(NUMBERS, st.booleans())
def test_missing_cells_stay_missing_and_types_stay(values: list[int | None], correlated: bool) -> None:
    frame = pa.table({"g": ["x"] * len(values), "v": pa.array(values, pa.int64()), "w": pa.array(values, pa.int64())})
    table = Table.of(frame, quasi=["g", "v"], keep=["w"])
    out = Noise({"v": 0.1, "w": 0.1}, correlated).protect(table, [], KEY).data.arrow
    for name in ("v", "w"):
        assert [v is None for v in out[name].to_pylist()] == [v is None for v in values]
    assert out["w"].type == pa.int64()


def test_a_column_without_any_value_is_refused() -> None:
    table = Table.of(pa.table({"v": pa.array([None, None], pa.string())}), quasi=["v"])
    with pytest.raises(DataError, match="no value at all"):
        Noise({"v": 0.1}).protect(table, [], KEY)


# Rank swapping


@settings(max_examples=60, deadline=None)
@given(NUMBERS, st.sampled_from([1, 10, 34.5, 100]))
def test_swapping_keeps_the_values_and_moves_them_within_the_window(values: list[int | None], percent: float) -> None:
    frame = pa.table({"g": ["x"] * len(values), "v": pa.array(values, pa.int64())})
    known = [value for value in values if value is not None]
    if not known:
        return
    table = Table.of(frame, quasi=["g"], sensitive=["v"])
    after = RankSwapping(["v"], percent).protect(table, [], KEY).data.arrow["v"].to_pylist()
    assert Counter(after) == Counter(values)
    window = max(1, int(len(known) * percent / 100))
    ranks = defaultdict(list)
    for rank, value in enumerate(sorted(known)):
        ranks[value].append(rank)
    for old, new in zip(values, after, strict=True):
        if old is not None:
            assert min(abs(a - b) for a in ranks[old] for b in ranks[new]) <= window
        else:
            assert new is None


def test_a_wide_window_breaks_correlations_more() -> None:
    n = 4000
    table, x, y = plain(n)
    narrow, wide = (
        np.corrcoef(numbers_of(RankSwapping(["x"], p).protect(table, [], KEY), "x"), y)[0, 1] for p in (1, 60)
    )
    assert wide < narrow <= np.corrcoef(x, y)[0, 1] + 0.01


# Rounding


@settings(max_examples=60, deadline=None)
@given(NUMBERS, st.sampled_from([1, 3, 5, 0.5, 2.5, 0.1]), st.booleans())
def test_rounding_publishes_multiples_and_bounds_the_error(values: list[int | None], base: float, random: bool) -> None:
    tenths = [None if value is None else value / 10 for value in values]
    if all(value is None for value in tenths):
        return
    table = Table.of(pa.table({"v": pa.array(tenths, pa.float64())}), quasi=["v"])
    shown = Rounding({"v": base}, random).protect(table, [], KEY).data.arrow["v"].to_pylist()
    for old, text in zip(tenths, shown, strict=True):
        assert (old is None) == (text is None)
        if old is not None:
            assert abs(float(text) / base - round(float(text) / base)) < 1e-9
            assert abs(float(text) - old) <= (base if random else base / 2) + 1e-9


def test_the_middle_goes_to_the_even_multiple_in_decimal_not_binary_arithmetic() -> None:
    table = Table.of(pa.table({"v": ["0.15", "0.25", "0.35", "-0.15"]}), quasi=["v"])
    assert Rounding({"v": 0.1}).protect(table, []).data.arrow["v"].to_pylist() == ["0.2", "0.2", "0.4", "-0.2"]


def test_random_rounding_is_true_in_expectation() -> None:
    n = 20_000
    table = Table.of(pa.table({"g": ["x"] * n, "v": [3] * n}), quasi=["g"], sensitive=["v"])
    shown = numbers_of(Rounding({"v": 10}, random=True).protect(table, [], KEY), "v")
    assert set(shown) == {0, 10}
    assert shown.mean() == pytest.approx(3, abs=5 * 10 * np.sqrt(0.3 * 0.7 / n))


# PRAM


def counts(released: Any, name: str, values: list[str]) -> Any:
    seen = Counter(released.data.arrow[name].to_pylist())
    return np.array([seen[value] for value in values])


def skewed(n: int = 30_000) -> tuple[Table, list[str], Any]:
    values, shares = ["a", "b", "c", "d"], np.array([0.6, 0.25, 0.1, 0.05])
    column = np.repeat(values, (shares * n).astype(int))
    return Table.of(pa.table({"g": ["x"] * n, "v": column}), quasi=["g"], sensitive=["v"]), values, shares * n


def test_a_recipient_can_correct_counts_from_what_the_dictionary_tells() -> None:
    table, values, true = skewed()
    out = PRAM({"v": 0.7}).protect(table, [], KEY)
    facts = out.details.dictionary["v"]
    p, m = facts["probability_to_stay"], facts["number_of_values"]
    q = (1 - p) / (m - 1)
    corrected = (counts(out, "v", values) - table.rows * q) / (p - q)
    spread = np.sqrt(table.rows * 0.25) / (p - q)
    assert np.abs(corrected - true).max() < 5 * spread
    assert np.abs(counts(out, "v", values) - true).max() > 5 * spread  # uncorrected counts are wrong


def test_invariant_pram_keeps_counts_in_expectation() -> None:
    table, values, true = skewed()
    out = PRAM({"v": 0.7}, invariant=True).protect(table, [], KEY)
    assert np.abs(counts(out, "v", values) - true).max() < 5 * np.sqrt(table.rows * 0.25)
    assert out.details.columns["v"].changed > 5000


def test_the_two_stage_matrix_is_invariant() -> None:
    """The proof of the page, in numbers: λPQ = λ for the second draw as it is drawn."""
    shares, p = np.array([0.6, 0.25, 0.1, 0.05]), 0.7
    first = np.full((4, 4), (1 - p) / 3)
    np.fill_diagonal(first, p)
    second = (shares * first.T) / (shares @ first)[:, None]
    assert shares @ first @ second == pytest.approx(shares)
    table, values, _ = skewed(60_000)
    both = first @ second
    out = PRAM({"v": p}, invariant=True).protect(table, [], KEY).data.arrow["v"].to_pylist()
    moves = Counter(zip(table.carried["v"].to_pylist(), out, strict=True))
    for i, old in enumerate(values):
        total = sum(moves[old, new] for new in values)
        found = np.array([moves[old, new] / total for new in values])
        assert np.abs(found - both[i]).max() < 5 * np.sqrt(0.25 / total)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=30), st.booleans())
def test_pram_stays_in_the_domain_and_leaves_missing_alone(values: list[str | None], invariant: bool) -> None:
    table = Table.of(pa.table({"g": ["x"] * len(values), "v": pa.array(values, pa.string())}), quasi=["g", "v"])
    shown = PRAM({"v": 0.3}, invariant).protect(table, [], KEY).data.arrow["v"].to_pylist()
    assert set(shown) <= set(values)
    assert [v is None for v in shown] == [v is None for v in values]


# MDAV


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from("ab")), min_size=2, max_size=60),
    st.integers(2, 6),
)
def test_groups_have_k_to_2k_members_and_publish_their_mean(rows: list[tuple[int, int, str]], k: int) -> None:
    frame = pa.table({"x": [r[0] for r in rows], "y": [r[1] for r in rows], "z": [r[2] for r in rows]})
    table = Table.of(frame, quasi=["x", "y", "z"])
    if len(rows) < k:
        with pytest.raises(Infeasible, match=r"a group needs"):
            MDAV(k).protect(table, [KAnonymity(k)])
        return
    out = MDAV(k).protect(table, [KAnonymity(k)])
    assert out.details.smallest >= k
    for name, before in (("x", [r[0] for r in rows]), ("y", [r[1] for r in rows])):
        after = np.array([float(v) for v in out.data.arrow[name].to_pylist()])
        assert after.mean() == pytest.approx(np.mean(before), abs=0.006)  # two decimals more than the column has
    points = np.array([[r[0], r[1]] for r in rows])
    sizes = np.bincount(grouped(points, np.zeros((len(rows), 0), np.int64), np.zeros(0, np.int64), k, 10**6))
    assert sizes.min() >= min(k, len(rows))
    assert sizes.max() < 2 * k or len(sizes) == 1


def brute_mdav(points: Any, k: int) -> list[frozenset[int]]:
    """The description of Domingo-Ferrer and Torra, with sets and floating-point means."""
    left, groups = list(range(len(points))), []

    def distance(a: Any, b: Any) -> float:
        return float(((a - b) ** 2).sum())

    def gather(seed: int) -> None:
        near = sorted(left, key=lambda i: (i != seed, distance(points[i], points[seed]), i))[:k]
        groups.append(frozenset(near))
        for i in near:
            left.remove(i)

    while len(left) >= 3 * k:
        centre = points[left].mean(axis=0)
        r = max(left, key=lambda i: (distance(points[i], centre), -i))
        gather(r)
        gather(max(left, key=lambda i: (distance(points[i], points[r]), -i)))
    if len(left) >= 2 * k:
        centre = points[left].mean(axis=0)
        gather(max(left, key=lambda i: (distance(points[i], centre), -i)))
    groups.append(frozenset(left))
    return groups


def test_mdav_is_the_published_algorithm() -> None:
    rng = np.random.default_rng(8)
    for trial in range(30):
        points = rng.normal(size=(int(rng.integers(6, 40)), 2))
        k = int(rng.integers(2, 5))
        exact = np.rint(points * 2**16).astype(np.int64)
        nothing = np.zeros((len(points), 0), np.int64)
        found = form_twin(Points(exact, nothing, np.zeros(0, np.int64)), k)
        ours = {frozenset(np.flatnonzero(found == g).tolist()) for g in range(found.max() + 1)}
        assert ours == set(brute_mdav(exact.astype(float), k)), trial


def test_nine_ages_make_three_groups() -> None:
    """Worked by hand: the farthest from the centre first. Of the squares of 4,093 the groups keep all but 580."""
    ages = [20, 23, 25, 40, 41, 43, 60, 62, 90]
    table = Table.of(pa.table({"age": ages}), quasi=["age"])
    shown = numbers_of(MDAV().protect(table, [KAnonymity(3)], KEY), "age")
    assert np.round(shown, 3).tolist() == pytest.approx([22.667] * 3 + [41.333] * 3 + [70.667] * 3, abs=0.01)
    within, whole = ((ages - shown) ** 2).sum(), ((ages - np.mean(ages)) ** 2).sum()
    assert (within, whole) == (pytest.approx(580, abs=0.1), pytest.approx(4092.889, abs=0.01))
    assert 100 * within / whole == pytest.approx(14.171, abs=0.01)


def test_seven_is_rounded_to_six_twice_as_often_as_to_nine() -> None:
    n = 20_000
    table = Table.of(pa.table({"g": ["x"] * n, "v": [7] * n}), quasi=["g"], sensitive=["v"])
    shown = numbers_of(Rounding({"v": 3}, random=True).protect(table, [], KEY), "v")
    assert set(shown) == {6, 9}
    assert (shown == 6).mean() == pytest.approx(2 / 3, abs=5 * np.sqrt(2 / 9 / n))


def test_the_compiled_twin_forms_the_same_groups() -> None:
    pytest.importorskip("numba")
    from sharewell.tables.engine.protection.clustering.mdav_kernel import form

    rng = np.random.default_rng(9)
    for n, k in ((10, 3), (57, 2), (400, 5), (401, 7)):
        points = np.stack([standardised(rng.integers(0, 9, n).astype(float)) for _ in range(3)], axis=1)
        names = rng.integers(0, 4, (n, 2)).astype(np.int64)
        weights = np.array([mismatch_weight(names[:, j]) for j in range(2)], dtype=np.int64)
        data = Points(points, names, weights)
        assert (form(data, k) == form_twin(data, k)).all()


def test_mdav_in_blocks_keeps_the_guarantee() -> None:
    rng = np.random.default_rng(10)
    frame = pa.table({"x": rng.integers(0, 1000, 700), "y": rng.integers(0, 1000, 700), "z": ["a", "b"] * 350})
    table = Table.of(frame, quasi=["x", "y", "z"])
    out = MDAV(4, block=64).protect(table, [KAnonymity(4)])
    assert out.details.smallest >= 4
    assert out.details.groups > 100
    only_names = Table.of(frame, quasi=["z"], rest="drop")
    assert MDAV(4, block=64).protect(only_names, [KAnonymity(4)]).details.most_frequent == ("z",)


def test_persons_not_records_are_gathered() -> None:
    frame = pa.table({"who": list("aaaabbbbccdd"), "x": list(range(12))})
    table = Table.of(frame, quasi=["x"], subject="who")
    out = MDAV(2).protect(table, [KAnonymity(2)])
    assert out.details.smallest == 2
    assert len(set(out.data.arrow["x"].to_pylist())) == 2


def test_mdav_does_not_claim_what_it_was_not_told_to_average() -> None:
    with pytest.raises(Infeasible, match="k-anonymity"):
        MDAV(3, columns=["age"]).protect(opened(FRAME), [KAnonymity(3)])
    same = pa.table({"age": [1, 2, 3, 4], "illness": ["flu"] * 4})
    with pytest.raises(Infeasible, match="l-diversity"):
        MDAV(2).protect(Table.of(same, quasi=["age"], sensitive=["illness"]), [KAnonymity(2), LDiversity(2)])
    with pytest.raises(PolicyError, match="no group size"):
        MDAV().protect(opened(FRAME), [])


# Bad input, and the way through a policy


@pytest.mark.parametrize(
    ("mechanism", "error", "told"),
    [
        (Noise({"nobody": 0.1}), PolicyError, "no column 'nobody'"),
        (Noise({"who": 0.1}), PolicyError, "has the role subject"),
        (Noise({"illness": 0.1}), DataError, "neither all numbers nor all dates"),
        (Rounding({"born": 10}), DataError, "hierarchy date"),
        (RankSwapping(["town"]), DataError, "neither all numbers nor all dates"),
    ],
)
def test_columns_that_cannot_be_are_refused(mechanism: Any, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        mechanism.protect(opened(FRAME), [], KEY)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Noise({}),
        lambda: Noise({"x": 0}),
        lambda: Noise({"x": -1}),
        lambda: Rounding({"x": 0}),
        lambda: PRAM({"x": 1}),
        lambda: PRAM({"x": 0}),
        lambda: RankSwapping([]),
        lambda: RankSwapping(["x"], 0),
        lambda: RankSwapping("income"),
        lambda: MDAV(1),
        lambda: MDAV(3, columns=[]),
    ],
)
def test_parameters_without_meaning_are_refused(make: Any) -> None:
    with pytest.raises(ValueError, match=r"columns|percent|k — must"):
        make()


@pytest.mark.parametrize("mechanism", [Noise({"v": 0.1}), RankSwapping(["v"]), Rounding({"v": 2}), PRAM({"v": 0.5})])
def test_one_row_and_no_row(mechanism: Any) -> None:
    frame = pa.table({"v": pa.array([5], pa.int64())})
    assert mechanism.protect(Table.of(frame, quasi=["v"]), [], KEY).data.rows == 1
    with pytest.raises(Infeasible, match="no rows"):
        mechanism.protect(Table.of(frame.slice(0, 0), quasi=["v"]), [], KEY)


POLICY = """\
sharewell: 1
release: {{name: false-values}}
datasets:
  people:
    kind: tables
    read: {{csv: people.csv}}
    columns:
      who: subject
      age: {{role: quasi, hierarchy: {{intervals: {{width: 10}}}}}}
      illness: sensitive
      cost: keep
    require: [k-anonymity: {{k: {k}}}]
    using: {using}
    utility: [ncp]
write: {{csv: out}}
"""


@pytest.mark.parametrize(
    ("using", "k", "column"),
    [
        ("{noise: {columns: {cost: 0.1}}}", 1, "cost"),
        ("{noise: {columns: {age: 0.1, cost: 0.1}, correlated: true}}", 1, "age"),
        ("{rounding: {columns: {age: 20}}}", 2, "age"),
        ("{rank-swapping: {columns: [cost, age], percent: 10}}", 1, "cost"),
        ("{pram: {columns: {illness: 0.8}, invariant: true}}", 1, "illness"),
        ("{mdav: {columns: [age, cost]}}", 5, "age"),
    ],
)
def test_a_release_says_that_values_are_falsified(tmp_path: Path, using: str, k: int, column: str) -> None:
    (tmp_path / "policy.yaml").write_text(POLICY.format(using=using, k=k))
    rows = [f"p{i % 50},{20 + i * 7 % 40},{['flu', 'asthma', 'gout'][i % 3]},{i * 13 % 17}.5" for i in range(60)]
    (tmp_path / "people.csv").write_text("who,age,illness,cost\n" + "\n".join(rows) + "\n")
    assert main(["release", str(tmp_path / "policy.yaml")]) == 0
    public = tmp_path / "out" / "false-values" / "public"
    assert main(["verify", str(public.parent)]) == 0
    assert main(["verify", str(public)]) == 0
    claim = json.loads((public / "certificate.json").read_text())["datasets"]["people"]
    assert claim["mechanism"]["falsifies"] is True
    assert "falsified" in claim["columns"][column]
    assert "falsified" not in claim["columns"][{"age": "illness", "cost": "illness", "illness": "cost"}[column]]
    assert "Values are falsified on purpose" in (public.parent / "internal" / "dossier.html").read_text()


@pytest.mark.parametrize("using", ["{noise: {columns: {cost: 0.5}}}", "{pram: {columns: {illness: 0.3}}}"])
def test_large_files_are_changed_where_they_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, using: str) -> None:
    """Columns that wait on disk are published as the mechanism wrote them, and the same as in memory."""
    from sharewell.io import sources

    rows = [f"p{i % 50},{20 + i * 7 % 40},{['flu', 'asthma', 'gout'][i % 3]},{i * 13 % 17}.5" for i in range(60)]
    shown = []
    for name, least in (("waiting", 1), ("memory", 10**9)):
        directory = tmp_path / name
        directory.mkdir()
        (directory / "key").write_bytes(b"a key for the perturbation tests")
        text = POLICY.format(using=using, k=1).replace("datasets:", "secrets: {key: file:key}\ndatasets:", 1)
        (directory / "policy.yaml").write_text(text)
        (directory / "people.csv").write_text("who,age,illness,cost\n" + "\n".join(rows) + "\n")
        monkeypatch.setattr(sources, "LARGE", dict.fromkeys(sources.LARGE, least))
        assert main(["release", str(directory / "policy.yaml")]) == 0
        shown.append((directory / "out" / "false-values" / "public" / "people.csv").read_text())
    assert shown[0] == shown[1]
    assert sorted(line.split(",")[-1] for line in shown[0].splitlines()) != sorted(r.split(",")[-1] for r in rows)
