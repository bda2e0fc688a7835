"""Codes beside DNA: who is alone by one, the other or both, and whose DNA known codes lead to."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import Apriori, CodeSets, KmAnonymity
from sharewell.errors import DataError, PolicyError
from sharewell.genomes import DNALA, Frequencies, Genotypes, KIdentical, Sequences
from sharewell.hierarchy import ICD9CM
from sharewell.joint import DnaAndCodes, DnaLinkage
from sharewell.protocols import Truth
from sharewell.testing import check_finding

Records = list[tuple[frozenset[str], str]]
records = st.lists(
    st.tuples(st.frozensets(st.sampled_from(["401.1", "401.9", "250.00"])), st.sampled_from(["AC", "AT", "GT"])),
    min_size=1,
    max_size=8,
)


def both_sides(rows: Records) -> tuple[CodeSets, Sequences]:
    who = [f"p{i}" for i in range(len(rows))]
    return CodeSets.of([sorted(codes) for codes, _ in rows], persons=who), Sequences.of(
        [dna for _, dna in rows], ids=who
    )


@settings(max_examples=80, deadline=None)
@given(records)
def test_probabilities_are_those_of_equal_records(rows: Records) -> None:
    codes, dna = both_sides(rows)
    found = DnaAndCodes(codes, k=3).mount(dna).details
    for part, told in (("codes", [c for c, _ in rows]), ("dna", [d for _, d in rows]), ("both", rows)):
        times: Counter[Any] = Counter(told)
        one = getattr(found, part)
        assert one.probability == pytest.approx(np.mean([1 / times[x] for x in told]))
        assert one.unique == np.mean([times[x] == 1 for x in told])
        assert one.below_k == np.mean([times[x] < 3 for x in told])
        assert one.smallest == min(times.values())
    assert found.both.probability >= max(found.codes.probability, found.dna.probability) - 1e-12


@settings(max_examples=80, deadline=None)
@given(records, st.frozensets(st.sampled_from(["401.1", "401.9", "250.00", "295.00"]), min_size=1))
def test_linkage_finds_what_somebody_would(rows: Records, known: frozenset[str]) -> None:
    codes, dna = both_sides(rows)
    identified = pa.table({"name": ["p0"] * len(known), "code": sorted(known)})
    found = DnaLinkage(codes, identified).mount(dna, Truth(dna, np.arange(dna.rows))).details
    fits = [i for i, (held, _) in enumerate(rows) if known <= held]
    texts = {rows[i][1] for i in fits}
    assert found.one_record == (len(fits) == 1)
    assert found.no_record == (not fits)
    assert found.one_dna == (len(texts) == 1)
    assert found.correct == (len(texts) == 1 and 0 in fits)
    vary = [j for j in range(2) if len({dna[j] for _, dna in rows}) > 1]
    if fits and vary:
        assert found.learned == np.mean([len({rows[i][1][j] for i in fits}) == 1 for j in vary])


def test_anonymous_codes_do_not_help_whose_dna_is_alone() -> None:
    """And k-identical DNA does, once the codes are anonymous too."""
    who = [f"p{i}" for i in range(6)]
    codes = CodeSets.of([[code] for code in ("401.1", "401.1", "401.9", "401.9", "401.0", "401.0")], persons=who)
    dna = Sequences.of(["AATTA", "AATGA", "ATTCA", "AATGC", "AATTA", "ATTGA"], ids=who)
    tree = CodeSets.of([["401.1"], ["401.1"], ["401.9"], ["401.9"], ["401.0"], ["401.0"]], hierarchy=ICD9CM())
    hidden = Apriori().protect(tree, [KmAnonymity(k=6, m=1)]).data
    shown = CodeSets.of([["401"]] * 6, published=True, members={"401": hidden.members[0]}, persons=who)
    alone = DnaAndCodes(shown).mount(dna).details
    assert alone.codes.probability == pytest.approx(1 / 6)
    assert alone.both.probability == alone.dna.probability > 0.8
    safe = DNALA().protect(dna, [KIdentical(2)])
    assert DnaAndCodes(shown).mount(safe.data, safe.truth(dna)).details.both.smallest >= 2
    known = pa.table({"name": who, "code": ["401.1", "401.1", "401.9", "401.9", "401.0", "401.0"]})
    assert DnaLinkage(codes, known).mount(dna).value == 0
    assert DnaLinkage(shown, known).mount(safe.data).details.candidates == 6


def test_files_genotypes_and_persons_without_codes() -> None:
    dna = Genotypes.of([[0, 1], [0, 1], [2, -1]], persons=["a", "b", "c"])
    rows = pa.table({"subject": ["a", "b", "b", "x"], "code": ["1", "1", "2", "9"]})
    found = DnaAndCodes(rows).mount(dna).details
    assert (found.without_codes, found.dna.smallest, found.both.unique) == (1, 1, 1.0)
    linked = DnaLinkage(rows).mount(dna).details
    assert (linked.people, linked.one_record, linked.one_dna) == (2, 0.5, 1.0)
    check_finding(DnaLinkage(rows).mount(dna), pa.table({"subject": ["a", "b"]}))


def test_odd_input_is_told() -> None:
    dna = Genotypes.of([[0, 1]], persons=["a"])
    rows = pa.table({"subject": ["a"], "code": ["1"]})
    for attack in (DnaAndCodes, DnaLinkage):
        with pytest.raises(PolicyError, match="something else"):
            attack(rows).mount(Frequencies.of(dna))
        with pytest.raises(PolicyError, match="joined by person"):
            attack(rows).mount(Sequences.of(["AC"]))
        with pytest.raises(DataError, match="nobody is named"):
            attack(CodeSets.of([["1"]])).mount(dna)
        assert attack(rows).mount(Genotypes.of(np.zeros((0, 2)))).value is None
    labels = CodeSets.of([["401"]], published=True, members={"401": ["401.1"]}, persons=["a"])
    with pytest.raises(PolicyError, match="identified"):
        DnaLinkage(labels).mount(dna)
    empty = pa.table({"name": ["a"], "code": pa.array([None], pa.string())})
    assert DnaLinkage(rows, empty).mount(dna).value is None
    with pytest.raises(ValueError, match="k — must be at least 1"):
        DnaAndCodes(rows, k=0)
