"""The compiled count of packed calls and its twin agree with unpacked calls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from sharewell.genomes import Genotypes
from sharewell.genomes.engine import packed_calls


@pytest.mark.parametrize("persons", [1, 31, 32, 33, 4 * 8 * 31, 4 * 8 * 62 + 7, 9_001])
def test_the_kernel_and_its_twin_count_every_bit(persons: int) -> None:
    """Any bits, in rows that begin at any byte, as those of a mapped file do."""
    pytest.importorskip("numba")
    wide = packed_calls.width(persons)
    raw = np.random.default_rng(persons).integers(0, 256, 3 + 5 * wide, dtype=np.uint8)
    raw[3 + wide : 3 + 3 * wide] = [0x55] * wide + [0xFF] * wide
    packed = raw[3:].reshape(5, wide)
    calls = packed_calls.unpack(packed, persons).astype(np.int64)
    expected = np.maximum(calls, 0).sum(axis=1), (calls >= 0).sum(axis=1)
    for size in (0, packed_calls.LOADING_PAYS_FROM):
        counted = packed_calls.count(packed, persons, size)
        assert [one.tolist() for one in counted] == [one.tolist() for one in expected]


@pytest.mark.parametrize("persons", [7, 32, 4 * 8 * 3 + 5])
def test_the_order_of_bytes_in_memory_does_not_matter(persons: int) -> None:
    """Columns first, as transposed arrays are, every other row, or rows backwards."""
    packed = np.random.default_rng(persons).integers(0, 256, (6, packed_calls.width(persons)), dtype=np.uint8)
    expected = [one.tolist() for one in packed_calls.count(packed, persons)]
    assert [one.tolist() for one in packed_calls.count(np.asfortranarray(packed), persons)] == expected
    for part in (slice(None, None, 2), slice(None, None, -1)):
        counted = packed_calls.count(np.asfortranarray(packed)[part], persons)
        assert [one.tolist() for one in counted] == [one[part] for one in expected]
        assert [one.tolist() for one in packed_calls.count(packed[part], persons)] == [one[part] for one in expected]


def test_a_process_that_counts_again_and_again_loads_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """What numpy spent on counts adds up, once they are of a large file."""
    kept: list[tuple[str, bool]] = []

    @contextmanager
    def seconds(kernel: str, large: bool) -> Iterator[None]:
        kept.append((kernel.rpartition(":")[2], large))
        yield

    monkeypatch.setattr(packed_calls, "seconds_in_numpy", seconds)
    monkeypatch.setattr(packed_calls, "numba_or_none", lambda *_, **__: None)
    people = Genotypes.of(np.zeros((33, 4), dtype=np.int8))
    people.counts()
    monkeypatch.setattr(packed_calls, "LARGE", 1)
    people.counts()
    monkeypatch.setattr(packed_calls, "numba_or_none", lambda *_, **__: packed_calls.absent_words)
    people.counts()
    assert kept == [("absent", False), ("absent", True), ("absent", False)]
