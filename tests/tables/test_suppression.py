"""Suppression of records, columns and cells, against brute force."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sharewell.cli import main
from sharewell.errors import Infeasible, PolicyError
from sharewell.tables import (
    AttributeSuppression,
    EntropyLDiversity,
    KAnonymity,
    LDiversity,
    RecordSuppression,
    Table,
    TCloseness,
    ValueSuppression,
)
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.classes import Classes
from sharewell.testing import check_mechanism

SMALL = st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=2, max_size=14)
FRAME = pa.table(
    {
        "who": [f"person-{i // 2}" for i in range(48)],
        "age": [30 + i % 4 for i in range(48)],
        "town": ["Aville", "Beville", "Ceville"] * 16,
        "sex": ["female", "male"] * 24,
        "illness": ["influenza", "asthma", "gastritis", "influenza"] * 12,
        "note": [f"kept {i % 7}" for i in range(48)],
    }
)


def opened(frame: Any) -> Table:
    return Table.of(frame, quasi=["age", "town", "sex"], sensitive=["illness"], subject="who", keep=["note"])


def table_of(rows: Sequence[tuple[int, ...]]) -> Table:
    names = [f"c{j}" for j in range(len(rows[0]))]
    return Table.of(pa.table({n: [str(r[j]) for r in rows] for j, n in enumerate(names)}), quasi=names)


@dataclass(frozen=True)
class NotThree(ClassCriterion):
    """A criterion without any law: no class of exactly three records."""

    name: ClassVar[str] = "not-three"
    sense: ClassVar[Any] = "≤"
    union_safe: ClassVar[bool] = False

    @property
    def bound(self) -> int:
        return 0

    def worst(self, classes: Classes) -> NDArray[np.number]:
        return np.where(classes.sizes == 3, 1, 0)


@pytest.mark.parametrize(
    "must", [[KAnonymity(2)], [KAnonymity(2), LDiversity(2)], [EntropyLDiversity(Fraction(3, 2))]], ids=len
)
@pytest.mark.parametrize(
    "mechanism", [RecordSuppression(0.9), AttributeSuppression(), ValueSuppression()], ids=lambda m: m.name
)
def test_they_keep_the_contract(mechanism: Any, must: list[Any]) -> None:
    check_mechanism(mechanism, opened, FRAME, must)


# Records


@settings(max_examples=60, deadline=None)
@given(SMALL, st.integers(2, 4))
def test_exactly_the_rows_of_small_classes_are_withheld(rows: list[tuple[int, ...]], k: int) -> None:
    sizes = Counter(rows)
    kept = [row for row in rows if sizes[row] >= k]
    if not kept:
        with pytest.raises(Infeasible, match="every record would be withheld"):
            RecordSuppression(0.99).protect(table_of(rows), [KAnonymity(k)])
        return
    out = RecordSuppression(0.99).protect(table_of(rows), [KAnonymity(k)])
    shown = list(zip(*(out.data.arrow[n].to_pylist() for n in out.data.arrow.column_names), strict=True))
    assert shown == [tuple(map(str, row)) for row in kept]
    assert [rows[i] for i in out.rows] == kept
    assert out.details.suppressed_records == len(rows) - len(kept)


def test_the_limit_counts_persons_and_says_what_would_do() -> None:
    table = table_of([(0, 0, 0)] * 6 + [(1, 1, 1), (2, 2, 2)])
    with pytest.raises(Infeasible, match=r"suppress = 0\.25") as caught:
        RecordSuppression(0.2).protect(table, [KAnonymity(2)])
    assert caught.value.blocking == ("k-anonymity fails in 2 class(es)",)


def test_criteria_that_look_at_the_whole_table_are_asked_again() -> None:
    """Withholding changes the distribution that classes are held against."""
    frame = pa.table({"c": list("aaaabbcccccddd"), "s": list("xxxyxyxxxyxyxy")})
    table = Table.of(frame, quasi=["c"], sensitive=["s"])
    assert TCloseness(Fraction(1, 5)).holds(table.classes).tolist() == [True, True, True, False]
    out = RecordSuppression(0.9).protect(table, [TCloseness(Fraction(1, 5))])
    assert out.details.rounds == 2  # without d, b is too far from the rest
    assert set(out.data.arrow["c"].to_pylist()) == {"a", "c"}
    assert TCloseness(Fraction(1, 5)).check(out.data).ok


# Columns


def brute_columns(rows: list[tuple[int, ...]], costs: list[float], holds: Any) -> float | None:
    best = None
    for kept in itertools.product([0, 1], repeat=len(costs)):
        groups = Counter(tuple(v for v, on in zip(row, kept, strict=True) if on) for row in rows)
        cost = sum(c for c, on in zip(costs, kept, strict=True) if not on)
        if holds(groups) and (best is None or cost < best):
            best = cost
    return best


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=2, max_size=14),
    st.integers(2, 4),
    st.lists(st.sampled_from([1.0, 2.0, 5.0]), min_size=4, max_size=4),
)
def test_the_cheapest_columns_are_found(rows: list[tuple[int, ...]], k: int, costs: list[float]) -> None:
    best = brute_columns(rows, costs, lambda groups: min(groups.values()) >= k)
    weights = {f"c{j}": cost for j, cost in enumerate(costs)}
    if best is None:
        with pytest.raises(Infeasible):
            AttributeSuppression(weights).protect(table_of(rows), [KAnonymity(k)])
        return
    out = AttributeSuppression(weights).protect(table_of(rows), [KAnonymity(k)])
    assert out.details.proven
    assert out.details.cost == pytest.approx(best)
    assert KAnonymity(k).check(out.data).ok


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=4, max_size=9))
def test_a_criterion_without_laws_is_searched_in_full(rows: list[tuple[int, ...]]) -> None:
    best = brute_columns(rows, [1.0] * 3, lambda groups: 3 not in groups.values())
    out = AttributeSuppression().protect(table_of(rows), [NotThree()])
    assert out.details.cost == best


def test_many_columns_and_few_steps_say_that_nothing_is_proven() -> None:
    rng = np.random.default_rng(3)
    frame = pa.table({f"c{j}": rng.integers(0, 3, 300) for j in range(18)})
    table = Table.of(frame, quasi=frame.column_names)
    short = AttributeSuppression(steps=25).protect(table, [KAnonymity(3)])
    assert not short.details.proven
    full = AttributeSuppression().protect(table, [KAnonymity(3)])
    assert full.details.proven
    assert full.details.cost <= short.details.cost


# Cells


def brute_cells(rows: list[tuple[int, ...]], k: int, costs: list[float]) -> float:
    best = float("inf")
    columns = range(len(costs))
    patterns = [(sum(costs[j] for j in columns if p >> j & 1), p) for p in range(2 ** len(costs))]
    for chosen in itertools.product(patterns, repeat=len(rows)):
        cost = sum(c for c, _ in chosen)
        if cost < best:
            seen = Counter(
                tuple("*" if p >> j & 1 else row[j] for j in columns) for row, (_, p) in zip(rows, chosen, strict=True)
            )
            if min(seen.values()) >= k:
                best = cost
    return best


def test_cells_are_near_the_optimum_of_brute_force() -> None:
    rng = np.random.default_rng(1)
    least, found, exact, trials = 0.0, 0, 0, 0
    for trial in range(40):
        q = 2 + (trial % 4 == 0)
        n = int(rng.integers(4, 7 if q == 2 else 6))
        k = 2 + (trial % 5 == 0)
        rows = [tuple(map(int, row)) for row in rng.integers(0, 3, (n, q))]
        best = brute_cells(rows, k, [1.0] * q)
        ours = sum(ValueSuppression().protect(table_of(rows), [KAnonymity(k)]).details.cells_suppressed.values())
        assert ours >= best
        least, found, exact, trials = least + best, found + ours, exact + (ours == best), trials + 1
    assert found <= 1.1 * least
    assert exact >= 0.6 * trials


@settings(max_examples=60, deadline=None)
@given(SMALL, st.integers(2, 4), st.lists(st.sampled_from([1.0, 3.0]), min_size=3, max_size=3))
def test_classes_are_counted_strictly_and_cells_are_true(
    rows: list[tuple[int, ...]], k: int, costs: list[float]
) -> None:
    weights = {f"c{j}": cost for j, cost in enumerate(costs)}
    if len(rows) < k:
        with pytest.raises(Infeasible):
            ValueSuppression(weights).protect(table_of(rows), [KAnonymity(k)])
        return
    out = ValueSuppression(weights).protect(table_of(rows), [KAnonymity(k)])
    shown = list(zip(*(out.data.arrow[n].to_pylist() for n in out.data.arrow.column_names), strict=True))
    assert min(Counter(shown).values()) >= k
    for row, cells in zip(rows, shown, strict=True):
        assert all(cell in ("*", str(value)) for value, cell in zip(row, cells, strict=True))
    assert sum(row.count("*") for row in shown) == sum(out.details.cells_suppressed.values())


def test_a_row_that_is_rare_in_everything_borrows_as_few_rows_as_it_needs() -> None:
    rows = [(0, 0, 0)] * 9 + [(1, 1, 1)]
    out = ValueSuppression().protect(table_of(rows), [KAnonymity(3)])
    assert sum(out.details.cells_suppressed.values()) == 9  # the rare row and two others lose everything
    assert out.details.borrowed == 1


def test_a_literal_star_is_not_a_suppressed_cell() -> None:
    frame = pa.table({"mark": ["*", "*", "a", "b"]})
    out = ValueSuppression().protect(Table.of(frame, quasi=["mark"]), [KAnonymity(2)])
    assert out.data.arrow["mark"].to_pylist() == [r"\*", r"\*", "*", "*"]


def test_important_columns_keep_their_cells() -> None:
    rows = [(a, b) for a in range(3) for b in range(3)]
    first = ValueSuppression({"c0": 10}).protect(table_of(rows), [KAnonymity(3)]).details.cells_suppressed
    second = ValueSuppression({"c1": 10}).protect(table_of(rows), [KAnonymity(3)]).details.cells_suppressed
    assert first == {"c0": 0, "c1": 9}
    assert second == {"c0": 9, "c1": 0}


def test_diversity_holds_in_the_strict_classes_too() -> None:
    rng = np.random.default_rng(4)
    frame = pa.table({"a": rng.integers(0, 5, 200), "b": rng.integers(0, 5, 200), "s": rng.integers(0, 3, 200)})
    table = Table.of(frame, quasi=["a", "b"], sensitive=["s"])
    out = ValueSuppression().protect(table, [KAnonymity(4), LDiversity(3), EntropyLDiversity(Fraction(2))])
    groups = defaultdict(set)
    for a, b, s in zip(*(out.data.arrow[n].to_pylist() for n in "abs"), strict=True):
        groups[a, b].add(s)
    assert all(len(seen) == 3 for seen in groups.values())


@pytest.mark.parametrize("mechanism", [AttributeSuppression({"nobody": 2}), ValueSuppression({"nobody": 2})])
def test_weights_of_unknown_columns_are_refused(mechanism: Any) -> None:
    with pytest.raises(PolicyError, match="no quasi column 'nobody'"):
        mechanism.protect(opened(FRAME), [KAnonymity(2)])


@pytest.mark.parametrize(
    "using", ["{record-suppression: {suppress: 0.5}}", "attribute-suppression", "value-suppression"]
)
def test_a_release_by_suppression_is_verified_from_its_files(tmp_path: Path, using: str) -> None:
    rows = [f"p{i},{20 + i % 3},{'FM'[i % 2]},{['flu', 'asthma'][i % 2]}" for i in range(30)] + ["q,87,F,gout"]
    (tmp_path / "people.csv").write_text("who,age,sex,illness\n" + "\n".join(rows) + "\n")
    (tmp_path / "policy.yaml").write_text(
        "sharewell: 1\nrelease: {name: few}\ndatasets:\n  people:\n    kind: tables\n    read: {csv: people.csv}\n"
        "    columns: {who: subject, age: quasi, sex: quasi, illness: sensitive}\n"
        f"    require: [k-anonymity: {{k: 2}}]\n    using: {using}\n    utility: [ncp]\nwrite: {{csv: out}}\n"
    )
    assert main(["release", str(tmp_path / "policy.yaml")]) == 0
    assert main(["verify", str(tmp_path / "out" / "few")]) == 0
