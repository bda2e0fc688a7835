"""Confidential tables: what counts of each person, and domains that the data cannot change."""

from __future__ import annotations

import time

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.queries import ConfidentialTable, NoisyTable, Range, Values

DOMAINS = {"sex": Values(("F", "M")), "age": Range(0, 100, 10)}


def of(rows: list[tuple[str, str, object]], rows_per_person: int = 1) -> ConfidentialTable:
    columns = {"who": [r[0] for r in rows], "sex": [r[1] for r in rows], "age": [str(r[2]) for r in rows]}
    table = pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()})
    return ConfidentialTable(Source.of(table), DOMAINS, "who", rows_per_person)


people = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["F", "M", "?"]), st.integers(-20, 140)), max_size=30
)


@given(people, st.integers(1, 4), st.randoms(use_true_random=False))
def test_one_person_more_or_less_changes_so_many_rows_and_no_others(rows, most, chance) -> None:  # type: ignore[no-untyped-def]
    """The stability on which every loss rests: exact, on all codes, whatever the order of rows."""
    without = [row for row in rows if row[0] != "a"]
    chance.shuffle(rows)
    before, after = of(rows, most), of(without, most)
    one = [tuple(row) for row in before.codes.tolist()]
    for row in after.codes.tolist():
        one.remove(tuple(row))
    assert len(one) == min(most, sum(row[0] == "a" for row in rows)) <= before.changed_rows


def test_names_of_one_person_that_are_spelt_differently_are_one_person() -> None:
    assert len(of([("Ann Lee", "F", 30), ("ann  lee", "F", 31), (" ANN LEE ", "M", 32)]).kept) == 1


def test_a_row_without_a_person_is_refused_and_counted() -> None:
    with pytest.raises(DataError, match=r"2 row\(s\) name no person"):
        _ = of([("a", "F", 1), ("", "F", 2), ("  ", "M", 3)]).kept


def test_a_person_with_very_many_rows_counts_as_any_other() -> None:
    rows = pa.table({"who": ["a"] * 200_000 + ["b"], "sex": ["F"] * 200_001, "age": np.arange(200_001) % 100})
    begun = time.process_time()
    table = ConfidentialTable(Source.of(rows), DOMAINS, "who", 3)
    assert len(table.kept) == 4
    assert table.counts(["sex"]).tolist() == [4, 0, 0]
    assert time.process_time() - begun < 20


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary(), pa.large_binary()])
@pytest.mark.parametrize("odd", [b"x", b"", b" 7 ", b"+7", b"1e400", b"1_0"])
def test_no_cell_decides_how_others_are_read(kind: pa.DataType, odd: bytes) -> None:
    """A column that is read in another way for one odd cell would move by everybody's number."""
    numbers = Range(0, 100).numbers(pa.chunked_array([pa.array([b"50", b"7", odd], pa.binary()).cast(kind)]))
    assert numbers[:2].tolist() == [50, 7]
    alone = Range(0, 100).numbers(pa.chunked_array([pa.array([odd], pa.binary()).cast(kind)]))
    assert alone.tolist() == numbers[2:].tolist()


def test_bytes_that_are_no_text_are_other_and_somebody() -> None:
    cells = pa.chunked_array([pa.array([b"F", b"\xff", None], pa.binary())])
    assert Values(("F", "M")).codes(cells).tolist() == [0, 2, 2]
    assert Range(0, 9).numbers(cells).tolist() == [0, 0, 0]
    people = pa.table({"who": pa.array([b"\xff", b"\xfe", b"\xff"], pa.binary()), "sex": ["F"] * 3})
    assert len(ConfidentialTable(Source.of(people), {"sex": Values(("F",))}, "who", 1).kept) == 2


def test_a_type_without_numbers_is_refused() -> None:
    with pytest.raises(DataError, match="has no such domain"):
        Range(0, 9).numbers(pa.chunked_array([pa.array([0], pa.date32())]))
    with pytest.raises(DataError, match="has no such domain"):
        Values(("a",)).codes(pa.chunked_array([pa.array([[1]])]))


