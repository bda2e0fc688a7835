"""Distinct texts in order are those of a hash table, sorted."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import given
from hypothesis import strategies as st

from sharewell.text_order import LEAST_ROWS, LONGEST, distinct_in_order, hardly_repeats

TEXTS = st.one_of(
    st.none(),
    st.text(st.sampled_from("\0ab€😀"), max_size=9),
    st.sampled_from(["p0000001", "p00000012", "p000000120", "p0000001\0", "", "a" * 24, "a" * 23 + "b"]),
)


@given(st.lists(TEXTS, max_size=40), st.integers(0, 5))
def test_numbers_stand_for_their_texts(texts: list[str | None], sliced: int) -> None:
    array = pa.array([*["sliced off"] * sliced, *texts], pa.string()).slice(sliced)
    distinct, numbers = distinct_in_order(array)
    assert distinct.to_pylist() == sorted({text for text in texts if text is not None}, key=str.encode)
    assert [None if n == len(distinct) else distinct[n].as_py() for n in numbers.tolist()] == texts


def test_in_the_order_of_arrow() -> None:
    array = pa.array([f"{n * 7919 % 1000:x}-{n % 3}" for n in range(1000)])
    distinct, _ = distinct_in_order(array)
    assert distinct.equals(array.unique().take(pc.sort_indices(array.unique())))


def test_only_many_short_texts_that_hardly_repeat_are_sorted() -> None:
    own = pa.array([str(n) for n in range(LEAST_ROWS)])
    assert hardly_repeats(own)
    assert hardly_repeats(pa.chunked_array([own.slice(0, 10), own]))
    assert not hardly_repeats(own.slice(1))
    assert not hardly_repeats(pa.array([str(n % 1000) for n in range(LEAST_ROWS)]))
    assert not hardly_repeats(pa.concat_arrays([own, pa.array(["x" * (LONGEST + 1)])]))
    assert not hardly_repeats(own.cast(pa.int64()))
