"""Symbols stand for no base that only withheld persons have."""

from __future__ import annotations

import random

import numpy as np
import pytest

from sharewell.genomes import DNALA, Genotypes, KIdentical, Sequences, Snps
from sharewell.genomes.engine.iupac_lattice import ANY, covers
from sharewell.genomes.engine.shown_bases import with_shown_bases
from sharewell.keys import Key


@pytest.mark.parametrize("seed", range(10))
def test_every_base_of_a_symbol_is_a_published_persons(seed: int) -> None:
    draw = random.Random(seed)
    original = Sequences.of(["".join(draw.choice("AAACGT-") for _ in range(6)) for _ in range(12)])
    done = DNALA().protect(original, [KIdentical(2)], Key(b"a key for this test, long enough"))
    kept = np.array(sorted(draw.sample(range(12), 7)), dtype=np.intp)
    rows = done.rows[kept]
    shown = with_shown_bases(done.data.take(kept), original, rows)
    assert covers(shown.codes, original.codes[rows]).all()
    present = np.bitwise_or.reduce(original.codes[rows], axis=0)
    assert ((shown.codes == ANY) | ((shown.codes & ~present) == 0)).all()
    before = done.data.take(kept).groups
    assert len(set(zip(before, shown.groups, strict=True))) == len(set(before))  # whoever showed the same still does


def test_genotypes_other_lengths_and_whole_releases() -> None:
    snps = Snps.of(["rs1"], effect=["A"], other=["G"])
    calls = Genotypes.of([[0], [0], [2], [-1]], snps=snps)
    released = Sequences.of(["R", "R"], published=True)
    assert with_shown_bases(released, calls, np.array([0, 1])).texts == ("G", "G")
    assert with_shown_bases(released, calls, np.array([0, 3])).texts == ("G", "G")
    assert with_shown_bases(released, calls.take(np.array([0, 2])), np.array([0, 1])) is released
    longer = Sequences.of(["RA", "RA"], published=True)
    assert with_shown_bases(longer, calls, np.array([0, 1])) is longer
