"""Binning of SNPs: both stages by counting, what climbs with what, genotypes, and what cannot be."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.genomes import (
    BasesKept,
    Binning,
    DiverseSequences,
    Genotypes,
    KIdentical,
    LatticeDistance,
    Sequences,
    SnpBins,
    Snps,
)
from sharewell.genomes.engine import iupac_lattice
from sharewell.genomes.engine.iupac_lattice import SYMBOLS
from sharewell.genomes.mechanisms.binning import _Tree, common_within
from sharewell.testing import check_criterion, check_measure, check_mechanism

TREES = {"RY": {"R": "AG", "Y": "CT"}, "SW": {"S": "CG", "W": "AT"}, "MK": {"M": "AC", "K": "GT"}}


def above(tree: str, symbol: str) -> list[str]:
    """The symbol and what lies above it, by definition."""
    if symbol in "ACGT":
        return [symbol, *(pair for pair, bases in TREES[tree].items() if symbol in bases), "N"]
    return [symbol, "N"] if symbol in TREES[tree] else ["N"]


def within(texts: list[str]) -> int:
    """The fewest SNPs of a sequence that show one value."""
    return min((least for text in texts for least in Counter(text).values()), default=0)


def of_snps(texts: tuple[str, ...] | list[str], original: list[str]) -> list[str]:
    """Only the places that differ in the original, or show something uncertain there."""
    places = [
        i for i, column in enumerate(zip(*original, strict=True)) if len(set(column)) > 1 or column[0] not in "ACGT"
    ]
    return ["".join(text[i] for i in places) for text in texts]


TEXTS = st.integers(1, 6).flatmap(
    lambda long: st.lists(st.text("ACGTRN-", min_size=long, max_size=long), min_size=1, max_size=9)
)


class TestBothStages:
    @given(texts=TEXTS, b=st.integers(1, 4), across=st.integers(1, 4), tree=st.sampled_from(list(TREES)))
    @settings(max_examples=150, deadline=None)
    def test_by_counting(self, texts: list[str], b: int, across: int, tree: Any) -> None:
        snps = len(of_snps(texts, texts)[0])
        try:
            released = Binning(b, across, tree=tree).protect(Sequences.of(texts), [SnpBins(b, across)])
        except Infeasible:
            assert len(texts) < across or 0 < snps < b
            return
        shown = released.data.texts
        narrow = of_snps(shown, texts)
        assert min(Counter(narrow).values()) >= across
        assert not snps or within(narrow) >= b
        for before, after in zip(texts, shown, strict=True):
            assert len(before) == len(after)
            assert all(s == t if t == s else s in above(tree, t) for t, s in zip(before, after, strict=True))
        same = {text: {s for t, s in zip(texts, shown, strict=True) if t == text} for text in texts}
        assert all(len(one) == 1 for one in same.values())  # equal sequences stay equal
        finding = SnpBins(b, across).check(Sequences.from_arrow(released.data.arrow))
        assert not finding.failed
        assert finding.value == min(Counter(narrow).values())
        assert (finding.parts[0].value if finding.parts else 0) == (within(narrow) if snps else 0)
        assert finding.details.snps == snps == released.details.snps
        assert KIdentical(across).check(released.data).ok

    @given(texts=TEXTS)
    @settings(max_examples=50, deadline=None)
    def test_nothing_climbs_that_need_not(self, texts: list[str]) -> None:
        doubled = [text for text in texts if set(text) <= set("ACGTRN")] * 2
        released = Binning(1, 2).protect(Sequences.of(doubled), []) if doubled else None
        assert released is None or list(released.data.texts) == doubled

    def test_a_place_everybody_shares_says_nothing(self) -> None:
        with pytest.raises(Infeasible, match=r"1 SNP\(s\), and a value needs 2"):
            Binning(2, 1).protect(Sequences.of(["CAAG", "CAGG"]), [])


class TestWithin:
    @pytest.mark.parametrize(
        ("text", "least", "shown"),
        [
            ("AAGCCC", 2, "RRRCCC"),  # G climbs to R, where it is rare, and A follows
            ("AARGCC", 2, "AARRCC"),  # there is an R already
            ("AACT", 2, "AAYY"),
            ("AAC", 2, "NNN"),  # Y is rare, and so is N: what is left follows
            ("AACCCG", 3, "RRCCCR"),
            ("AANCCC", 2, "AANNCC"),  # one C is enough, and leaves enough
            ("AAANCC", 2, "NAANCC"),
            ("AARCC", 2, "RRRCC"),  # to leave one A alone would not do
            ("ACGT", 4, "NNNN"),
            ("ACGT", 1, "ACGT"),
            ("NNAC", 2, "NNNN"),
        ],
    )
    def test_who_climbs(self, text: str, least: int, shown: str) -> None:
        assert iupac_lattice.write(common_within(np.stack([iupac_lattice.read(text)]), (5, 10), least)[0]) == shown

    @given(text=st.text("ACGTRYN", min_size=1, max_size=10), least=st.integers(1, 5))
    @settings(max_examples=150, deadline=None)
    def test_no_value_is_rare_and_nothing_falls(self, text: str, least: int) -> None:
        shown = iupac_lattice.write(common_within(np.stack([iupac_lattice.read(text)]), (5, 10), least)[0])
        assert all(s in above("RY", t) for t, s in zip(text, shown, strict=True))
        if len(text) >= least:
            assert within([shown]) >= least

    @pytest.mark.parametrize("name", list(TREES))
    def test_trees(self, name: Any) -> None:
        tree = _Tree.of(name)
        for x, y in itertools.product(["A", "C", "G", "T", *TREES[name], "N"], repeat=2):
            one, other = above(name, x), above(name, y)
            common = next(node for node in one if node in other)
            level = 0 if x == y else 2 if common == "N" else 1
            assert tree.meet[SYMBOLS.index(x), SYMBOLS.index(y)] == level


class TestGenotypes:
    def test_calls_are_symbols(self) -> None:
        snps = Snps.of(["a", "b"], effect=["A", "C"], other=["G", "T"])
        data = Genotypes.of([[0, 1], [2, 1], [1, 1], [1, -1]], persons=["p", "q", "r", "s"], snps=snps)
        released = Binning(1, 2).protect(data, [SnpBins(1, 2)])
        assert released.data.texts == ("RN", "RN", "RN", "RN")
        assert released.data.ids == ("p", "q", "r", "s")
        assert released.details.lost == 1
        assert LatticeDistance().score(data, released.data).value == released.details.cost == 8
        assert BasesKept().score(data, released.data).value == 0


class TestAsked:
    def test_the_strictest_counts(self) -> None:
        data = Sequences.of(["AGGA", "GGGA", "CTTA", "CTTA"])
        released = Binning(1, 1).protect(data, [SnpBins(2, 1), KIdentical(4)]).data
        assert released.texts == ("NNNA",) * 4

    def test_named_places(self) -> None:
        data = Sequences.of(["AGGA", "GGGC", "CTTG", "CTTT"])
        released = Binning(1, 2, snps=[2, 3]).protect(data, [SnpBins(1, 2, snps=[3, 2])]).data
        assert released.texts == data.texts  # the first and last place tell all apart, but nobody asked
        assert KIdentical(2).check(released).failed
        assert SnpBins(1, 2).check(released).failed
        for criterion in (SnpBins(1, 2), KIdentical(2), SnpBins(1, 2, snps=[1])):
            with pytest.raises(PolicyError, match="other SNPs"):
                Binning(1, 2, snps=[2, 3]).protect(data, [criterion])
        with pytest.raises(DataError, match="place 9 of 4"):
            Binning(1, 2, snps=[9]).protect(data, [])

    def test_mistakes(self) -> None:
        data = Sequences.of(["AG", "GG"], labels=["flu", "gout"])
        for wrong in ({"B": 0}, {"B_prime": 0}, {"snps": []}, {"snps": [0]}, {"tree": "XY"}):
            with pytest.raises(ValueError, match="must"):
                Binning(**{"B": 1, "B_prime": 1, **wrong})  # type: ignore[arg-type]
        with pytest.raises(PolicyError, match="diverse-sequences"):
            Binning(1, 2).protect(data, [DiverseSequences(2)])
        with pytest.raises(PolicyError, match="published"):
            Binning(1, 2).protect(Binning(1, 2).protect(data, []).data, [])
        with pytest.raises(Infeasible, match="2 sequences, and a combination needs 3"):
            Binning(1, 3).protect(data, [])
        with pytest.raises(Infeasible):
            Binning(1, 1).protect(Sequences.of([]), [])

    def test_no_snps(self) -> None:
        same = Sequences.of(["ACGT"] * 3)
        assert Binning(2, 3).protect(same, [SnpBins(2, 3)]).data.texts == same.texts
        finding = SnpBins(2, 3).check(same)
        assert finding.ok
        assert not finding.failed
        assert "no SNPs" in finding.note


def frame() -> Any:
    draw = np.random.default_rng(9)
    texts = ["".join(row) for row in draw.choice(list("ACGT"), (20, 8), p=[0.7, 0.1, 0.1, 0.1])]
    return pa.table({"who": [f"person-{i}" for i in range(20)], "sequence": texts})


def opened(table: Any) -> Sequences:
    return Sequences.from_frame(table, subject="who")


class TestContracts:
    @pytest.mark.parametrize("mechanism", [Binning(1, 3), Binning(3, 2, tree="MK"), Binning(2, 2)], ids=str)
    def test_mechanism(self, mechanism: Any) -> None:
        check_mechanism(mechanism, opened, frame(), [SnpBins(2, 2)])
        check_measure(BasesKept(), opened, frame(), mechanism.protect(opened(frame()), []).data)

    def test_criterion(self) -> None:
        check_criterion(SnpBins(2, 2), opened, frame())
