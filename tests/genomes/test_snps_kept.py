"""How many SNPs are still published."""

from __future__ import annotations

import pytest

from sharewell.genomes import FrequencyFloor, Genotypes, Sequences, SnpsKept


def test_snps_that_are_left_out_are_lost() -> None:
    people = Genotypes.of([[0, 1, 1, 2], [0, 1, 0, 1], [0, 0, 0, 1], [0, 1, 1, 0]] * 5)
    released = FrequencyFloor(floor=0.3).protect(people, must=[]).data
    found = SnpsKept().score(people, released)
    assert found.value == pytest.approx(len(released.snps) / 4)
    assert (found.details.snps, found.details.published) == (4, len(released.snps))


def test_what_has_no_snps_is_undecided() -> None:
    sequences = Sequences.of(["AC", "AG"])
    assert SnpsKept().score(sequences, sequences).value is None  # type: ignore[arg-type]
