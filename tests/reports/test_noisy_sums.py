"""Noisy sums: no person moves the table by more than is said, whatever they add, and noise is opendp's."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell import release, verify
from sharewell.errors import Infeasible, PolicyError
from sharewell.opendp_noise import VectorNoise
from sharewell.reports import CellProtection, CountTable, NoisySums, SumPrivacy, TableInterval, tabulate
from sharewell.reports.counts.data import Contributions
from sharewell.reports.counts.mechanisms.noisy_sums import OTHER, clipped

VALUES = {"ward": ["N", "S"], "sex": ["f", "m"]}
ROW = st.tuples(
    st.integers(0, 4),
    st.sampled_from(["N", "S", "elsewhere", None]),
    st.sampled_from(["f", "m", None]),
    st.integers(0, 900).map(lambda v: f"{v / 10:.1f}"),
)


def sums(rows: list[tuple[int, str | None, str | None, str]]) -> CountTable:
    who, ward, sex, cost = (list(column) for column in zip(*rows, strict=True))
    frame = {"who": [str(one) for one in who], "ward": ward, "sex": sex, "cost": cost}
    table = pa.table({name: pa.array(cells, pa.string()) for name, cells in frame.items()})
    return tabulate([table], ["ward", "sex"], subject="who", measure="cost")


class Silent(VectorNoise):
    """No noise at all, to look at what noise is added to."""

    def add(self, numbers: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
        return numbers


def exactly(table: CountTable, most: float, decimals: int, monkeypatch: pytest.MonkeyPatch) -> CountTable:
    monkeypatch.setattr(VectorNoise, "add", Silent.add)
    return NoisySums(most=most, values=VALUES, epsilon=1.0, decimals=decimals).protect(table, []).data


@settings(deadline=None, max_examples=40)
@given(st.lists(ROW, min_size=2, max_size=10), st.sampled_from([0, 1]), st.integers(5, 120))
def test_one_person_more_moves_the_inner_cells_by_no_more_than_most(
    rows: list[tuple[int, str | None, str | None, str]], decimals: int, most: int
) -> None:
    """By brute force: every person is left out once."""
    with pytest.MonkeyPatch.context() as patch:
        whole = exactly(sums(rows), most, decimals, patch)
        for person in {row[0] for row in rows}:
            rest = [row for row in rows if row[0] != person]
            if not rest:
                continue
            without = exactly(sums(rest), most, decimals, patch)
            assert without.arrow.select(["ward", "sex"]).equals(whole.arrow.select(["ward", "sex"])), "cells are public"
            moved = np.abs(whole.shown - without.shown)[whole.leaves].sum()
            assert moved <= most * 10**decimals


@settings(deadline=None, max_examples=40)
@given(st.lists(ROW, min_size=1, max_size=10))
def test_what_is_not_cut_off_is_the_plain_sum(rows: list[tuple[int, str | None, str | None, str]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        table = exactly(sums(rows), 10_000, 1, patch)
    plain: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for _, ward, sex, cost in rows:
        for w in (ward if ward in VALUES["ward"] else OTHER, "*"):
            for s in (sex if sex in VALUES["sex"] else OTHER, "*"):
                plain[w, s] += Fraction(cost)
    shown = {(row["ward"], row["sex"]): Fraction(row["cost"]) for row in table.arrow.to_pylist()}
    assert shown == {cell: plain[cell] for cell in shown}
    assert len(shown) == 16


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 50)), max_size=12), st.integers(1, 60))
def test_nobody_adds_more_than_most(rows: list[tuple[int, int, int]], most: int) -> None:
    cell, person, amount = (np.array([row[i] for row in rows], dtype=np.int64) for i in range(3))
    kept = clipped(Contributions(cell, person, amount), most)
    assert ((kept >= 0) & (kept <= amount)).all()
    for one in set(person.tolist()):
        given_by, left = int(amount[person == one].sum()), int(kept[person == one].sum())
        assert left == min(given_by, most)


def test_noise_is_drawn_anew_for_every_inner_cell_and_totals_add_up() -> None:
    table = sums([(i, "N" if i % 2 else "S", "f", "5.0") for i in range(5)])
    mechanism = NoisySums(most=50, values=VALUES, epsilon=0.5)
    first, second = (mechanism.protect(table, []).data for _ in range(2))
    assert (first.shown != second.shown).any()
    shown = first.shown.reshape(first.shape)
    assert (shown[0] == shown[1:].sum(axis=0)).all()
    assert not first.hidden.any()
    assert (first.arrow["cost"].null_count, first.noise and first.noise.scale) == (0, 100.0)


def test_noise_has_the_size_that_is_told() -> None:
    mechanism = NoisySums(most=10, values=VALUES, epsilon=1.0)
    table = sums([(1, "N", "f", "5.0")])
    drawn = np.concatenate([mechanism.protect(table, []).data.shown for _ in range(60)]).reshape(60, -1)
    leaves = mechanism.protect(table, []).data.leaves
    expected = mechanism.protect(table, []).details.standard_deviation
    assert 0.6 * expected < drawn[:, leaves].std() < 1.5 * expected


def test_other_criteria_do_not_call_noise_safe() -> None:
    released = NoisySums(most=50, values=VALUES, epsilon=1.0).protect(sums([(1, "N", "f", "5.0")]), []).data
    assert CellProtection(threshold=5).check(released).ok is None
    assert TableInterval().mount(released).value == 0


def test_a_budget_above_the_criterion_is_refused() -> None:
    with pytest.raises(Infeasible, match="noisy-sums"):
        NoisySums(most=50, values=VALUES, epsilon=2.0).protect(sums([(1, "N", "f", "5.0")]), [SumPrivacy(1.0)])


@pytest.mark.parametrize(
    "wrong",
    [
        {"most": 0},
        {"most": 0.5},
        {"epsilon": None},
        {"rho": 1.0},
        {"values": {"ward": ["N", "N"]}},
        {"values": {"ward": [OTHER]}},
        {"values": {"ward": []}},
    ],
)
def test_parameters_that_make_no_sense(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"most|epsilon|values"):
        NoisySums(**{"most": 10, "values": VALUES, "epsilon": 1.0, **wrong})  # type: ignore[arg-type]


def test_counts_and_undeclared_dimensions_are_refused() -> None:
    with pytest.raises(PolicyError, match="noisy-marginals"):
        NoisySums(most=1, values={"x": ["a"]}, epsilon=1.0).protect(CountTable.of_cells({("a",): 3}, ["x"]), [])
    with pytest.raises(PolicyError, match="the dimensions are ward, sex"):
        NoisySums(most=1, values={"ward": ["N"]}, epsilon=1.0).protect(sums([(1, "N", "f", "5.0")]), [])


def test_a_release_is_written_and_verified(tmp_path: Path) -> None:
    rows = "".join(f"{i},{'NS'[i % 2]},{i}.50\n" for i in range(30))
    (tmp_path / "costs.csv").write_text("who,ward,cost\n" + rows)
    (tmp_path / "policy.yaml").write_text(
        """sharewell: 1
release: {name: costs}
datasets:
  costs:
    kind: reports
    read: {csv: costs.csv}
    measure: cost
    columns: {who: subject, ward: quasi, cost: drop}
    require: [sum-privacy: {epsilon: 1}]
    using: {noisy-sums: {most: 20, values: {ward: [N, S]}, epsilon: 1, decimals: 2}}
    attacks: [table-interval]
    utility: [suppressed-share]
write: {csv: out}
"""
    )
    folder = release(tmp_path / "policy.yaml").directory
    assert verify(folder).ok
    assert verify(folder / "public").ok
    assert len((folder / "public" / "costs.csv").read_text().splitlines()) == 5