def test_which_row_of_a_person_counts_is_not_decided_by_sensitive_cells() -> None:
    """Otherwise the ward in which somebody counts, and with it a refusal of exact answers, would tell of a secret."""

    def ward(bed: int, secrets: tuple[str, str]) -> str:
        rows = pa.table({"who": ["a", "a"], "ward": ["A", "B"], "bed": [bed, bed], "hiv": list(secrets)})
        domains = {"hiv": Values(("yes", "no")), "ward": Values(("A", "B")), "bed": Range(0, 100)}
        roles = {"hiv": "sensitive", "ward": "quasi", "bed": "quasi"}
        table = ConfidentialTable(Source.of(rows), domains, "who", 1, roles=roles)
        return str(table.column("ward")[0])

    secrets = [(one, other) for one in ("yes", "no") for other in ("yes", "no")]
    wards = [{ward(bed, pair) for pair in secrets} for bed in range(20)]
    assert all(len(one) == 1 for one in wards)
    assert len(set.union(*wards)) == 2


def test_missing_strange_and_extreme_cells_have_a_public_value() -> None:
    cells = pa.chunked_array([["F", None, "x", "M"]])
    assert DOMAINS["sex"].codes(cells).tolist() == [0, 2, 2, 1]
    numbers = pa.chunked_array([["5", None, "word", "1e308", "-inf", "nan", "100"]])
    assert DOMAINS["age"].numbers(numbers).tolist() == [5, 0, 0, 100, 0, 0, 100]
    assert DOMAINS["age"].codes(numbers).tolist() == [0, 0, 0, 9, 0, 0, 9]


@pytest.mark.parametrize(
    ("low", "high", "bins"),
    [(1, 1, 1), (2, 1, 1), (0, float("inf"), 2), (float("nan"), 1, 2), (0, 1, 0), (0, 1e-300, 2), (1e15, 1e15 + 1, 2)],
)
def test_bounds_that_cannot_be_used_are_refused(low: float, high: float, bins: int) -> None:
    with pytest.raises(ValueError, match=r"low and high|bins"):
        Range(low, high, bins)


@given(st.floats(-1e9, 1e9), st.floats(1e-3, 1e9), st.integers(1, 50))
def test_units_are_whole_numbers_within_the_bounds(low: float, width: float, bins: int) -> None:
    try:
        domain = Range(low, low + width, bins)
    except ValueError:
        return
    least, most = domain.unit_bounds
    assert abs(least) <= 2**31 >= abs(most)
    numbers = pa.chunked_array([[low - 1, low, low + width / 3, low + width, low + 2 * width]])
    units = domain.units(numbers)
    assert units.min() >= least
    assert units.max() <= most
    assert len(set(domain.labels)) == bins


@pytest.mark.parametrize("values", [(), ("a", "a"), ("a", "other")])
def test_values_are_different_and_none_is_other(values: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="values"):
        Values(values)


def test_a_replaced_person_moves_counts_twice_in_sum_and_by_the_diagonal_in_length() -> None:
    """Every pair of neighbours of three people on four cells, by brute force."""
    import itertools

    largest = [0.0, 0.0]
    for rows in itertools.product(range(4), repeat=2):
        for others in itertools.product(range(4), repeat=2):
            moved = np.bincount(rows, minlength=4) - np.bincount(others, minlength=4)
            largest = [max(largest[0], np.abs(moved).sum()), max(largest[1], float(np.linalg.norm(moved)))]
    table = ConfidentialTable(Source.of(pa.table({"sex": ["F"]})), {}, None, 2, "change-one")
    assert largest == [table.changed_rows, pytest.approx(table.changed_length)]


def test_the_digest_of_a_noisy_table_covers_labels_numbers_and_words() -> None:
    one = NoisyTable({"sex": ["F", "M"]}, np.array([1.0, 2.0]), {"epsilon": 1.0})
    others = [
        NoisyTable({"sex": ["M", "F"]}, np.array([1.0, 2.0]), {"epsilon": 1.0}),
        NoisyTable({"sex": ["F", "M"]}, np.array([1.0, 3.0]), {"epsilon": 1.0}),
        NoisyTable({"sex": ["F", "M"]}, np.array([1.0, 2.0]), {"epsilon": 2.0}),
    ]
    assert one.digest not in {other.digest for other in others}
