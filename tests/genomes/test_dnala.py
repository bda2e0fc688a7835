"""The lattice of codes, DNALA in all its pairings, its criteria and measures; brute force on few sequences."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.genomes import (
    DNALA,
    BasesKept,
    Binning,
    DiverseSequences,
    Genotypes,
    KIdentical,
    LatticeDistance,
    Sequences,
    Snps,
    lattice_distance,
)
from sharewell.genomes.engine import iupac_lattice
from sharewell.genomes.engine.iupac_lattice import GAPS, SYMBOLS
from sharewell.genomes.engine.protection import sequence_pairs
from sharewell.genomes.engine.protection.sequence_groups import Groups, Needs
from sharewell.genomes.engine.protection.sequence_pairs import Distances
from sharewell.testing import check_criterion, check_measure, check_mechanism

CODES = SYMBOLS[1:-1]
EXAMPLE = ["AATTA", "AATGA", "ATTCA", "AATGA"]
BASES = {
    "A": "A", "C": "C", "G": "G", "T": "T", "R": "AG", "Y": "CT", "S": "CG", "W": "AT", "M": "AC", "K": "GT",
    "B": "CGT", "D": "AGT", "H": "ACT", "V": "ACG", "N": "ACGT",
}  # fmt: skip


def aligned(symbols: str, most: int = 8, least: int = 2) -> st.SearchStrategy[list[str]]:
    """Some texts of one length."""
    return st.integers(1, 5).flatmap(
        lambda long: st.lists(st.text(symbols, min_size=long, max_size=long), min_size=least, max_size=most)
    )


def total(texts: tuple[str, ...] | list[str], gap: Any = "leaf") -> int:
    """What a group costs, by definition: the levels that each member climbs to the join."""
    join = texts[0]
    for text in texts[1:]:
        join = iupac_lattice.join(join, text)
    return sum(lattice_distance(text, join, gap) for text in texts)


def pairings(members: list[int]) -> Iterator[list[tuple[int, int]]]:
    if not members:
        yield []
        return
    first, rest = members[0], members[1:]
    for i, other in enumerate(rest):
        for more in pairings(rest[:i] + rest[i + 1 :]):
            yield [(first, other), *more]


def cheapest(texts: list[str], gap: Any = "leaf") -> int:
    """The optimum over all pairings of an even number."""
    apart = {(i, j): lattice_distance(texts[i], texts[j], gap) for i, j in itertools.combinations(range(len(texts)), 2)}
    return min(sum(apart[pair] for pair in one) for one in pairings(list(range(len(texts)))))


def covered(before: list[str], after: tuple[str, ...]) -> bool:
    pairs = [pair for one, other in zip(before, after, strict=True) for pair in zip(one, other, strict=True)]
    return all(
        shown == "N" or true == shown or set(BASES.get(true, "-")) <= set(BASES.get(shown, "")) for true, shown in pairs
    )


def copies(texts: tuple[str, ...]) -> int:
    return min(texts.count(text) for text in texts)


class TestLattice:
    def test_distance_is_the_symmetric_difference(self) -> None:
        for x, y in itertools.product(CODES, repeat=2):
            assert lattice_distance(x, y) == len(set(BASES[x]) ^ set(BASES[y]))
            assert lattice_distance(x, y) == (SYMBOLS.index(x) ^ SYMBOLS.index(y)).bit_count()
            assert set(BASES[iupac_lattice.join(x, y)]) == set(BASES[x]) | set(BASES[y])

    @pytest.mark.parametrize(
        ("x", "y", "apart"),
        ["AA0", "AG2", "AC2", "AR1", "RY4", "AB4", "AN3", "RK2", "MR2"],
    )
    def test_known_distances(self, x: str, y: str, apart: str) -> None:
        assert lattice_distance(x, y) == int(apart)

    def test_gaps(self) -> None:
        assert [lattice_distance("-", y) for y in "ARBN-"] == [6, 5, 4, 3, 0]
        assert [lattice_distance("-", y, "fifth") for y in "ARBN-"] == [2, 3, 4, 5, 0]
        assert [iupac_lattice.join("-", y) for y in "AN-"] == ["N", "N", "-"]

    @pytest.mark.parametrize("gap", GAPS)
    def test_triangle_inequality(self, gap: Any) -> None:
        """Equal sequences may be paired first only because of it."""
        apart = {(x, y): lattice_distance(x, y, gap) for x, y in itertools.product(SYMBOLS[1:], repeat=2)}
        for x, y, z in itertools.product(SYMBOLS[1:], repeat=3):
            assert apart[x, z] <= apart[x, y] + apart[y, z]

    def test_mistakes(self) -> None:
        with pytest.raises(DataError, match="2 symbol"):
            lattice_distance("AX", "?A")
        with pytest.raises(DataError, match="align them"):
            lattice_distance("A", "AC")

    @given(texts=aligned(SYMBOLS[1:]), gap=st.sampled_from(GAPS))
    @settings(max_examples=60, deadline=None)
    def test_one_product_gives_all_distances(self, texts: list[str], gap: Any) -> None:
        distances = Distances(Sequences.of(texts).codes, gap)
        expected = [[lattice_distance(x, y, gap) for y in texts] for x in texts]
        assert distances.rows(slice(None)).tolist() == expected
        assert distances._product(slice(1, 2)).tolist() == expected[1:2]
        assert distances.totals().tolist() == [sum(row) for row in expected]
        both = [a + b for a, b in zip(*expected[:2], strict=True)]
        assert distances.from_all_of([0, 1]).tolist() == both
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sharewell.genomes.engine.protection.sequence_pairs.WHOLE", 0)
            assert distances.from_all_of([0, 1]).tolist() == both
        numbers = np.arange(len(texts))
        assert distances.pairs(numbers, numbers[::-1]).tolist() == [row[-1 - i] for i, row in enumerate(expected)]


class TestExample:
    def test_distances_and_places(self) -> None:
        data = Sequences.of(EXAMPLE)
        assert np.flatnonzero(data.variable).tolist() == [1, 3]
        found = [lattice_distance(x, y) for x, y in itertools.combinations(EXAMPLE, 2)]
        assert found == [2, 4, 2, 4, 0, 4]

    @pytest.mark.parametrize("way", ["optimal", "nearest", "greedy"])
    def test_pairs(self, way: Any) -> None:
        released = DNALA(pairing=way).protect(Sequences.of(EXAMPLE), [KIdentical(2)])
        assert released.data.texts == ("AWTYA", "AATGA", "AWTYA", "AATGA")
        assert released.details.cost == 4
        assert released.details.variable == 2


class TestOptimum:
    @given(texts=aligned(SYMBOLS[1:]).filter(lambda t: len(t) % 2 == 0), gap=st.sampled_from(GAPS))
    @settings(max_examples=80, deadline=None)
    def test_against_all_pairings(self, texts: list[str], gap: Any) -> None:
        details = DNALA(gap=gap).protect(Sequences.of(texts), []).details
        assert details.cost == details.least_cost_of_pairs == cheapest(texts, gap)
        assert (details.pairing, details.smallest, details.largest) == ("optimal", 2, 2)

    @given(texts=aligned("ACGT", 7, 3).filter(lambda t: len(t) % 2 == 1))
    @settings(max_examples=60, deadline=None)
    def test_an_odd_number(self, texts: list[str]) -> None:
        details = DNALA().protect(Sequences.of(texts), []).details
        everyone = set(range(len(texts)))
        best = min(
            total([texts[i] for i in three])
            + (cheapest([texts[i] for i in sorted(everyone - set(three))]) if len(texts) > 3 else 0)
            for three in itertools.combinations(range(len(texts)), 3)
        )
        assert details.least_cost_of_pairs is not None
        assert details.least_cost_of_pairs <= best <= details.cost
        assert details.largest == 3

    @given(texts=aligned("ACGT", 8), near=st.integers(1, 3), many=st.booleans())
    @settings(max_examples=80, deadline=None)
    def test_near_partners_alone(self, texts: list[str], near: int, many: bool) -> None:
        """With few near partners each, the greedy pairs make sure that all are paired; both bounds are some."""
        distances = Distances(Sequences.of(sorted(texts)).codes, "leaf")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sequence_pairs.nearest, "__defaults__", (None, near))
            patch.setattr(sequence_pairs, "BOUNDED", 0 if many else 100)
            found = sequence_pairs.paired(distances, "nearest")
        assert len(found.left) == len(texts) % 2
        assert found.bound is not None
        everyone = range(len(texts))
        best = min(
            cheapest([texts[i] for i in everyone if i not in out])
            for out in (itertools.combinations(everyone, len(texts) % 2))
        )
        assert found.bound <= best <= int(distances.pairs(*found.pairs.T).sum())

    def test_bounds_of_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        draw = np.random.default_rng(7)
        for count in (40, 41):
            texts = ["".join(row) for row in draw.choice(list("ACGT"), (count, 12), p=[0.7, 0.1, 0.1, 0.1])]
            data = Sequences.of(texts)
            exact = DNALA().protect(data, []).details.least_cost_of_pairs
            near = DNALA(pairing="nearest").protect(data, []).details
            monkeypatch.setattr(sequence_pairs, "BOUNDED", 10)
            rough = DNALA(pairing="nearest").protect(data, []).details
            monkeypatch.undo()
            assert near.pairing == rough.pairing == "nearest"
            assert 0 < rough.least_cost_of_pairs <= near.least_cost_of_pairs <= exact

    def test_blocks_make_no_difference(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from sharewell.genomes.engine.protection import sequence_pairs

        draw = np.random.default_rng(8)
        data = Sequences.of(["".join(row) for row in draw.choice(list("ACGT-"), (60, 10))])
        ways = [DNALA(pairing=way) for way in sequence_pairs.PAIRINGS] + [DNALA(k=4)]
        whole = [way.protect(data, []).data.texts for way in ways]
        monkeypatch.setattr(sequence_pairs, "WHOLE", 0)
        monkeypatch.setattr(sequence_pairs, "BLOCK", 180)
        assert [way.protect(data, []).data.texts for way in ways] == whole


class TestGreedy:
    @given(texts=aligned("ACGT", 10), near=st.integers(1, 4))
    @example(texts=["AAAA", "ACCG", "TAAC", "TACC", "TACC"], near=2)
    @settings(max_examples=80, deadline=None)
    def test_it_is_greedy_however_few_near_ones_are_sorted(self, texts: list[str], near: int) -> None:
        distances = Distances(Sequences.of(texts).codes, "leaf")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sequence_pairs.nearest, "__defaults__", (None, near))
            pairs = sequence_pairs.greedy(distances).tolist()
        apart = distances.rows(slice(None))
        free = set(range(len(texts)))
        for i, j in sorted(pairs, key=lambda pair: int(apart[pair[0], pair[1]])):
            assert apart[i, j] == min(apart[a, b] for a, b in itertools.combinations(sorted(free), 2))
            free -= {i, j}
        assert len(free) == len(texts) % 2

    @given(
        rows=st.lists(st.tuples(st.text("ACG-", min_size=3, max_size=3), st.integers(-1, 2)), max_size=12),
        labelled=st.booleans(),
        near=st.integers(1, 4),
        gap=st.sampled_from(GAPS),
        block=st.sampled_from([1, 30, sequence_pairs.BLOCK]),
    )
    @settings(max_examples=100, deadline=None)
    def test_near_partners_by_sorting(self, rows: list[Any], labelled: bool, near: int, gap: Any, block: int) -> None:
        """The first by distance, then number, of those who may be partners; the greedy pairs are the same with them."""
        texts, labels = [text for text, _ in rows], [label for _, label in rows]
        distances = Distances(Sequences.of(texts).codes if texts else np.zeros((0, 3), dtype=np.uint8), gap)
        allowed = np.array(labels, dtype=np.int64) if labelled else None
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sequence_pairs, "BLOCK", block)
            patch.setattr(sequence_pairs, "WHOLE", 0)
            patch.setattr(sequence_pairs.nearest, "__defaults__", (None, near))
            known = sequence_pairs.nearest(distances, allowed)
            pairs = [sequence_pairs.greedy(distances, allowed, one).tolist() for one in (None, known)]
        assert pairs[0] == pairs[1]
        for i, (partners, far) in enumerate(zip(*known, strict=True)):
            expected = sorted(
                (lattice_distance(texts[i], texts[j], gap), j)
                for j in range(len(texts))
                if j != i and not (labelled and (labels[i] == labels[j] or min(labels[i], labels[j]) < 0))
            )
            found = sorted((d, j) for d, j in zip(far.tolist(), partners.tolist(), strict=True) if d < 1_000)
            assert found == expected[:near]

    @given(texts=aligned("ACGT", 10))
    @settings(max_examples=40, deadline=None)
    def test_in_order(self, texts: list[str]) -> None:
        distances = Distances(Sequences.of(texts).codes, "leaf")
        free, expected = list(range(len(texts))), []
        while len(free) > 1:
            first = free.pop(0)
            other = min(free, key=lambda j: (lattice_distance(texts[first], texts[j]), j))
            free.remove(other)
            expected.append([first, other])
        assert sequence_pairs.in_order(distances).tolist() == expected


class TestRelease:
    @given(
        texts=aligned(SYMBOLS[1:], 12, 1),
        k=st.integers(2, 4),
        way=st.sampled_from(sequence_pairs.PAIRINGS),
        gap=st.sampled_from(GAPS),
    )
    @settings(max_examples=120, deadline=None)
    def test_every_text_is_there_k_times_and_true(self, texts: list[str], k: int, way: Any, gap: Any) -> None:
        data = Sequences.of(texts)
        try:
            released = DNALA(k, way, gap).protect(data, [KIdentical(k)])
        except Infeasible:
            assert len(texts) < k
            return
        shown = released.data.texts
        assert copies(shown) >= k
        assert covered(texts, shown)
        assert KIdentical(k).check(Sequences.from_arrow(released.data.arrow)).value == copies(shown)
        if gap == "leaf":
            assert LatticeDistance().score(data, released.data).value == released.details.cost

    @given(
        rows=st.lists(
            st.tuples(st.text("ACG", min_size=3, max_size=3), st.sampled_from(["a", "b", "c", None])), max_size=12
        ),
        k=st.integers(2, 3),
        l=st.integers(2, 3),
        way=st.sampled_from(sequence_pairs.PAIRINGS),
    )
    @settings(max_examples=120, deadline=None)
    def test_labels_differ_where_that_is_asked_for(self, rows: list[Any], k: int, l: int, way: Any) -> None:  # noqa: E741
        texts, labels = [text for text, _ in rows], [label for _, label in rows]
        data = Sequences.of(texts, labels=labels)
        try:
            released = DNALA(k, way).protect(data, [KIdentical(k), DiverseSequences(l)]).data
        except Infeasible:
            assert len(rows) < max(k, l) or len(set(labels) - {None}) < l
            return
        assert copies(released.texts) >= max(k, l)
        assert covered(texts, released.texts)
        beside = [
            {b for t, b in zip(released.texts, labels, strict=True) if t == text} - {None} for text in released.texts
        ]
        assert min(map(len, beside)) >= l
        found = DiverseSequences(l).check(Sequences.from_arrow(released.arrow, label="label"))
        assert found.value == min(map(len, beside))

    def test_improving_never_costs_more(self) -> None:
        draw = np.random.default_rng(3)
        for k in (3, 5):
            data = Sequences.of(["".join(row) for row in draw.choice(list("ACGT-"), (60, 15))])
            plain, better = (DNALA(k, improve=one).protect(data, []).details for one in (False, True))
            assert better.cost < plain.cost
            assert better.improved > plain.improved == 0

    def test_groups_keep_their_books(self) -> None:
        draw = np.random.default_rng(4)
        codes = Sequences.of(["".join(row) for row in draw.choice(list("ACGT-"), (30, 9))]).codes
        groups = Groups(codes, "leaf", Needs(3), [list(range(i, i + 3)) for i in range(0, 27, 3)])
        groups.join_cheapest([27, 28, 29])
        groups.improve(Distances(codes, "leaf"))
        texts = Sequences.of([iupac_lattice.write(row) for row in codes]).texts
        assert sorted(itertools.chain(*groups.members)) == list(range(30))
        assert groups.cost == sum(total([texts[i] for i in one]) for one in groups.members)

    def test_a_pair_is_not_always_the_best_group(self) -> None:
        """Three and three equal ones cost nothing as triples, and something as pairs."""
        assert DNALA().protect(Sequences.of(["AA"] * 3 + ["CC"] * 3), []).details.cost == 4

    def test_gaps_stay_or_become_n(self) -> None:
        released = DNALA().protect(Sequences.of(["A--C", "A-GC", "CT-A", "CT-A"]), [])
        assert released.data.texts == ("A-NC", "A-NC", "CT-A", "CT-A")

    def test_all_the_same(self) -> None:
        for one in (DNALA(), DNALA(3), DNALA(pairing="nearest"), DNALA(pairing="order")):
            released = one.protect(Sequences.of(["ACGT"] * 7), [])
            assert released.data.texts == ("ACGT",) * 7
            assert released.details.cost == 0

    @pytest.mark.parametrize(("rows", "k"), [(0, 2), (1, 2), (2, 3)])
    def test_too_few(self, rows: int, k: int) -> None:
        with pytest.raises(Infeasible, match=f"{rows} sequences, and a group needs {k}"):
            DNALA().protect(Sequences.of(["ACGT"] * rows), [KIdentical(k)])

    def test_mistakes(self) -> None:
        data = Sequences.of(["ACGT", "ACGA"])
        for wrong in ({"k": 1}, {"pairing": "best"}, {"gap": "none"}):
            with pytest.raises(ValueError, match="must be"):
                DNALA(**wrong)  # type: ignore[arg-type]
        with pytest.raises(PolicyError, match="published"):
            DNALA().protect(DNALA().protect(data, []).data, [])
        with pytest.raises(PolicyError, match="no labels"):
            DNALA().protect(data, [DiverseSequences(2)])
        with pytest.raises(Infeasible, match="0 different"):
            DNALA().protect(Sequences.of(data.texts, labels=[None, None]), [DiverseSequences(2)])
        snps = Snps.of(["a"], effect=["A"], other=["C"])
        with pytest.raises(PolicyError, match="of_genotypes"):
            DNALA().protect(Genotypes.of([[0], [1]], snps=snps), [])  # type: ignore[arg-type]
        from sharewell.genomes import SnpBins

        with pytest.raises(PolicyError, match="snp-bins"):
            DNALA().protect(data, [SnpBins(1, 2)])

    def test_without_the_library(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "rustworkx", None)
        with pytest.raises(DataError, match=r"sharewell\[genomes\]"):
            DNALA(pairing="nearest").protect(Sequences.of(EXAMPLE), [])
        labelled = Sequences.of(EXAMPLE, labels=["a", "a", "b", "b"])
        with pytest.raises(DataError, match=r"sharewell\[genomes\]"):
            DNALA().protect(labelled, [DiverseSequences(2)])
        for way in ("optimal", "greedy"):
            assert DNALA(pairing=way).protect(Sequences.of(EXAMPLE), []).details.cost == 4

    def test_judged_from_the_written_file(self, tmp_path: Path) -> None:
        draw = np.random.default_rng(5)
        data = Sequences.of(["".join(row) for row in draw.choice(list("ACGT"), (25, 9))])
        DNALA(3).protect(data, []).data.write_fasta(tmp_path / "release.fasta")
        assert KIdentical(3).check(Sequences.from_fasta(tmp_path / "release.fasta")).ok


def frame(count: int = 24) -> Any:
    draw = np.random.default_rng(6)
    illness = ["asthma", "gout disease", "influenza"]
    return pa.table(
        {
            "who": [f"person-{i}" for i in range(count)],
            "sequence": ["".join(row) for row in draw.choice(list("ACGT"), (count, 10), p=[0.6, 0.2, 0.1, 0.1])],
            "illness": [illness[i % 3] for i in range(count)],
        }
    )


def opened(table: Any) -> Sequences:
    return Sequences.from_frame(table, subject="who", sensitive="illness")


class TestContracts:
    @pytest.mark.parametrize("count", [24, 25])
    @pytest.mark.parametrize(
        "mechanism", [DNALA(pairing=way) for way in sequence_pairs.PAIRINGS] + [DNALA(k=3), Binning(1, 2)], ids=str
    )
    def test_mechanisms(self, mechanism: Any, count: int) -> None:
        check_mechanism(mechanism, opened, frame(count), [KIdentical(2)])
        if mechanism.name == "dnala":
            check_mechanism(mechanism, opened, frame(count), [KIdentical(2), DiverseSequences(2)])
            check_mechanism(mechanism, opened, frame(count), [DiverseSequences(3)])

    @pytest.mark.parametrize("criterion", [KIdentical(2), DiverseSequences(2)], ids=str)
    def test_criteria(self, criterion: Any) -> None:
        check_criterion(criterion, opened, frame())
        with pytest.raises(ValueError, match="must be at least 1"):
            type(criterion)(0)

    @pytest.mark.parametrize("measure", [LatticeDistance(), LatticeDistance("fifth"), BasesKept()], ids=str)
    def test_measures(self, measure: Any) -> None:
        check_measure(measure, opened, frame(), DNALA().protect(opened(frame()), []).data)


class TestMeasures:
    @given(texts=aligned(SYMBOLS[1:], 6))
    @settings(max_examples=40, deadline=None)
    def test_bases_by_counting(self, texts: list[str]) -> None:
        data = Sequences.of(texts)
        released = DNALA().protect(data, []).data
        found = BasesKept().score(data, released)
        pairs = [pair for a, b in zip(texts, released.texts, strict=True) for pair in zip(a, b, strict=True)]
        bases = [pair for pair in pairs if pair[0] in "ACGT"]
        if not bases:
            assert found.value is None
            return
        assert found.value == sum(a == b for a, b in bases) / len(bases)
        d = found.details
        assert [d.kept, d.one_of_two, d.one_of_three, d.unknown] == [
            sum(len(BASES[b]) == size for _, b in bases) for size in (1, 2, 3, 4)
        ]

    def test_another_order_is_noticed(self) -> None:
        before, after = Sequences.of(["AC", "GT"]), Sequences.of(["GT", "AC"], published=True)
        for measure in (BasesKept(), LatticeDistance()):
            finding = measure.score(before, after)
            assert finding.value is None
            assert "whose" in finding.note
            assert measure.score(before, after.take([0])).value is None
            assert measure.score(Sequences.of([]), Sequences.of([])).value is None

    def test_everything_lost(self) -> None:
        finding = LatticeDistance().score(Sequences.of(["AC-N"]), Sequences.of(["NNNN"], published=True))
        assert (finding.value, finding.details.of_most) == (9, 1.0)
        with pytest.raises(ValueError, match="gap"):
            LatticeDistance("none")  # type: ignore[arg-type]
